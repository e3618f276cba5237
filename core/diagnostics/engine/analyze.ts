import type { Knowledge } from '../../knowledge/types.ts';
import { confidenceOf } from './confidence.ts';
import { type Evidence, gatherEvidence } from './evidence.ts';
import { conflicting, missing, sourcesOf, supporting, treatmentsOf } from './explain.ts';
import { type Model, modelOf } from './model.ts';
import { type Ranked, rank } from './rank.ts';
import { raiseRedFlags } from './red-flags.ts';
import { triage } from './triage.ts';
import type { Analysis, AnalysisInput, AnalysisOptions, DiagnosticResult, Suggestion } from './types.ts';

/** Version of the method; the knowledge base carries its own. */
export const MODEL_VERSION = '1.2.0';

export const DISCLAIMER =
  'Decision support for health professionals, not a diagnosis. It can be wrong and does not replace an examination. In an emergency call the local emergency number.';

const MAX_RESULTS_DEFAULT = 5;
/** Below this a suggestion is noise, unless it leads. */
const POSTERIOR_MIN = 0.002;

/**
 * Analyses one patient: reads text and vital signs, ranks conditions, raises red flags and gives a triage level.
 * Pure: the same knowledge and input give the same answer. Ages in years, temperature in °C, pressures in mmHg,
 * rates per minute.
 */
export function analyze(knowledge: Knowledge, input: AnalysisInput): Analysis {
  const model = modelOf(knowledge);
  const evidence = gatherEvidence(model, input);
  const ranked = rankEvidence(model, evidence);
  return { diagnostic_result: resultOf(model, evidence, ranked, leading(ranked, input.options), input.options) };
}

/** Every condition in order, or none where nothing speaks for any. */
export function rankEvidence(model: Model, evidence: Evidence): Ranked[] {
  return evidence.present.size === 0 ? [] : rank(model, evidence);
}

/** The conditions that are worth showing: as many as asked for, without the noise below them. */
export function leading(ranked: Ranked[], options: AnalysisOptions = {}): Ranked[] {
  return ranked
    .slice(0, Math.max(0, options.maxResults ?? MAX_RESULTS_DEFAULT))
    .filter((one, place) => place === 0 || one.posterior >= POSTERIOR_MIN);
}

/**
 * The result of an analysis.
 * @param ranked every condition: triage and confidence look at all of them, whatever is shown.
 * @param shown those that become suggestions, in order.
 */
export function resultOf(
  model: Model,
  evidence: Evidence,
  ranked: Ranked[],
  shown: Ranked[],
  options: AnalysisOptions = {},
): DiagnosticResult {
  const flags = raiseRedFlags(model, evidence);
  const { languages, reading } = evidence;
  const told = {
    understood: evidence.recognized.length > 0,
    allRead: languages.every((one) => one.is_read),
    coverage: reading.coverage,
  };
  return {
    suggestions: suggestionsOf(model, evidence, ranked, shown, options),
    red_flags: flags,
    triage: triage(flags, ranked, told),
    recognized_findings: evidence.recognized,
    unrecognized: [...new Set(evidence.reading.unrecognized.map((one) => one.text))],
    understood: told.understood,
    languages,
    model_version: MODEL_VERSION,
    knowledge_version: model.knowledge.version,
    disclaimer: DISCLAIMER,
  };
}

/** The conditions shown, each explained. */
export function suggestionsOf(
  model: Model,
  evidence: Evidence,
  ranked: Ranked[],
  shown: Ranked[],
  options: AnalysisOptions = {},
): Suggestion[] {
  const withScores = options.includeConfidenceScores ?? true;
  return shown.map((one, place) => suggestion(model, evidence, ranked, one, place + 1, withScores));
}

function suggestion(
  model: Model,
  evidence: Evidence,
  ranked: Ranked[],
  one: Ranked,
  place: number,
  withScores: boolean,
): Suggestion {
  const { condition } = one.compiled;
  return {
    condition: { id: condition.id, name: condition.name, icd10: condition.icd10 },
    rank: place,
    confidence: withScores ? confidenceOf(one, ranked, evidence) : null,
    urgency: condition.urgency,
    supporting: supporting(model, one),
    conflicting: conflicting(model, one),
    missing: missing(model, one, ranked, evidence),
    treatments: treatmentsOf(model, one, evidence),
    sources: sourcesOf(model.knowledge, condition.sources),
    evidence: model.evidence.ofCondition(condition),
  };
}
