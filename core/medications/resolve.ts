import { editDistance } from '../platform/edit-distance.ts';
import { type Dosage, readDosage } from './dosage.ts';
import { classKey, combinationParts, normalise, routeOf, withoutForm, withoutSalt } from './names.ts';
import { nearNames, slipsForgiven } from './spelling.ts';
import type { MedicationKnowledge, NameEntry, Substance } from './types.ts';
import { variantKey } from './variants.ts';

export interface MedicationInput {
  name?: string;
  /** ATC or RxNorm; the system by short name or by its FHIR URI. */
  code?: { system: string; code: string };
  route?: string;
  /** How much and how often, in words; comes before what the name says. */
  dosage?: string;
  /** Days on which it was begun and left off, as `YYYY-MM-DD`. */
  startedOn?: string;
  stoppedOn?: string;
}

/** How the input was understood, plainest first. */
export type MatchKind = 'code' | 'name' | 'synonym' | 'brand' | 'salt' | 'combination' | 'spelling';

export interface Suggestion {
  id: string;
  name: string;
  /** The known spelling that comes near: a name, synonym or brand. */
  matched: string;
  /** Slips between what was written and the known name. */
  distance: number;
}

export interface ResolvedMedication {
  input: MedicationInput;
  status: 'resolved' | 'ambiguous' | 'unresolved';
  match: MatchKind | null;
  /** All active substances; of an unresolved combination, those parts that were understood. */
  substances: { id: string; name: string; atc: string[]; rxnorm: string[] }[];
  /** What the text was taken for (`match` spelling) or could mean. */
  suggestions: Suggestion[];
  route: string | null;
  /** The drug the text names that exists and that no rule covers; null otherwise. */
  knownDrug: string | null;
  dosage: Dosage;
}

/** The resolved form together with the records behind it. */
export interface Resolution {
  medication: ResolvedMedication;
  substances: readonly Substance[];
}

const SYSTEMS: Readonly<Record<string, string>> = {
  atc: 'atc',
  'http://www.whocc.no/atc': 'atc',
  'https://www.whocc.no/atc': 'atc',
  rxnorm: 'rxnorm',
  'http://www.nlm.nih.gov/research/umls/rxnorm': 'rxnorm',
};
/** Longer text is no medication name, and measuring its distance would cost time. */
const NAME_CHARACTERS_MAX = 200;
const SUGGESTIONS_MAX = 5;

interface Understood {
  status: ResolvedMedication['status'];
  match: MatchKind | null;
  substances: readonly Substance[];
  suggestions: Suggestion[];
  route: string | null;
  knownDrug: string | null;
}

const NOTHING: Understood = {
  status: 'unresolved',
  match: null,
  substances: [],
  suggestions: [],
  route: null,
  knownDrug: null,
};

/** Finds the active substances an entry of a medication list means. Never guesses between two close candidates. */
export function resolveMedication(knowledge: MedicationKnowledge, input: MedicationInput): Resolution {
  const byCode = input.code ? fromCode(knowledge, input.code) : null;
  const byName = input.name?.trim() ? fromName(knowledge, input.name) : null;
  const understood = reconcile(byCode, byName);
  return {
    substances: understood.substances,
    medication: {
      input,
      status: understood.status,
      match: understood.match,
      substances: understood.substances.map((s) => ({ id: s.id, name: s.name, atc: s.atc, rxnorm: s.rxnorm ?? [] })),
      suggestions: understood.suggestions,
      route: routeOf(input.route) ?? understood.route,
      knownDrug: understood.knownDrug,
      dosage: dosageOf(input, understood.substances.length),
    },
  };
}

/** What is told of the dose. Of a combination no single dose is told, so none is read from its name. */
function dosageOf({ name, dosage }: MedicationInput, substances: number): Dosage {
  const { rest: _rest, ...read } = readDosage(dosage ?? name ?? '');
  return substances > 1 && dosage === undefined ? { ...read, doseMg: null, dailyMg: null } : read;
}

/** Code and name of one entry must agree; when they name different drugs, neither is believed. */
function reconcile(byCode: Understood | null, byName: Understood | null): Understood {
  if (!byCode || byCode.status === 'unresolved') return byName ?? byCode ?? NOTHING;
  if (byName?.status !== 'resolved') return { ...byCode, route: byName?.route ?? null };
  if (byCode.status === 'ambiguous') return byName;
  const coded = new Set(byCode.substances.map((s) => s.id));
  const agree = byName.substances.some((s) => coded.has(s.id));
  if (agree) return { ...byCode, route: byName.route };
  const suggestions = [...byCode.substances, ...byName.substances].map((s) => ({
    id: s.id,
    name: s.name,
    matched: s.name,
    distance: 0,
  }));
  return { ...NOTHING, status: 'ambiguous', suggestions };
}

function fromCode(knowledge: MedicationKnowledge, code: { system: string; code: string }): Understood {
  const system = SYSTEMS[code.system.trim().toLowerCase()];
  if (!system) return NOTHING;
  const entries = knowledge.names.byCode.get(`${system}:${code.code.trim().toUpperCase()}`) ?? [];
  return fromEntries(entries, 'code');
}

/** One entry resolves; a product listed before its own parts stands for them; otherwise it is ambiguous. */
function fromEntries(entries: readonly NameEntry[], match: MatchKind | null): Understood {
  const [first, ...others] = entries;
  if (!first) return NOTHING;
  const inFirst = new Set(first.substances);
  if (others.every((e) => e.substances.every((s) => inFirst.has(s))))
    return { ...NOTHING, status: 'resolved', match: match ?? first.kind, substances: first.substances };
  return {
    ...NOTHING,
    status: 'ambiguous',
    suggestions: suggest(entries.map((entry) => ({ entry, matched: entry.target, distance: 0 }))),
  };
}

function fromName(knowledge: MedicationKnowledge, name: string): Understood {
  if (name.length > NAME_CHARACTERS_MAX) return NOTHING;
  const { byName } = knowledge.names;
  const exact = byName.get(normalise(name));
  if (exact) return { ...fromEntries(exact, null), route: withoutForm(name).route };
  const plain = plainName(knowledge, name);
  if (plain) return plain;
  const members = knowledge.names.byClass.get(classKey(name));
  if (members)
    return {
      ...NOTHING,
      status: 'ambiguous',
      suggestions: suggest(members.map((entry) => ({ entry, matched: entry.target, distance: 0 }))),
    };
  const parts = fromParts(knowledge, name);
  if (parts?.status === 'resolved') return parts;
  const known = uncoveredName(knowledge, name);
  if (known !== null) return { ...NOTHING, knownDrug: known, substances: parts?.substances ?? [] };
  const spelling = fromSpelling(knowledge, name);
  return spelling.status === 'unresolved' && parts ? parts : spelling;
}

/** The name without strength and form, then without salt. */
function plainName(knowledge: MedicationKnowledge, text: string): Understood | null {
  const { byName } = knowledge.names;
  const { name, route } = withoutForm(text);
  const formless = byName.get(name);
  if (formless) return { ...fromEntries(formless, null), route };
  const bare = withoutSalt(name);
  const saltless = byName.get(bare);
  if (saltless) return { ...fromEntries(saltless, 'salt'), route };
  if (uncoveredName(knowledge, text) !== null) return null;
  const variant =
    knowledge.names.byVariant.get(variantKey(name) ?? '') ?? knowledge.names.byVariant.get(variantKey(bare) ?? '');
  if (!variant) return null;
  const matched = variant.substances.map((s) => s.name).join(' / ');
  const distance = editDistance(bare, normalise(matched), SLIPS_TOLD_MAX);
  const suggestions = suggest([{ entry: variant, matched, distance }]);
  return { ...fromEntries([variant], 'spelling'), suggestions, route };
}

/** Most slips that are told of another language's spelling. */
const SLIPS_TOLD_MAX = 9;

/** The name of a drug that exists and that no rule covers, as the text gives it or without salt and form. */
function uncoveredName(knowledge: MedicationKnowledge, text: string): string | null {
  const { uncovered } = knowledge.names;
  const { name } = withoutForm(text);
  return uncovered.get(normalise(text)) ?? uncovered.get(name) ?? uncovered.get(withoutSalt(name)) ?? null;
}

/**
 * Splits a combination written out. Understood only when every part is known exactly;
 * otherwise the known parts are kept, so that their interactions are not lost, and the whole stays unresolved.
 */
function fromParts(knowledge: MedicationKnowledge, text: string): Understood | null {
  let best: Understood | null = null;
  const { route } = withoutForm(text);
  for (const parts of combinationParts(text)) {
    const understood = parts.map((part) => {
      const exact = knowledge.names.byName.get(normalise(part));
      return exact ? fromEntries(exact, null) : plainName(knowledge, part);
    });
    const known = understood.filter((u): u is Understood => u?.status === 'resolved');
    if (known.length === 0) continue;
    const substances = [...new Set(known.flatMap((u) => u.substances))];
    // Leftover words of form or strength ("mg", "tablet") are not parts.
    const open = parts.filter((part, i) => understood[i]?.status !== 'resolved' && withoutForm(part).name !== '');
    if (open.length === 0) {
      const match = known.length > 1 ? 'combination' : (known[0]?.match ?? null);
      return { ...NOTHING, status: 'resolved', match, substances, route };
    }
    const suggestions = open.flatMap((part) => fromSpelling(knowledge, part).suggestions).slice(0, SUGGESTIONS_MAX);
    best ??= { ...NOTHING, substances, suggestions, route };
  }
  return best;
}

/**
 * A misspelt name is taken for a known one only when that one is near enough for its length, every other drug is at
 * least two slips further away, and no drug that exists anywhere is nearer or about as near; otherwise the candidates
 * are only suggested. Two slips and more must sound alike: a different drug often lies two letters away.
 */
function fromSpelling(knowledge: MedicationKnowledge, text: string): Understood {
  const { name: formless, route } = withoutForm(text);
  const name = withoutSalt(formless);
  const forgiven = slipsForgiven(name.length);
  if (name.length < 3 || name.length > MISSPELT_CHARACTERS_MAX) return { ...NOTHING, route };
  const near = nearNames(knowledge.names.byLength, name, forgiven + 1);
  const nearest = new Map<string, Candidate>();
  for (const { key, distance } of near) {
    for (const entry of knowledge.names.byName.get(key) ?? [])
      if (!nearest.has(entry.target)) nearest.set(entry.target, { entry, matched: key, distance });
  }
  const candidates = [...nearest.values()];
  const suggestions = suggest(candidates);
  const [first] = candidates;
  if (!first) return { ...NOTHING, route };
  if (!isSlip(name, first, forgiven)) return { ...NOTHING, suggestions, route };
  const meant = first.entry.substances;
  const rival = candidates.find((c) => !sameSubstances(c.entry.substances, meant));
  if (rival && rival.distance < first.distance + 2) return { ...NOTHING, status: 'ambiguous', suggestions, route };
  // Swapped letters are a slip of the hand: only what is as near stands against them.
  const reach = isSwapped(name, first.matched) ? first.distance : first.distance + 1;
  if (nearNames(knowledge.names.uncoveredByLength, name, reach).length > 0) return { ...NOTHING, suggestions, route };
  return { ...NOTHING, status: 'resolved', match: 'spelling', substances: meant, suggestions, route };
}

/** Longer text is no single misspelt name; measuring it against every name would cost time. */
const MISSPELT_CHARACTERS_MAX = 40;
/** Trade names are short and made up, so one letter more often makes another one. */
const BRAND_CHARACTERS_MIN = 7;

const isSwapped = (x: string, y: string): boolean => [...x].sort().join('') === [...y].sort().join('');

function isSlip(name: string, { entry, matched, distance }: Candidate, forgiven: number): boolean {
  // A slip in the first letter is rare; a drug we do not know that differs from one we know there is not (medazepam, temazepam).
  if (distance > forgiven || matched.charAt(0) !== name.charAt(0)) return false;
  const sound = editDistance(variantKey(name) ?? name, variantKey(matched) ?? matched, 1);
  if (distance > 1) return sound <= 1;
  return entry.kind !== 'brand' || sound === 0 || name.length >= BRAND_CHARACTERS_MIN;
}

function sameSubstances(x: readonly Substance[], y: readonly Substance[]): boolean {
  return x.length === y.length && x.every((s) => y.includes(s));
}

interface Candidate {
  entry: NameEntry;
  matched: string;
  distance: number;
}

function suggest(candidates: readonly Candidate[]): Suggestion[] {
  return candidates.slice(0, SUGGESTIONS_MAX).map(({ entry, matched, distance }) => ({
    id: entry.target,
    name: entry.substances.map((s) => s.name).join(' / '),
    matched,
    distance,
  }));
}
