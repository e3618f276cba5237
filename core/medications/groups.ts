import type { GroupRule, MedicationKnowledge, SubstanceSet } from './types.ts';

/** A group rule that fired and the substances (by index) that make it up. */
export interface GroupMatch {
  rule: GroupRule;
  substances: number[];
}

/** Findings that need three or more substances, whether they come in three products or in one. */
export function matchGroups(knowledge: MedicationKnowledge, present: readonly number[]): GroupMatch[] {
  const found: GroupMatch[] = [];
  for (const { rule, members, of, including } of knowledge.groups) {
    if (rule.count) {
      const counted = present.filter((s) => of.has(s));
      if (counted.length < rule.count.min) continue;
      if (including && !counted.some((s) => including.has(s))) continue;
      found.push({ rule, substances: counted });
    } else if (assignable(members, present)) {
      found.push({ rule, substances: present.filter((s) => members.some((m) => m.has(s))) });
    }
  }
  return found;
}

/** Whether every selector can be given a substance of its own. */
function assignable(
  members: readonly SubstanceSet[],
  present: readonly number[],
  used: readonly number[] = [],
): boolean {
  const [first, ...rest] = members;
  if (!first) return true;
  return present.some((s) => first.has(s) && !used.includes(s) && assignable(rest, present, [...used, s]));
}
