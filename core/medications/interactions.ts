import { produce, spend } from '../compute/work.ts';
import { matchAllergy, understandAllergy } from './allergies.ts';
import { matchGroups } from './groups.ts';
import {
  byWeight,
  certaintyRank,
  type Exposure,
  explain,
  type Finding,
  isInterruptive,
  isLocal,
  judgeSubstances,
  severityRank,
  type Work,
} from './judge.ts';
import { dayAfter, gapDays } from './lasting.ts';
import { LOCAL_ROUTES } from './names.ts';
import { type Concluded, factsMissing, type PatientContext, patientMeets, withFunctionByCode } from './patient.ts';
import {
  type MedicationInput,
  type Resolution,
  type ResolvedMedication,
  resolveMedication,
  type Suggestion,
} from './resolve.ts';
import { type Certainty, type MedicationKnowledge, SEVERITIES, type Severity } from './types.ts';

/** Version of the engine: changes when the same data would be judged differently. */
export const MODEL_VERSION = 'medication-rules-2.0.0';

export interface InteractionRequest {
  medications: readonly MedicationInput[];
  patient?: PatientContext;
  /** Default true. */
  includeFoodAndAlcohol?: boolean;
  /** The day of the check as `YYYY-MM-DD`, from which what was left off is reckoned; default today, UTC. */
  today?: string;
}

/** One entry of the list inside a finding; `substance` is the one that drives it, null when unresolved. */
export interface MedicationReference {
  /** Position in the request. */
  index: number;
  name: string;
  substance: string | null;
}

interface Judgement {
  severity: Severity;
  certainty: Certainty;
  interruptive: boolean;
  mechanism: string;
  effect: string;
  management: string;
  /** Ids of the rules that fired, heaviest first. */
  rules: string[];
  sources: string[];
}

export interface PairJudgement extends Judgement {
  a: MedicationReference;
  b: MedicationReference;
  /** Findings beside the one that decides. */
  also: Finding[];
}

export interface GroupFinding extends Judgement {
  title: string;
  medications: MedicationReference[];
}

export interface DuplicateFinding extends Judgement {
  kind: 'substance' | 'class';
  /** Name of the substance or class. */
  of: string;
  medications: MedicationReference[];
}

export interface FoodFinding extends Judgement {
  food: string;
  medication: MedicationReference;
}

export interface PatientWarning extends Judgement {
  kind: 'allergy' | 'condition' | 'age' | 'pregnancy' | 'lactation' | 'kidney' | 'liver';
  medication: MedicationReference;
}

export interface Unresolved {
  kind: 'medication' | 'allergy';
  /** Position in the request's medications or allergies. */
  index: number;
  text: string;
  status: 'ambiguous' | 'unresolved';
  suggestions: Suggestion[];
}

export interface InteractionCheck {
  medications: ResolvedMedication[];
  pairs: PairJudgement[];
  groups: GroupFinding[];
  duplicates: DuplicateFinding[];
  food: FoodFinding[];
  patient_warnings: PatientWarning[];
  /** Facts about a given patient that rules ask for and that were not given; empty when no patient was given. */
  patient_facts_missing: string[];
  /** Facts that were concluded from a code. */
  patient_facts_concluded: Concluded[];
  unresolved: Unresolved[];
  summary: {
    /** Pairs by severity. */
    by_severity: Record<Severity, number>;
    /** Worst over pairs, groups, duplicates, food and patient warnings. */
    highest: Severity;
    /** Findings of any kind worth interrupting for. */
    interruptive: number;
    /** False when anything could not be judged. */
    complete: boolean;
  };
  knowledge_version: string;
  model_version: string;
  disclaimer: string;
}

/** Work of judging two substances. */
const PAIR_UNITS = 50;

interface Entry extends Resolution {
  index: number;
  name: string;
  exposures: Exposure[];
  /** False for unresolved entries and for substances nobody has profiled. */
  judgeable: boolean;
}

/**
 * Checks a medication list: every pair, three or more together, duplicates, food and alcohol and, with a patient,
 * allergies, conditions, age, pregnancy, lactation, kidney and liver. Pure and synchronous; the order of the request
 * never changes what is found. A pair that cannot be judged is `unknown`, never `none_known`.
 * @param work counts rule words and substance pairs, for tests that bound the work
 */
export function checkInteractions(
  knowledge: MedicationKnowledge,
  request: InteractionRequest,
  work?: Work,
): InteractionCheck {
  const entries = request.medications.map((input, index) => entryOf(resolveMedication(knowledge, input), index));
  const { patient, concluded } = request.patient
    ? withFunctionByCode(request.patient)
    : { patient: undefined, concluded: [] };
  const today = request.today ?? new Date().toISOString().slice(0, 10);
  const context: PairContext = { knowledge, patient, today, work };
  const pairs: PairJudgement[] = [];
  for (const [i, first] of entries.entries()) {
    for (const second of entries.slice(i + 1)) {
      const pair = judgePair(context, first, second);
      produce(1 + pair.also.length);
      pairs.push(pair);
    }
  }
  pairs.sort((x, y) => weigh(x, y) || compare(x.a, y.a) || compare(x.b, y.b));
  const taken = entries.filter((e) => !isOver(knowledge, e, today));
  const groups = findGroups(knowledge, taken);
  const duplicates = findDuplicates(knowledge, taken);
  const food = (request.includeFoodAndAlcohol ?? true) ? findFood(knowledge, taken) : [];
  const unresolved: Unresolved[] = entries
    .filter((e) => e.medication.status !== 'resolved')
    .map((e) => ({
      kind: 'medication',
      index: e.index,
      text: e.name,
      status: e.medication.status === 'ambiguous' ? 'ambiguous' : 'unresolved',
      suggestions: e.medication.suggestions,
    }));
  const warnings = patient ? findPatientWarnings(knowledge, taken, patient, unresolved, concluded) : [];
  const everything: Judgement[] = [...pairs, ...groups, ...duplicates, ...food, ...warnings];
  const counts = Object.fromEntries(SEVERITIES.map((s) => [s, 0])) as Record<Severity, number>;
  for (const pair of pairs) counts[pair.severity] += 1;
  const complete = unresolved.length === 0 && entries.every((e) => e.judgeable);
  let highest: Severity = complete ? 'none_known' : 'unknown';
  for (const { severity } of everything) if (severityRank(severity) < severityRank(highest)) highest = severity;
  return {
    medications: entries.map((e) => e.medication),
    pairs,
    groups,
    duplicates,
    food,
    patient_warnings: warnings,
    patient_facts_missing: patient ? factsMissing(patient) : [],
    patient_facts_concluded: [...concluded],
    unresolved,
    summary: { by_severity: counts, highest, interruptive: everything.filter((j) => j.interruptive).length, complete },
    knowledge_version: knowledge.version,
    model_version: MODEL_VERSION,
    disclaimer: knowledge.disclaimer,
  };
}

function entryOf(resolution: Resolution, index: number): Entry {
  const { medication, substances } = resolution;
  const written = medication.input.name?.trim() || medication.input.code?.code || '';
  const resolved = medication.status === 'resolved';
  return {
    ...resolution,
    index,
    name: resolved ? substances.map((s) => s.name).join(' / ') : written,
    exposures: substances.map((substance) => ({
      substance,
      route: medication.route,
      dailyMg: substances.length === 1 ? medication.dosage.dailyMg : null,
    })),
    judgeable: resolved && substances.every((s) => s.profiled),
  };
}

const refer = (entry: Entry, substance: string | null): MedicationReference => ({
  index: entry.index,
  name: entry.name,
  substance,
});

const compare = (x: MedicationReference, y: MedicationReference): number =>
  x.name < y.name ? -1 : x.name > y.name ? 1 : x.index - y.index;

const weigh = (x: Judgement, y: Judgement): number =>
  severityRank(x.severity) - severityRank(y.severity) || certaintyRank(x.certainty) - certaintyRank(y.certainty);

/** Heaviest finding first decides; the ids and sources of the others are kept. */
function judgement(findings: readonly [Finding, ...Finding[]]): Judgement {
  const [top] = findings;
  return {
    severity: top.severity,
    certainty: top.certainty,
    interruptive: isInterruptive(top.severity, top.certainty),
    mechanism: top.mechanism,
    effect: top.effect,
    management: top.management,
    rules: [...new Set(findings.map((f) => f.rule))],
    sources: [...new Set(findings.flatMap((f) => f.sources))],
  };
}

interface PairContext {
  readonly knowledge: MedicationKnowledge;
  readonly patient: PatientContext | undefined;
  readonly today: string;
  readonly work: Work | undefined;
}

function judgePair(context: PairContext, x: Entry, y: Entry): PairJudgement {
  const { knowledge, patient, today, work } = context;
  spend(PAIR_UNITS * x.exposures.length * y.exposures.length);
  const [first, second] = x.name < y.name || (x.name === y.name && x.index < y.index) ? [x, y] : [y, x];
  const findings: { finding: Finding; a: string; b: string }[] = [];
  for (const p of first.exposures) {
    for (const q of second.exposures) {
      const a = p.substance.id;
      const b = q.substance.id;
      if (p.substance === q.substance) findings.push({ finding: sameSubstance(p, q), a, b });
      else {
        for (const finding of judgeSubstances(knowledge, p, q, work, patient)) findings.push({ finding, a, b });
        for (const finding of sameClass(knowledge, p, q)) findings.push({ finding, a, b });
      }
    }
  }
  const judgeable = first.judgeable && second.judgeable;
  // Most pairs of a list have no finding: they are answered before anything is sorted or copied.
  if (findings.length === 0)
    return { ...referBoth(first, second), ...(judgeable ? noneKnown() : unknown(first, second)), also: [] };
  const apart = gapDays(first.medication.input, second.medication.input, today);
  if (apart) {
    const ended = apart.stopped === 'x' ? first : second;
    const days = daysActive(knowledge, ended);
    if (days !== null && apart.days > days)
      return { ...referBoth(first, second), ...over(ended, apart.days, days), also: [] };
    for (const { finding } of findings) finding.management = `${still(knowledge, ended)} ${finding.management}`;
  }
  const heavier = byWeight(knowledge);
  findings.sort((f, g) => heavier(f.finding, g.finding) || (f.a < g.a ? -1 : 1));
  const [top, ...rest] = findings;
  if (!top || (!judgeable && severityRank(top.finding.severity) > severityRank('unknown'))) {
    return { ...referBoth(first, second), ...unknown(first, second), also: findings.map((f) => f.finding) };
  }
  return {
    a: refer(first, top.a),
    b: refer(second, top.b),
    ...judgement([top.finding, ...rest.map((f) => f.finding)]),
    also: rest.map((f) => f.finding),
  };
}

const referBoth = (a: Entry, b: Entry): { a: MedicationReference; b: MedicationReference } => ({
  a: refer(a, a.exposures[0]?.substance.id ?? null),
  b: refer(b, b.exposures[0]?.substance.id ?? null),
});

const noneKnown = (): Judgement => ({
  severity: 'none_known',
  certainty: 'probable',
  interruptive: false,
  mechanism: 'Both were profiled, and no rule, named pair or list entry applies.',
  effect: 'None known.',
  management: 'No specific measure.',
  rules: [],
  sources: [],
});

/** Days for which a medication acts after it was left off; null where that is not known. */
function daysActive(knowledge: MedicationKnowledge, entry: Entry): number | null {
  const days = entry.exposures.map(({ substance }) => knowledge.lasting.get(substance.id)?.days ?? null);
  return days.length === 0 || days.includes(null) ? null : Math.max(...days.map((each) => each ?? 0));
}

/** Whether it was left off so long ago that it acts no longer. */
function isOver(knowledge: MedicationKnowledge, entry: Entry, today: string): boolean {
  const apart = gapDays(entry.medication.input, {}, today);
  const days = apart?.stopped === 'x' ? daysActive(knowledge, entry) : null;
  return apart !== null && days !== null && apart.days > days;
}

const over = (ended: Entry, gap: number, days: number): Judgement => ({
  severity: 'none_known',
  certainty: 'probable',
  interruptive: false,
  mechanism: `${capital(ended.name)} was left off ${gap} days before and acts for about ${days} days.`,
  effect: 'None known: the two do not overlap.',
  management: 'No specific measure.',
  rules: [],
  sources: ['label'],
});

/** Says how long what was left off goes on acting. */
function still(knowledge: MedicationKnowledge, ended: Entry): string {
  const { stoppedOn } = ended.medication.input;
  const days = daysActive(knowledge, ended);
  if (stoppedOn === undefined || days === null)
    return `${capital(ended.name)} was left off; how long it acts is not known here, so it is judged as if taken.`;
  const because = ended.exposures.map(({ substance }) => knowledge.lasting.get(substance.id)?.because).find(Boolean);
  return `${capital(ended.name)} was left off on ${stoppedOn} and acts until about ${dayAfter(stoppedOn, days)}${because ? ` (${because})` : ''}.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function unknown(x: Entry, y: Entry): Judgement {
  const open = [x, y].filter((e) => !e.judgeable).map((e) => e.name || 'an entry without name or code');
  return {
    severity: 'unknown',
    certainty: 'theoretical',
    interruptive: false,
    mechanism: `Not judged: ${[...new Set(open)].join(' and ')} could not be identified or has not been profiled.`,
    effect: 'Unknown; this does not mean that the combination is safe.',
    management: 'Correct the entry or ask a pharmacist.',
    rules: [],
    sources: [],
  };
}

const isLocalExposure = (exposure: Exposure): boolean => exposure.route !== null && isLocal(exposure);

function sameSubstance(p: Exposure, q: Exposure): Finding {
  const local = isLocalExposure(p) || isLocalExposure(q);
  return {
    rule: 'duplicate-substance',
    severity: local ? 'minor' : 'major',
    certainty: 'established',
    mechanism: `Both contain ${p.substance.name}.`,
    effect: 'Double dose.',
    management: 'Check whether both are meant; add up the daily dose.',
    sources: ['label'],
  };
}

const NO_FINDINGS: readonly Finding[] = [];

function sameClass(knowledge: MedicationKnowledge, x: Exposure, y: Exposure): readonly Finding[] {
  if (isLocalExposure(x) || isLocalExposure(y)) return NO_FINDINGS;
  const [p, q] = x.substance.index <= y.substance.index ? [x, y] : [y, x];
  let findings = NO_FINDINGS;
  for (const id of p.substance.classes) {
    const shared = knowledge.classes.get(id);
    if (!shared?.duplicate || !q.substance.classes.includes(id)) continue;
    const finding: Finding = {
      rule: `duplicate-${id}`,
      severity: shared.duplicate,
      certainty: 'probable',
      mechanism: `Two of one class (${shared.name}): ${p.substance.name} and ${q.substance.name}.`,
      effect: 'Duplicate therapy: more adverse effects without more benefit.',
      management: 'Check whether both are meant.',
      sources: ['label'],
    };
    findings = [...findings, finding];
  }
  return findings;
}

function findDuplicates(knowledge: MedicationKnowledge, entries: readonly Entry[]): DuplicateFinding[] {
  const bySubstance = new Map<string, { entry: Entry; exposure: Exposure }[]>();
  const byClass = new Map<string, { entry: Entry; exposure: Exposure }[]>();
  for (const entry of entries) {
    for (const exposure of entry.exposures) {
      add(bySubstance, exposure.substance.id, { entry, exposure });
      if (isLocalExposure(exposure)) continue;
      for (const id of exposure.substance.classes)
        if (knowledge.classes.get(id)?.duplicate) add(byClass, id, { entry, exposure });
    }
  }
  const found: DuplicateFinding[] = [];
  const report = (kind: 'substance' | 'class', of: string, finding: Finding, members: Member[]): void => {
    const medications = members.map((m) => refer(m.entry, m.exposure.substance.id)).sort(compare);
    found.push({ kind, of, medications, ...judgement([finding]) });
  };
  for (const members of bySubstance.values()) {
    // Those that reach the circulation first: a cream beside two tablets does not make the tablets harmless.
    members.sort((x, y) => Number(isLocalExposure(x.exposure)) - Number(isLocalExposure(y.exposure)));
    const [p, q] = members;
    if (p && q) report('substance', p.exposure.substance.name, sameSubstance(p.exposure, q.exposure), members);
  }
  for (const [id, members] of byClass) {
    const others = new Map(members.map((m) => [m.exposure.substance.id, m]));
    const entriesInvolved = new Set(members.map((m) => m.entry));
    const [p, q] = [...others.values()].sort((x, y) => x.exposure.substance.index - y.exposure.substance.index);
    if (!p || !q || entriesInvolved.size < 2) continue;
    const [finding] = sameClass(knowledge, p.exposure, q.exposure).filter((f) => f.rule === `duplicate-${id}`);
    if (finding) report('class', knowledge.classes.get(id)?.name ?? id, finding, members);
  }
  return found.sort((x, y) => weigh(x, y) || (x.of < y.of ? -1 : 1));
}

interface Member {
  entry: Entry;
  exposure: Exposure;
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

function findGroups(knowledge: MedicationKnowledge, entries: readonly Entry[]): GroupFinding[] {
  const holders = new Map<number, Member[]>();
  for (const entry of entries) {
    for (const exposure of entry.exposures) {
      if (!isLocalExposure(exposure)) add(holders, exposure.substance.index, { entry, exposure });
    }
  }
  return matchGroups(
    knowledge,
    [...holders.keys()].sort((x, y) => x - y),
  )
    .map(({ rule, substances }) => ({
      title: rule.title,
      medications: substances
        .flatMap((s) => holders.get(s) ?? [])
        .map((m) => refer(m.entry, m.exposure.substance.id))
        .sort(compare),
      ...judgement([explain(rule, '', '')]),
    }))
    .sort((x, y) => weigh(x, y) || (x.title < y.title ? -1 : 1));
}

function findFood(knowledge: MedicationKnowledge, entries: readonly Entry[]): FoodFinding[] {
  const found = new Map<string, FoodFinding>();
  for (const entry of entries) {
    for (const { substance, route } of entry.exposures) {
      if (route && LOCAL_ROUTES.has(route)) continue;
      for (const { rule, medication } of knowledge.foods) {
        if (!medication.has(substance.index)) continue;
        const finding: FoodFinding = {
          food: rule.food,
          medication: refer(entry, substance.id),
          ...judgement([explain(rule, rule.food, substance.name)]),
        };
        // One line per food and medication: the heaviest.
        const key = `${entry.index} ${rule.food}`;
        const held = found.get(key);
        if (!held || weigh(finding, held) < 0) found.set(key, finding);
      }
    }
  }
  return [...found.values()].sort(
    (x, y) => weigh(x, y) || (x.food < y.food ? -1 : x.food > y.food ? 1 : compare(x.medication, y.medication)),
  );
}

function findPatientWarnings(
  knowledge: MedicationKnowledge,
  entries: readonly Entry[],
  patient: PatientContext,
  unresolved: Unresolved[],
  concluded: readonly Concluded[],
): PatientWarning[] {
  const found: PatientWarning[] = [];
  const allergies = (patient.allergies ?? []).map((allergy) => understandAllergy(knowledge, allergy));
  for (const [index, allergy] of allergies.entries()) {
    if (allergy.substances.length > 0 || allergy.groups.length > 0) continue;
    unresolved.push({
      kind: 'allergy',
      index,
      text: allergy.text,
      status: 'unresolved',
      suggestions: allergy.suggestions,
    });
  }
  const met = knowledge.patientRules.filter(({ rule }) => patientMeets(rule.when, patient));
  for (const entry of entries) {
    for (const exposure of entry.exposures) {
      const { substance } = exposure;
      const medication = refer(entry, substance.id);
      for (const allergy of allergies) {
        const match = matchAllergy(knowledge, allergy, substance);
        if (match) found.push({ kind: 'allergy', medication, ...judgement([match]) });
      }
      for (const { rule, medication: meant } of met) {
        if (!meant.has(substance.index)) continue;
        const finding = explain(rule, substance.name, substance.name);
        const from = concluded.find(({ fact }) => fact === factOf(rule.when));
        if (from) finding.mechanism = `By the code ${from.code}: ${finding.mechanism}`;
        if (isLocalExposure(exposure)) {
          finding.severity = 'minor';
          finding.management = `Little is absorbed from this route. With systemic use: ${finding.management}`;
        }
        found.push({ kind: kindOf(rule.when), medication, ...judgement([finding]) });
      }
    }
  }
  return found.sort(
    (x, y) => weigh(x, y) || compare(x.medication, y.medication) || ((x.rules[0] ?? '') < (y.rules[0] ?? '') ? -1 : 1),
  );
}

function factOf(when: object): Concluded['fact'] | undefined {
  if ('egfr_below' in when || 'egfr_min' in when) return 'egfr';
  return 'child_pugh' in when ? 'childPugh' : undefined;
}

function kindOf(when: object): PatientWarning['kind'] {
  if ('conditions' in when || 'neutrophils_below' in when || 'platelets_below' in when) return 'condition';
  if ('potassium_above' in when || 'potassium_below' in when) return 'condition';
  if ('pregnant' in when) return 'pregnancy';
  if ('lactating' in when) return 'lactation';
  if ('egfr_below' in when || 'egfr_min' in when) return 'kidney';
  return 'child_pugh' in when ? 'liver' : 'age';
}
