import type { Knowledge } from '../../knowledge/types.ts';
import { leading, rankEvidence, resultOf, suggestionsOf } from './analyze.ts';
import { type Evidence, gatherEvidence } from './evidence.ts';
import { type Model, modelOf } from './model.ts';
import { raiseRedFlags } from './red-flags.ts';
import { textsOf, withFirstTexts } from './sources.ts';
import type { AnalysisInput, DiagnosticResult, RaisedFlag, RecognizedFinding, Suggestion } from './types.ts';

/** A stage of an analysis that has been completed. */
export type Stage =
  | { kind: 'finding'; finding: RecognizedFinding }
  | { kind: 'red_flag'; flag: RaisedFlag }
  | { kind: 'ranking'; texts_read: number; settled: boolean; suggestions: Suggestion[] }
  | { kind: 'result'; result: DiagnosticResult };

/** Most times that the ranking is made anew before all has been read: each costs as much as an analysis. */
const ROUNDS_MAX = 8;

/**
 * The same analysis as `analyze`, one stage at a time: what was recognised in the texts so far, each danger sign as
 * soon as a rule finds it, the ranking as it settles, and the result. Work is done only when the next stage is asked
 * for, so whoever stops asking ends it. A finding that later words take back is told again with its other state.
 * Pure: the same knowledge and input give the same stages.
 */
export function* analyzeInStages(knowledge: Knowledge, input: AnalysisInput): Generator<Stage, void, undefined> {
  const model = modelOf(knowledge);
  const told = { findings: new Map<string, boolean>(), flags: new Set<string>() };
  const { patientData, options } = input;
  for (const count of counts(textsOf(patientData).length)) {
    const partial = { ...input, patientData: withFirstTexts(patientData, count.read) };
    const evidence = gatherEvidence(model, partial);
    yield* news(model, evidence, told);
    const ranked = rankEvidence(model, evidence);
    const shown = leading(ranked, options);
    const suggestions = suggestionsOf(model, evidence, ranked, shown, options);
    yield { kind: 'ranking', texts_read: count.read, settled: count.isLast, suggestions };
    if (count.isLast) yield { kind: 'result', result: resultOf(model, evidence, ranked, shown, options) };
  }
}

/** After how many of the texts the ranking is made: after each of a few, after every so many of many. */
function counts(texts: number): { read: number; isLast: boolean }[] {
  const rounds = Math.max(1, Math.min(ROUNDS_MAX, texts));
  return Array.from({ length: rounds }, (_, at) => ({
    read: Math.ceil((texts * (at + 1)) / rounds),
    isLast: at === rounds - 1,
  }));
}

function* news(
  model: Model,
  evidence: Evidence,
  told: { findings: Map<string, boolean>; flags: Set<string> },
): Generator<Stage, void, undefined> {
  for (const finding of evidence.recognized) {
    if (told.findings.get(finding.finding_id) === finding.present) continue;
    told.findings.set(finding.finding_id, finding.present);
    yield { kind: 'finding', finding };
  }
  for (const flag of raiseRedFlags(model, evidence)) {
    if (told.flags.has(flag.id)) continue;
    told.flags.add(flag.id);
    yield { kind: 'red_flag', flag };
  }
}
