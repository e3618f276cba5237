import type { Analysis, AnalysisInput } from '@perennial/core/diagnostics/engine/types.ts';
import type { Condition, Urgency } from '@perennial/core/knowledge/types.ts';
import { correctedError } from './calibration-error.ts';
import { type Estimate, shareOf } from './intervals.ts';
import { mapDiagnosis } from './map-diagnosis.ts';

/** A published or written case with its diagnosis. */
export interface EvaluationCase {
  id: string;
  /** Years. */
  age?: number;
  sex?: string;
  text: string;
  absentFindings?: string;
  history?: string;
  familyHistory?: string;
  socialHistory?: string;
  vitals?: NonNullable<AnalysisInput['patientData']['vitalSigns']>;
  diagnosis: string;
  /** One of the engine's five levels, or `emergency`, `non-emergency`, `self-care`. */
  triage?: string;
}

/** Calls the analyze operation and gives the `data` of its answer; may go over HTTP. */
export type Analyze = (input: AnalysisInput) => Promise<Analysis>;

export interface CaseResult {
  id: string;
  diagnosis: string;
  /** Condition ids the diagnosis stands for; empty where it cannot be mapped, which counts as a miss. */
  mapped: string[];
  /** Place of the first of them among the suggestions, or null. */
  rank: number | null;
  suggestions: { id: string; confidence: number | null; interval: { low: number; high: number } | null }[];
  triage: Urgency;
  triage_exact: boolean | null;
  triage_safe: boolean | null;
  latency_ms: number;
  unrecognized: string[];
}

export interface ReliabilityBin {
  from: number;
  to: number;
  count: number;
  mean_confidence: number;
  accuracy: number;
  /** Mean ends of the intervals given; null where the service gives none. */
  interval: { low: number; high: number } | null;
}

export interface Evaluation {
  cases: number;
  unmapped: string[];
  top1: number;
  top3: number;
  top5: number;
  triage: { cases: number; exact: number | null; safe: number | null };
  /** With 95 % intervals, of all cases and of each source: what stands before the last hyphen of their ids. */
  groups: GroupScore[];
  calibration: {
    brier: number;
    expected_calibration_error: number;
    /** The same without what so few cases would show of a perfectly calibrated engine; with its 95 % interval. */
    corrected_calibration_error: Estimate;
    /** Negative log likelihood of the diagnosis, per case, in nats; what is not among the suggestions counts as 1e-4. */
    log_loss: number;
    /** Share of suggestions whose bin was right as often as their intervals say; null where there are none. */
    interval_coverage: number | null;
    reliability: ReliabilityBin[];
  };
  latency_ms: { p50: number; p99: number; max: number };
  unrecognized: { phrase: string; count: number }[];
  results: CaseResult[];
}

const SYMPTOM_CHARS_MAX = 2000;
const HISTORY_CHARS_MAX = 4000;
const SEXES = new Set(['female', 'male', 'other']);

/** The request a case stands for: everything told goes in as text, as a patient or a clerk would send it. */
export function requestOf(one: EvaluationCase): AnalysisInput {
  const symptoms = chunks(one.text, SYMPTOM_CHARS_MAX);
  if (one.absentFindings !== undefined) symptoms.push(...chunks(denied(one.absentFindings), SYMPTOM_CHARS_MAX));
  const sex = one.sex?.trim().toLowerCase() ?? 'unknown';
  const patientData: AnalysisInput['patientData'] = { sex: SEXES.has(sex) ? sex : 'unknown', symptoms };
  // The contract counts completed years; an age in months is part of the text.
  if (one.age !== undefined) patientData.age = Math.floor(one.age);
  for (const part of ['history', 'familyHistory', 'socialHistory'] as const) {
    const text = one[part];
    if (text !== undefined && text !== '') patientData[part] = text.slice(0, HISTORY_CHARS_MAX);
  }
  if (one.vitals !== undefined) patientData.vitalSigns = one.vitals;
  return { patientData, options: { includeConfidenceScores: true, maxResults: 5 } };
}

/** "wheeze, no cough" as a list of what is absent: "No wheeze, no cough". */
function denied(list: string): string {
  return list
    .split(/[,;\n]+/)
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) =>
      /^(?:no|not|never|denies|denied|without|negative|absent|non)\b|n't\b/i.test(item) ? item : `No ${item}`,
    )
    .join(', ');
}

/** Parts of a text that are at most so long, divided between sentences or at least between words. */
function chunks(text: string, charsMax: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > charsMax) {
    const head = rest.slice(0, charsMax);
    const sentence = Math.max(head.lastIndexOf('. '), head.lastIndexOf(', '));
    const end = sentence > 0 ? sentence + 1 : Math.max(head.lastIndexOf(' '), 0) || charsMax;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return rest === '' ? parts : [...parts, rest];
}

export interface GroupScore {
  group: string;
  cases: number;
  top1: Estimate | null;
  top3: Estimate | null;
  top5: Estimate | null;
  triage_exact: Estimate | null;
  triage_safe: Estimate | null;
}

function groupsOf(results: CaseResult[]): GroupScore[] {
  const bySource = Map.groupBy(results, ({ id }) => id.replace(/-[^-]*$/, ''));
  const groups: [string, CaseResult[]][] = [['all', results], ...(bySource.size > 1 ? bySource : [])];
  return groups.map(([group, list]) => {
    const within = (places: number): Estimate | null =>
      shareOf(list.filter(({ rank }) => rank !== null && rank <= places).length, list.length);
    const triaged = list.filter((one) => one.triage_exact !== null);
    return {
      group,
      cases: list.length,
      top1: within(1),
      top3: within(3),
      top5: within(5),
      triage_exact: shareOf(triaged.filter((one) => one.triage_exact).length, triaged.length),
      triage_safe: shareOf(triaged.filter((one) => one.triage_safe).length, triaged.length),
    };
  });
}

/** Runs every case and measures accuracy, triage, calibration and latency. */
export async function evaluate(
  cases: EvaluationCase[],
  conditions: Condition[],
  analyze: Analyze,
): Promise<Evaluation> {
  const results: CaseResult[] = [];
  for (const one of cases) results.push(await runCase(one, conditions, analyze));
  const share = (count: number): number => round(results.length === 0 ? 0 : count / results.length);
  const within = (places: number): number =>
    share(results.filter((result) => result.rank !== null && result.rank <= places).length);
  const triaged = results.filter((result) => result.triage_exact !== null);
  const latencies = results.map((result) => result.latency_ms).sort((a, b) => a - b);
  return {
    cases: results.length,
    unmapped: results.filter((result) => result.mapped.length === 0).map((result) => result.diagnosis),
    top1: within(1),
    top3: within(3),
    top5: within(5),
    triage: {
      cases: triaged.length,
      exact: triaged.length === 0 ? null : round(triaged.filter((one) => one.triage_exact).length / triaged.length),
      safe: triaged.length === 0 ? null : round(triaged.filter((one) => one.triage_safe).length / triaged.length),
    },
    groups: groupsOf(results),
    calibration: calibrationOf(results),
    latency_ms: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), max: round(latencies.at(-1) ?? 0) },
    unrecognized: frequencies(results.flatMap((result) => result.unrecognized)),
    results,
  };
}

async function runCase(one: EvaluationCase, conditions: Condition[], analyze: Analyze): Promise<CaseResult> {
  const mapped = mapDiagnosis(one.diagnosis, conditions);
  const started = performance.now();
  const { diagnostic_result: result } = await analyze(requestOf(one));
  const latency = performance.now() - started;
  const place = result.suggestions.findIndex((suggestion) => mapped.includes(suggestion.condition.id));
  const wanted = one.triage === undefined ? null : triageBand(one.triage);
  const given = triageBand(result.triage.level);
  return {
    id: one.id,
    diagnosis: one.diagnosis,
    mapped,
    rank: place < 0 ? null : place + 1,
    suggestions: result.suggestions.map((suggestion) => ({
      id: suggestion.condition.id,
      confidence: suggestion.confidence?.estimate ?? null,
      interval: suggestion.confidence?.interval ?? null,
    })),
    triage: result.triage.level,
    triage_exact: wanted === null ? null : given === wanted,
    triage_safe: wanted === null ? null : given <= wanted,
    latency_ms: round(latency),
    unrecognized: result.unrecognized,
  };
}

/** 0 for emergency, 1 for anything a clinician should see, 2 for care at home. */
export function triageBand(level: string): number {
  const word = level.toLowerCase().replaceAll(/[\s_]+/g, '-');
  if (word === 'emergency' || word === 'emergent') return 0;
  return word === 'self-care' ? 2 : 1;
}

/** Brier score and reliability over every suggestion's confidence that it is the diagnosis. */
function calibrationOf(results: CaseResult[]): Evaluation['calibration'] {
  const pairs = results.flatMap((result) =>
    result.suggestions.map((suggestion) => ({
      confidence: suggestion.confidence ?? 0,
      interval: suggestion.interval,
      hit: result.mapped.includes(suggestion.id) ? 1 : 0,
    })),
  );
  const brier = mean(pairs.map((pair) => (pair.confidence - pair.hit) ** 2));
  const reliability: ReliabilityBin[] = [];
  for (let from = 0; from < 10; from += 1) {
    const inside = pairs.filter((pair) => Math.min(9, Math.floor(pair.confidence * 10)) === from);
    if (inside.length === 0) continue;
    reliability.push({
      from: from / 10,
      to: (from + 1) / 10,
      count: inside.length,
      mean_confidence: round(mean(inside.map((pair) => pair.confidence))),
      accuracy: round(mean(inside.map((pair) => pair.hit))),
      interval: meanInterval(inside.flatMap((pair) => pair.interval ?? [])),
    });
  }
  const error = reliability.reduce((sum, bin) => sum + bin.count * Math.abs(bin.accuracy - bin.mean_confidence), 0);
  return {
    brier: round(brier),
    expected_calibration_error: round(pairs.length === 0 ? 0 : error / pairs.length),
    corrected_calibration_error: correctedError(
      results.map(({ suggestions, mapped }) =>
        suggestions.map(({ id, confidence }) => ({ confidence: confidence ?? 0, hit: mapped.includes(id) ? 1 : 0 })),
      ),
    ),
    log_loss: round(mean(results.map(logLoss))),
    interval_coverage: coverage(reliability),
    reliability,
  };
}

function meanInterval(intervals: { low: number; high: number }[]): ReliabilityBin['interval'] {
  if (intervals.length === 0) return null;
  return { low: round(mean(intervals.map(({ low }) => low))), high: round(mean(intervals.map(({ high }) => high))) };
}

const PROBABILITY_MIN = 1e-4;

function logLoss(result: CaseResult): number {
  const said = result.suggestions.filter((one) => result.mapped.includes(one.id)).map((one) => one.confidence ?? 0);
  return -Math.log(Math.max(PROBABILITY_MIN, ...said));
}

/**
 * How many suggestions stand in a bin that agrees with its intervals: the mean interval and the 90 % range of the
 * observed accuracy (Wilson, 1927), which few suggestions make wide, have values in common.
 */
function coverage(reliability: ReliabilityBin[]): number | null {
  const bins = reliability.filter((bin) => bin.interval !== null);
  const all = bins.reduce((sum, bin) => sum + bin.count, 0);
  if (all === 0) return null;
  const covered = bins.filter((bin) => {
    const seen = wilson(bin.accuracy, bin.count);
    return seen.high >= bin.interval!.low && seen.low <= bin.interval!.high;
  });
  return round(covered.reduce((sum, bin) => sum + bin.count, 0) / all);
}

/** Standard normal quantile of a two-sided 90 % range. */
const QUANTILE = 1.645;

function wilson(share: number, count: number): { low: number; high: number } {
  const square = QUANTILE ** 2 / count;
  const middle = (share + square / 2) / (1 + square);
  const half = Math.sqrt(share * (1 - share) * square + square ** 2 / 4) / (1 + square);
  return { low: middle - half, high: middle + half };
}

function frequencies(phrases: string[]): { phrase: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const phrase of phrases) counts.set(phrase.toLowerCase(), (counts.get(phrase.toLowerCase()) ?? 0) + 1);
  return [...counts]
    .map(([phrase, count]) => ({ phrase, count }))
    .sort((a, b) => b.count - a.count || a.phrase.localeCompare(b.phrase));
}

function mean(values: number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length;
}

function quantile(sorted: number[], share: number): number {
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
