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

/** Substances by what a selector can name, so that a rule looks at few of them. */
interface Shelves {
  readonly byId: ReadonlyMap<string, Substance>;
  readonly byClass: ReadonlyMap<string, readonly Substance[]>;
  /** Keyed `property strength`. */
  readonly byStrength: ReadonlyMap<string, readonly Substance[]>;
}

const shelved = new WeakMap<readonly Substance[], Shelves>();

function shelvesOf(substances: readonly Substance[]): Shelves {
  const known = shelved.get(substances);
  if (known) return known;
  const byClass = new Map<string, Substance[]>();
  const byStrength = new Map<string, Substance[]>();
  const put = (map: Map<string, Substance[]>, key: string, substance: Substance): void => {
    const held = map.get(key);
    if (held) held.push(substance);
    else map.set(key, [substance]);
  };
  for (const substance of substances) {
    for (const id of substance.classes) put(byClass, id, substance);
    for (const [property, [strength]] of substance.grades) put(byStrength, `${property} ${strength}`, substance);
    for (const [property, strength] of Object.entries(UNGRADED))
      if (!substance.grades.has(property)) put(byStrength, `${property} ${strength}`, substance);
  }
  const shelves = { byId: new Map(substances.map((s) => [s.id, s])), byClass, byStrength };
  shelved.set(substances, shelves);
  return shelves;
}

/** Indexes of all substances a selector means. */
export function expand(selector: Selector, substances: readonly Substance[]): SubstanceSet {
  const { byId, byClass, byStrength } = shelvesOf(substances);
  const candidates = [
    ...(selector.substances ?? []).flatMap((id) => byId.get(id) ?? []),
    ...(selector.classes ?? []).flatMap((id) => byClass.get(id) ?? []),
    ...Object.entries(selector.properties ?? {}).flatMap(([property, strengths]) =>
      strengths.flatMap((strength) => byStrength.get(`${property} ${strength}`) ?? []),
    ),
  ];
  const found = new Set(candidates.filter((s) => selects(selector, s)).map((s) => s.index));
  return new Set([...found].sort((x, y) => x - y));
}
