import { normalise } from './names.ts';
import { resolveMedication, type Suggestion } from './resolve.ts';
import type { Certainty, MedicationKnowledge, RuleSeverity, Substance } from './types.ts';

export interface AllergyInput {
  text: string;
  code?: { system: string; code: string };
}

export interface AllergyMatch {
  rule: string;
  substance: Substance;
  severity: RuleSeverity;
  certainty: Certainty;
  mechanism: string;
  effect: string;
  management: string;
  sources: string[];
}

/** What an allergy text means: single substances and whole groups; neither when it was not understood. */
export interface UnderstoodAllergy {
  text: string;
  substances: readonly Substance[];
  /** Positions in `knowledge.allergies`. */
  groups: number[];
  suggestions: Suggestion[];
}

const FILLER =
  /\b(allergy|allergic|allergies|to|hypersensitivity|intolerance|anaphylaxis|reaction|reactions|history of|drug)\b/g;

/** Reads an allergy as written in a record: a group ("sulfa drugs"), a substance, a brand or a code. */
export function understandAllergy(knowledge: MedicationKnowledge, allergy: AllergyInput): UnderstoodAllergy {
  const text = normalise(allergy.text);
  const bare = text.replace(FILLER, ' ').replace(/\s+/g, ' ').trim();
  const groups = new Set<number>();
  knowledge.allergies.forEach(({ terms }, position) => {
    if (terms.has(text) || terms.has(bare)) groups.add(position);
  });
  const { medication, substances } = resolveMedication(knowledge, {
    name: bare || text,
    ...(allergy.code ? { code: allergy.code } : {}),
  });
  const known = medication.status === 'resolved' ? substances : [];
  for (const substance of known) {
    knowledge.allergies.forEach(({ members }, position) => {
      if (members.has(substance.index)) groups.add(position);
    });
  }
  return { text: allergy.text, substances: known, groups: [...groups], suggestions: medication.suggestions };
}

/** Judges one substance against one allergy: the same substance, its group, and what crosses over. */
export function matchAllergy(
  knowledge: MedicationKnowledge,
  allergy: UnderstoodAllergy,
  substance: Substance,
): AllergyMatch | null {
  if (allergy.substances.some((s) => s.index === substance.index))
    return {
      rule: 'allergy-same-substance',
      substance,
      severity: 'contraindicated',
      certainty: 'established',
      mechanism: `An allergy to ${substance.name} is recorded.`,
      effect: 'Allergic reaction.',
      management: 'Do not give; verify the allergy if the drug is needed.',
      sources: ['aaaai'],
    };
  for (const position of allergy.groups) {
    const entry = knowledge.allergies[position];
    if (!entry) continue;
    const { group } = entry;
    if (entry.members.has(substance.index))
      return {
        rule: `allergy-${group.id}`,
        substance,
        severity: group.within.severity,
        certainty: group.within.certainty,
        mechanism: `${substance.name} belongs to a group (${group.id.replaceAll('-', ' ')}) with a recorded allergy.`,
        effect: 'Allergic reaction within the group.',
        management: group.within.management,
        sources: ['aaaai'],
      };
    const crossing = entry.crosses.findIndex((members) => members.has(substance.index));
    const cross = group.crosses[crossing];
    if (cross)
      return {
        rule: `allergy-cross-${group.id}`,
        substance,
        severity: cross.severity,
        certainty: cross.certainty,
        mechanism: `Possible cross-reaction with the recorded allergy (${group.id.replaceAll('-', ' ')}).`,
        effect: cross.note,
        management: cross.note,
        sources: cross.sources,
      };
  }
  return null;
}
