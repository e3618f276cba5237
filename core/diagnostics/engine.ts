import type { DifferentialDetail } from '@perennial/schemas/resources/diagnostic.ts';
import { type Care, careOf } from '../knowledge/care.ts';
import type { Knowledge } from '../knowledge/types.ts';
import type { TreatmentUses } from '../medications/treatments.ts';
import { analyze, DISCLAIMER, MODEL_VERSION } from './engine/analyze.ts';
import { differentiate } from './engine/differential.ts';
import { knownFindings } from './engine/known.ts';
import { modelOf } from './engine/model.ts';
import { denialsOf, type ElsewhereRecognized, type Parsed, parse } from './engine/parse.ts';
import { type PlacedText, textsOf } from './engine/sources.ts';
import { analyzeInStages, type Stage } from './engine/stages.ts';
import type { AnalysisInput, DiagnosticResult, KnownFinding, PatientData } from './engine/types.ts';

/** What a result rests on, and what it is and is not. */
export interface Provenance {
  readonly model_version: string;
  readonly knowledge_version: string;
  readonly disclaimer: string;
}

/** What the category needs of the inference engine: pure functions of knowledge that it holds and of the input. */
export interface DiagnosticEngine {
  readonly provenance: Provenance;
  analyze(input: AnalysisInput): DiagnosticResult;
  stages(input: AnalysisInput): Generator<Stage, void, undefined>;
  differentiate(
    input: AnalysisInput,
    candidates: readonly string[],
  ): { readonly diagnostic_result: DiagnosticResult; readonly differential: DifferentialDetail };
  /** The texts of an input in the order in which they are read. */
  textsOf(patientData: PatientData): readonly PlacedText[];
  parse(patientData: PatientData, elsewhere: readonly ElsewhereRecognized[]): Parsed;
  /** Tells whether the words at a place of a text are denied. */
  denialsOf(text: string): (start: number) => boolean;
  /** The findings that entries of a patient's record stand for. */
  knownFindings(entries: readonly string[]): KnownFinding[];
  /** What a treatment is given as; undefined for what is no medicine. */
  usesOf(treatmentId: string): TreatmentUses | undefined;
  /** How a treatment is given for a condition; undefined where either is not known. */
  careOf(conditionId: string, treatmentId: string): Care | undefined;
}

/** The engine over a knowledge base. Builds its model now, so that the first patient is not the one who waits. */
export function createEngine(knowledge: Knowledge): DiagnosticEngine {
  const { treatments } = modelOf(knowledge);
  const conditions = new Map(knowledge.conditions.map((each) => [each.id, each]));
  const uses = new Map(knowledge.treatments.flatMap((each) => (each.uses ? [[each.id, each.uses]] : [])));
  return {
    provenance: { model_version: MODEL_VERSION, knowledge_version: knowledge.version, disclaimer: DISCLAIMER },
    analyze: (input) => analyze(knowledge, input).diagnostic_result,
    stages: (input) => analyzeInStages(knowledge, input),
    differentiate: (input, candidates) => differentiate(knowledge, input, candidates),
    textsOf,
    parse: (patientData, elsewhere) => parse(knowledge, patientData, elsewhere),
    denialsOf: (text) => denialsOf(knowledge, text),
    knownFindings: (entries) => knownFindings(knowledge, entries),
    usesOf: (id) => uses.get(id),
    careOf: (conditionId, treatmentId) => {
      const condition = conditions.get(conditionId);
      const treatment = treatments.get(treatmentId);
      return condition && treatment && careOf(condition, treatment);
    },
  };
}
