import type { Knowledge } from '../../knowledge/types.ts';
import { leading, resultOf } from './analyze.ts';
import { type ResolvedCandidate, resolveCandidates } from './candidates.ts';
import { type Comparison, compare } from './compare.ts';
import { gatherEvidence } from './evidence.ts';
import { modelOf } from './model.ts';
import { entropyOf, type NextStep, nextSteps } from './next-steps.ts';
import { type Ranked, rank } from './rank.ts';
import type { AnalysisInput, DiagnosticResult } from './types.ts';

/** What a differential diagnosis has beside its ranking. */
export interface DifferentialDetail {
  candidates: ResolvedCandidate[];
  comparisons: Comparison[];
  /** Bits. */
  uncertainty: number;
  next_steps: NextStep[];
}

export interface Differential {
  diagnostic_result: DiagnosticResult;
  differential: DifferentialDetail;
}

/**
 * Compares conditions with each other: those given, or else the likeliest of all. Red flags, triage and confidence
 * look at every condition, so that a list of candidates that leaves out the dangerous one hides nothing.
 * Pure, as `analyze` is.
 */
export function differentiate(
  knowledge: Knowledge,
  input: AnalysisInput,
  candidates: readonly string[] = [],
): Differential {
  const model = modelOf(knowledge);
  const evidence = gatherEvidence(model, input);
  const resolved = resolveCandidates(model, candidates);
  const isKnown = evidence.present.size > 0;
  // Candidates are ranked even where nothing is known: by how common they are, and the next steps say what to ask.
  const all = isKnown || candidates.length > 0 ? rank(model, evidence) : [];
  const compared = comparedOf(all, resolved, candidates.length > 0, input);
  return {
    diagnostic_result: resultOf(model, evidence, isKnown ? all : [], compared, input.options),
    differential: {
      candidates: resolved,
      comparisons: compared.slice(1).map((lower, at) => compare(model, compared[at]!, lower)),
      uncertainty: Math.round(entropyOf(compared) * 1000) / 1000,
      next_steps: nextSteps(model, evidence, compared),
    },
  };
}

function comparedOf(all: Ranked[], resolved: ResolvedCandidate[], areGiven: boolean, input: AnalysisInput): Ranked[] {
  if (!areGiven) return leading(all, input.options);
  const wanted = new Set(resolved.flatMap(({ conditions }) => conditions.map(({ condition_id }) => condition_id)));
  return all.filter(({ compiled }) => wanted.has(compiled.condition.id));
}
