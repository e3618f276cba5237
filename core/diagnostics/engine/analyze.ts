import type { Knowledge } from '../../knowledge/types.ts';
import { confidenceOf } from './confidence.ts';
import { type Evidence, gatherEvidence } from './evidence.ts';
import { conflicting, missing, sourcesOf, supporting, treatmentsOf } from './explain.ts';
import { type Model, modelOf } from './model.ts';
import { type Ranked, rank } from './rank.ts';
import { raiseRedFlags } from './red-flags.ts';
import { triage } from './triage.ts';
import type { Analysis, AnalysisInput, Suggestion } from './types.ts';

/** Version of the method; the knowledge base carries its own. */
export const MODEL_VERSION = '1.0.0';

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
  const ranked = evidence.present.size === 0 ? [] : rank(model, evidence);
  const flags = raiseRedFlags(model, evidence);
  const withScores = input.options?.includeConfidenceScores ?? true;
  const count = Math.max(0, input.options?.maxResults ?? MAX_RESULTS_DEFAULT);
  return {
    diagnostic_result: {
      suggestions: ranked
        .slice(0, count)
        .filter((one, place) => place === 0 || one.posterior >= POSTERIOR_MIN)
        .map((one, place) => suggestion(model, evidence, ranked, one, place + 1, withScores)),
      red_flags: flags,
      triage: triage(flags, ranked, ranked.length > 0),
      recognized_findings: evidence.recognized,
      unrecognized: [...new Set(evidence.reading.unrecognized.map((one) => one.text))],
      model_version: MODEL_VERSION,
      knowledge_version: knowledge.version,
      disclaimer: DISCLAIMER,
    },
  };
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
  };
}
