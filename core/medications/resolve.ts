import { classKey, combinationParts, normalise, routeOf, withoutForm, withoutSalt } from './names.ts';
import { nearNames, slipsForgiven } from './spelling.ts';
import type { MedicationKnowledge, NameEntry, Substance } from './types.ts';

export interface MedicationInput {
  name?: string;
  /** ATC or RxNorm; the system by short name or by its FHIR URI. */
  code?: { system: string; code: string };
  route?: string;
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
  substances: { id: string; name: string; atc: string[] }[];
  /** What the text was taken for (`match` spelling) or could mean. */
  suggestions: Suggestion[];
  route: string | null;
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
}

const NOTHING: Understood = { status: 'unresolved', match: null, substances: [], suggestions: [], route: null };

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
      substances: understood.substances.map((s) => ({ id: s.id, name: s.name, atc: s.atc })),
      suggestions: understood.suggestions,
      route: routeOf(input.route) ?? understood.route,
    },
  };
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
  const spelling = fromSpelling(knowledge, name);
  return spelling.status === 'unresolved' && parts ? parts : spelling;
}

/** The name without strength and form, then without salt. */
function plainName(knowledge: MedicationKnowledge, text: string): Understood | null {
  const { byName } = knowledge.names;
  const { name, route } = withoutForm(text);
  const formless = byName.get(name);
  if (formless) return { ...fromEntries(formless, null), route };
  const saltless = byName.get(withoutSalt(name));
  return saltless ? { ...fromEntries(saltless, 'salt'), route } : null;
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
 * A misspelt name is taken for a known one only when that one is near enough for its length and
 * every other drug is at least two slips further away; otherwise the candidates are only suggested.
 */
function fromSpelling(knowledge: MedicationKnowledge, text: string): Understood {
  const { name: formless, route } = withoutForm(text);
  const name = withoutSalt(formless);
  const forgiven = slipsForgiven(name.length);
  if (name.length < 3) return { ...NOTHING, route };
  const near = nearNames(knowledge.names, name, forgiven + 1);
  const nearest = new Map<string, Candidate>();
  for (const { key, distance } of near) {
    for (const entry of knowledge.names.byName.get(key) ?? [])
      if (!nearest.has(entry.target)) nearest.set(entry.target, { entry, matched: key, distance });
  }
  const candidates = [...nearest.values()];
  const suggestions = suggest(candidates);
  const [first] = candidates;
  if (!first) return { ...NOTHING, route };
  // A slip in the first letter is rare; a drug we do not know that differs from one we know there is not (medazepam, temazepam).
  const sameStart = first.matched.charAt(0) === name.charAt(0);
  if (first.distance > forgiven || !sameStart) return { ...NOTHING, suggestions, route };
  const meant = first.entry.substances;
  const rival = candidates.find((c) => !sameSubstances(c.entry.substances, meant));
  if (rival && rival.distance < first.distance + 2) return { ...NOTHING, status: 'ambiguous', suggestions, route };
  return { status: 'resolved', match: 'spelling', substances: meant, suggestions, route };
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
