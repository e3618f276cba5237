import { checkInteractions } from '@perennial/core/medications/interactions.ts';
import { severityRank } from '@perennial/core/medications/judge.ts';
import type { MedicationKnowledge, Severity } from '@perennial/core/medications/types.ts';

/** One pair that an authority has judged. */
export interface ReferencePair {
  a: string;
  b: string;
  /** Our words, or those lists use: high_priority, non_interruptive, low, severe, none … */
  severity: string;
}

/** The level at which a reference label expects an alert; `non_interruptive` expects none at major or above. */
type Expectation = 'contraindicated' | 'major' | 'moderate' | 'minor' | 'none_known' | 'non_interruptive';

const LABELS: Readonly<Record<string, Expectation>> = {
  contraindicated: 'contraindicated',
  contraindication: 'contraindicated',
  x: 'contraindicated',
  major: 'major',
  severe: 'major',
  serious: 'major',
  high: 'major',
  high_priority: 'major',
  critical: 'major',
  d: 'major',
  moderate: 'moderate',
  c: 'moderate',
  medium: 'moderate',
  minor: 'minor',
  mild: 'minor',
  b: 'minor',
  none: 'none_known',
  none_known: 'none_known',
  no_interaction: 'none_known',
  a: 'none_known',
  non_interruptive: 'non_interruptive',
  noninterruptive: 'non_interruptive',
  low: 'non_interruptive',
  low_priority: 'non_interruptive',
};

export interface SensitivityRow {
  severity: Expectation;
  pairs: number;
  /** Judged at this severity or worse. */
  detected: number;
  /** detected / pairs. */
  sensitivity: number;
  /** Judged major or contraindicated. */
  alerted: number;
  /** Names of both sides unresolved or ambiguous count here and never as detected. */
  unknown: number;
  /** Judged at each level or worse, of all pairs. */
  at: Record<'contraindicated' | 'major' | 'moderate' | 'minor', Share>;
}

/** A share with its 95 % interval after Wilson (Journal of the American Statistical Association 1927). */
export interface Share {
  of: number;
  part: number;
  share: number;
  low: number;
  high: number;
}

export interface InteractionEvaluation {
  pairs: number;
  by_severity: SensitivityRow[];
  /** Reference contraindicated or major, judged contraindicated or major. */
  high_priority: { pairs: number; detected: number; sensitivity: number; missed: JudgedPair[] };
  /** Reference non-interruptive, minor or none, judged contraindicated or major. */
  non_interruptive: {
    pairs: number;
    alerted: number;
    share: number;
    /** Of the pairs whose names were both understood. */
    understood: Share;
    alerts: JudgedPair[];
  };
  /** Distinct names that were identified. */
  names: Share;
  /** Pairs whose check says that something could not be judged. */
  partial: Share;
  unresolved_names: { name: string; suggestions: string[] }[];
  unknown_labels: string[];
  knowledge_version: string;
  model_version: string;
}

export interface JudgedPair {
  a: string;
  b: string;
  expected: string;
  judged: Severity;
  rules: string[];
}

/**
 * Reads a reference list: a JSON array of `{a, b, severity}`.
 * @throws {Error} naming the first entry that has another shape
 */
export function readReference(json: string): ReferencePair[] {
  const data: unknown = JSON.parse(json);
  if (!Array.isArray(data)) throw new Error('a reference list is a JSON array of {a, b, severity}');
  return data.map((entry: unknown, i) => {
    const { a, b, severity } = (entry ?? {}) as Record<string, unknown>;
    if (typeof a !== 'string' || typeof b !== 'string' || typeof severity !== 'string')
      throw new Error(`entry ${i} of the reference list is not {a, b, severity}`);
    return { a, b, severity };
  });
}

/** What was answered about one pair. */
export interface JudgedAnswer {
  severity: Severity;
  rules: string[];
  unresolved: { text: string; suggestions: string[] }[];
  /** Whether something could not be judged. */
  partial: boolean;
  knowledgeVersion: string;
  modelVersion: string;
}

/** Whether the label of a reference pair says what is expected; the others are only listed. */
export const isUnderstood = ({ severity }: ReferencePair): boolean => expectationOf(severity) !== undefined;

/** Judges every reference pair with the engine itself. */
export function evaluateInteractions(
  knowledge: MedicationKnowledge,
  reference: readonly ReferencePair[],
): InteractionEvaluation {
  return scoreAnswers(
    reference,
    reference.map(({ a, b }) => {
      const check = checkInteractions(knowledge, {
        medications: [{ name: a }, { name: b }],
        includeFoodAndAlcohol: false,
      });
      return {
        severity: check.pairs[0]?.severity ?? 'unknown',
        rules: check.pairs[0]?.rules ?? [],
        unresolved: check.unresolved.map(({ text, suggestions }) => ({
          text,
          suggestions: suggestions.map(({ name }) => name),
        })),
        partial: !check.summary.complete,
        knowledgeVersion: check.knowledge_version,
        modelVersion: check.model_version,
      };
    }),
  );
}

function expectationOf(severity: string): Expectation | undefined {
  const word = severity
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return Object.hasOwn(LABELS, word) ? LABELS[word] : undefined;
}

/**
 * Counts what an authority would have wanted seen, and what not.
 * @param answers one for each pair, wherever they come from.
 */
export function scoreAnswers(
  reference: readonly ReferencePair[],
  answers: readonly (JudgedAnswer | undefined)[],
): InteractionEvaluation {
  const rows = new Map<Expectation, SensitivityRow>();
  const unresolved = new Map<string, string[]>();
  const unknownLabels = new Set<string>();
  const missed: JudgedPair[] = [];
  const alerts: JudgedPair[] = [];
  const names = new Set<string>();
  let partial = 0;
  let judgedPairs = 0;
  let lowUnderstood = 0;
  let lowAlerted = 0;
  let knowledgeVersion = '';
  let modelVersion = '';
  for (const [index, { a, b, severity }] of reference.entries()) {
    const expected = expectationOf(severity);
    if (!expected) {
      unknownLabels.add(severity);
      continue;
    }
    const answer = answers[index];
    if (!answer) throw new Error(`pair ${index} of the reference list was not judged`);
    ({ knowledgeVersion, modelVersion } = answer);
    for (const { text, suggestions } of answer.unresolved) unresolved.set(text, suggestions);
    const judged = answer.severity;
    const level = expected === 'non_interruptive' ? 'minor' : expected;
    const row = rows.get(expected) ?? {
      severity: expected,
      pairs: 0,
      detected: 0,
      sensitivity: 0,
      alerted: 0,
      unknown: 0,
      at: { contraindicated: share(0, 0), major: share(0, 0), moderate: share(0, 0), minor: share(0, 0) },
    };
    rows.set(expected, row);
    const isAlerted = severityRank(judged) <= severityRank('major');
    row.pairs += 1;
    for (const each of LEVELS) {
      // What could not be judged is no alert, though it ranks above minor.
      const reached = judged !== 'unknown' && severityRank(judged) <= severityRank(each);
      row.at[each] = share(row.at[each].part + Number(reached), row.pairs);
    }
    names.add(a);
    names.add(b);
    judgedPairs += 1;
    partial += Number(answer.partial);
    if (expected === 'non_interruptive' || expected === 'minor' || expected === 'none_known') {
      lowUnderstood += Number(answer.unresolved.length === 0);
      lowAlerted += Number(answer.unresolved.length === 0 && isAlerted);
    }
    if (judged === 'unknown') row.unknown += 1;
    else if (severityRank(judged) <= severityRank(level)) row.detected += 1;
    if (isAlerted) row.alerted += 1;
    const told: JudgedPair = { a, b, expected: severity, judged, rules: answer.rules };
    const wanted = expected === 'contraindicated' || expected === 'major';
    if (wanted && !isAlerted) missed.push(told);
    if (!wanted && expected !== 'moderate' && isAlerted) alerts.push(told);
  }
  for (const row of rows.values()) row.sensitivity = row.detected / row.pairs;
  const order: Expectation[] = ['contraindicated', 'major', 'moderate', 'minor', 'non_interruptive', 'none_known'];
  const bySeverity = order.map((s) => rows.get(s)).filter((r): r is SensitivityRow => r !== undefined);
  const count = (of: readonly Expectation[]): number =>
    bySeverity.filter((r) => of.includes(r.severity)).reduce((sum, r) => sum + r.pairs, 0);
  const high = count(['contraindicated', 'major']);
  const low = count(['minor', 'non_interruptive', 'none_known']);
  return {
    pairs: reference.length,
    by_severity: bySeverity,
    high_priority: {
      pairs: high,
      detected: high - missed.length,
      sensitivity: ratio(high - missed.length, high),
      missed,
    },
    non_interruptive: {
      pairs: low,
      alerted: alerts.length,
      share: ratio(alerts.length, low),
      understood: share(lowAlerted, lowUnderstood),
      alerts,
    },
    names: share(names.size - [...names].filter((name) => unresolved.has(name)).length, names.size),
    partial: share(partial, judgedPairs),
    unresolved_names: [...unresolved].map(([name, suggestions]) => ({ name, suggestions })),
    unknown_labels: [...unknownLabels],
    knowledge_version: knowledgeVersion,
    model_version: modelVersion,
  };
}

const LEVELS = ['contraindicated', 'major', 'moderate', 'minor'] as const;
const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
/** Standard deviations that hold 95 % of a normal distribution. */
const Z = 1.959964;

function share(part: number, of: number): Share {
  if (of === 0) return { of, part, share: 0, low: 0, high: 1 };
  const p = part / of;
  const middle = p + (Z * Z) / (2 * of);
  const half = Z * Math.sqrt((p * (1 - p)) / of + (Z * Z) / (4 * of * of));
  const whole = 1 + (Z * Z) / of;
  return { of, part, share: p, low: Math.max(0, (middle - half) / whole), high: Math.min(1, (middle + half) / whole) };
}

/** The evaluation as a table for people; the JSON beside it is the object itself. */
export function formatEvaluation(evaluation: InteractionEvaluation): string {
  const percent = (x: number): string => `${(100 * x).toFixed(1)} %`;
  const told = (x: Share): string =>
    `${percent(x.share)} (${(100 * x.low).toFixed(1)} to ${(100 * x.high).toFixed(1)})`;
  const lines = [
    ['reference severity', 'pairs', 'detected', 'sensitivity', ...LEVELS.map((each) => `${each} or worse`), 'unknown'],
    ...evaluation.by_severity.map((r) => [
      r.severity,
      String(r.pairs),
      String(r.detected),
      percent(r.sensitivity),
      ...LEVELS.map((each) => told(r.at[each])),
      String(r.unknown),
    ]),
  ];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const table = lines.map((line) =>
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const { high_priority: high, non_interruptive: low } = evaluation;
  return [
    ...table,
    '',
    `high priority judged major or above: ${high.detected} of ${high.pairs} (${percent(high.sensitivity)}; goal at least 95 %)`,
    `names identified: ${evaluation.names.part} of ${evaluation.names.of}, ${told(evaluation.names)}`,
    `checks that say they are partial: ${evaluation.partial.part} of ${evaluation.partial.of}, ${told(evaluation.partial)}`,
    `non-interruptive judged major or above: ${low.alerted} of ${low.pairs} (${percent(low.share)}; goal at most 3 %); of those understood ${low.understood.part} of ${low.understood.of}, ${told(low.understood)}`,
    ...high.missed.map((p) => `  missed: ${p.a} + ${p.b} (${p.expected}, judged ${p.judged})`),
    ...low.alerts.map((p) => `  alerted: ${p.a} + ${p.b} (${p.expected}, judged ${p.judged}: ${p.rules.join(', ')})`),
    `unresolved names: ${evaluation.unresolved_names.map((u) => u.name).join(', ') || 'none'}`,
    ...(evaluation.unknown_labels.length > 0 ? [`labels not understood: ${evaluation.unknown_labels.join(', ')}`] : []),
    `knowledge ${evaluation.knowledge_version}, model ${evaluation.model_version}`,
  ].join('\n');
}
