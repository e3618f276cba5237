import type { Condition } from '../../knowledge/types.ts';
import type { CompiledCondition, Model } from './model.ts';

/** How a candidate of a differential diagnosis was understood. */
export interface ResolvedCandidate {
  index: number;
  text: string;
  status: 'resolved' | 'ambiguous' | 'unknown';
  conditions: ConditionName[];
  suggestions: ConditionName[];
}

export interface ConditionName {
  condition_id: string;
  name: string;
}

interface Names {
  /** Conditions by id, name and synonym, in the form in which names are compared. */
  byName: Map<string, CompiledCondition[]>;
  /** Conditions by the parts of the code, without its dot. */
  byCode: { code: string; compiled: CompiledCondition }[];
  /** Pairs of letters of every name, for suggestions. */
  pairs: { compiled: CompiledCondition; pairs: Set<string> }[];
}

const SUGGESTIONS_MAX = 3;
/** Below this two names have no more in common than any two. */
const LIKENESS_MIN = 0.5;
/** A code of three characters can mean a whole group: more than these are no answer. */
const MEANINGS_MAX = 5;
const ICD10 = /^[a-z]\d[0-9a-z](?:\.?[0-9a-z]{1,4})?$/i;

const names = new WeakMap<Model, Names>();

/** Finds the conditions that candidates mean: by id, name, synonym or ICD-10 code; spelling mistakes are suggestions. */
export function resolveCandidates(model: Model, candidates: readonly string[]): ResolvedCandidate[] {
  const known = namesOf(model);
  return candidates.map((text, index) => {
    const found = find(known, text);
    const isKnown = found.length > 0 && found.length <= MEANINGS_MAX;
    return {
      index,
      text,
      status: !isKnown ? 'unknown' : found.length === 1 ? 'resolved' : 'ambiguous',
      conditions: isKnown ? found.map(({ condition }) => nameOf(condition)) : [],
      suggestions: isKnown ? [] : nearest(known, text, found),
    };
  });
}

/** A condition as it is referred to. */
export function nameOf({ id, name }: Condition): ConditionName {
  return { condition_id: id, name };
}

function namesOf(model: Model): Names {
  const built = names.get(model);
  if (built !== undefined) return built;
  const made: Names = { byName: new Map(), byCode: [], pairs: [] };
  for (const compiled of model.conditions) {
    const { id, name, synonyms, icd10 } = compiled.condition;
    for (const each of [id, name, ...synonyms]) {
      const key = plain(each);
      const sharing = made.byName.get(key) ?? [];
      if (!sharing.includes(compiled)) made.byName.set(key, [...sharing, compiled]);
      made.pairs.push({ compiled, pairs: pairsOf(key) });
    }
    for (const code of icd10) made.byCode.push({ code: bare(code), compiled });
  }
  names.set(model, made);
  return made;
}

function find({ byName, byCode }: Names, text: string): CompiledCondition[] {
  const named = byName.get(plain(text));
  if (named !== undefined) return named;
  if (!ICD10.test(text.trim())) return [];
  const code = bare(text.trim());
  const exact = byCode.filter((one) => one.code === code);
  // A code of the record may be finer or coarser than the knowledge's own.
  const near = byCode.filter((one) => one.code.startsWith(code) || (one.code.length >= 3 && code.startsWith(one.code)));
  return [...new Set((exact.length > 0 ? exact : near).map(({ compiled }) => compiled))];
}

function nearest({ pairs }: Names, text: string, group: CompiledCondition[]): ConditionName[] {
  if (group.length > 0) return group.slice(0, SUGGESTIONS_MAX).map(({ condition }) => nameOf(condition));
  const wanted = pairsOf(plain(text));
  const best = new Map<CompiledCondition, number>();
  for (const { compiled, pairs: own } of pairs) {
    const likeness = dice(wanted, own);
    if (likeness >= LIKENESS_MIN && likeness > (best.get(compiled) ?? 0)) best.set(compiled, likeness);
  }
  return [...best]
    .sort(([a, x], [b, y]) => y - x || (a.condition.id < b.condition.id ? -1 : 1))
    .slice(0, SUGGESTIONS_MAX)
    .map(([{ condition }]) => nameOf(condition));
}

/** Small letters and digits, without accents, words parted by one blank. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’]s\b/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

const bare = (code: string): string => code.toUpperCase().replace(/[^A-Z0-9]/g, '');

function pairsOf(name: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at < name.length - 1; at += 1) pairs.add(name.slice(at, at + 2));
  return pairs;
}

/** Dice's coefficient of two sets: 1 for the same, 0 for nothing in common. */
function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
