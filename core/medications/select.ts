import type { Selector, Substance, SubstanceSet } from './types.ts';

/** A property nobody graded: overexposure and underexposure then count as mild, everything else as absent. */
const UNGRADED: Readonly<Record<string, string>> = { overexposure: 'mild', underexposure: 'mild' };

const strengthOf = (substance: Substance, property: string): string =>
  substance.grades.get(property)?.[0] ?? UNGRADED[property] ?? 'none';

/** Whether a selector means this substance: any of its lists, then every `where`, minus `except`. */
export function selects(selector: Selector, substance: Substance): boolean {
  const named =
    (selector.substances?.includes(substance.id) ?? false) ||
    (selector.classes?.some((c) => substance.classes.includes(c)) ?? false) ||
    Object.entries(selector.properties ?? {}).some(([p, strengths]) => strengths.includes(strengthOf(substance, p)));
  if (!named) return false;
  if (selector.except?.substances?.includes(substance.id)) return false;
  if (selector.except?.classes?.some((c) => substance.classes.includes(c))) return false;
  return Object.entries(selector.where ?? {}).every(([p, strengths]) => strengths.includes(strengthOf(substance, p)));
}

/** Indexes of all substances a selector means. */
export function expand(selector: Selector, substances: readonly Substance[]): SubstanceSet {
  return new Set(substances.filter((s) => selects(selector, s)).map((s) => s.index));
}
