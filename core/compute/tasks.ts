import type { PatientId } from '@perennial/schemas/platform/ids.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { DifferentialDetail, ParsedText } from '@perennial/schemas/resources/diagnostic.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import type { PatientGraph } from '@perennial/schemas/resources/knowledge-graph.ts';
import type {
  InteractionCheck,
  MedicationInput,
  MedicationResolution,
} from '@perennial/schemas/resources/medication.ts';
import type { AnalysisBody } from '../diagnostics/input.ts';
import type { Asked, Nameless, ToldStage } from '../diagnostics/mind.ts';
import type { AnyAsked } from '../knowledge/answers.ts';
import type { GraphRecord } from '../knowledge/graph/records-store.ts';
import type { PatientRequest } from '../knowledge/graph/service.ts';
import type { CheckAsked, Overridden } from '../medications/mind.ts';
import type { AnyOutcome } from '../platform/http/handler.ts';
import type { JsonText } from '../platform/json-text.ts';

/** A question to the knowledge, without what cannot be sent to another thread. */
export interface KnowledgeAsked extends Pick<AnyAsked, 'body' | 'params' | 'query'> {
  readonly operationId: string;
  readonly caller: Caller;
  /** The query as it was sent. */
  readonly search: string;
}

/** The computations by name: plain data in, plain data out. */
export interface Tasks {
  readonly 'diagnostics.analyze': { readonly input: Asked; readonly output: Nameless };
  readonly 'diagnostics.differentiate': {
    readonly input: Asked & { readonly candidates: readonly string[] };
    readonly output: { readonly result: Nameless; readonly differential: DifferentialDetail };
  };
  readonly 'diagnostics.parse': { readonly input: Pick<AnalysisBody, 'patientData'>; readonly output: ParsedText };
  readonly 'medications.check': { readonly input: CheckAsked; readonly output: InteractionCheck };
  readonly 'medications.resolve': {
    readonly input: { readonly medications: readonly MedicationInput[] };
    readonly output: MedicationResolution;
  };
  readonly 'medications.overridden': {
    readonly input: { readonly medications: readonly MedicationInput[]; readonly faults: readonly ErrorDetail[] };
    readonly output: Overridden;
  };
  readonly 'knowledge.answer': { readonly input: KnowledgeAsked; readonly output: AnyOutcome };
  readonly 'knowledge.patientGraph': {
    readonly input: {
      readonly patientId: PatientId;
      readonly records: readonly GraphRecord[];
      readonly request: PatientRequest;
    };
    readonly output: PatientGraph;
  };
}

/** Those whose output is answered as it is. It can be large, so it is written as JSON in the thread. */
export const answeredTasks = [
  'diagnostics.parse',
  'medications.check',
  'medications.resolve',
  'knowledge.patientGraph',
] as const satisfies readonly TaskName[];

/** What core's loop is given of a task. */
export type Answered<N extends TaskName> = N extends (typeof answeredTasks)[number]
  ? JsonText<Tasks[N]['output']>
  : Tasks[N]['output'];

/** What is worked out piece by piece, each when it is asked for. */
export interface Sequences {
  readonly 'diagnostics.stages': { readonly input: Asked; readonly piece: ToldStage };
}

/** The name of a task. */
export type TaskName = keyof Tasks;

/** The name of a sequence. */
export type SequenceName = keyof Sequences;
