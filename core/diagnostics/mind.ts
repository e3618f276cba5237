import { createHash } from 'node:crypto';
import { invalidAt } from '@perennial/schemas/platform/http/fault.ts';
import type { DiagnosticResult } from '@perennial/schemas/resources/analysis.ts';
import type { DifferentialDetail, ParsedText } from '@perennial/schemas/resources/diagnostic.ts';
import type { RecordedFacts } from '../medications/facts.ts';
import type { MedicationMind, RecordedRows } from '../medications/mind.ts';
import type {
  AnalysisInput,
  DiagnosticResult as EngineResult,
  RaisedFlag,
  RecognizedFinding,
  Suggestion,
} from './engine/types.ts';
import type { DiagnosticEngine, Provenance } from './engine.ts';
import { type AnalysisBody, checkInput, toEngineInput } from './input.ts';
import { createTreatmentCheck } from './treatments.ts';

/** What an analysis is asked: what was sent, and what is on record of the patient. */
export interface Asked {
  readonly body: AnalysisBody;
  readonly recorded: RecordedRows | undefined;
}

/** A result without the identifier that whoever asked gives it. */
export type Nameless = Omit<DiagnosticResult, 'id'>;

/** What is told of an analysis in stages. */
export type ToldStage =
  | {
      readonly kind: 'started';
      readonly texts: number;
      readonly provenance: Provenance;
      /** Names everything that the stages depend on. */
      readonly digest: string;
    }
  | { readonly kind: 'finding'; readonly data: RecognizedFinding }
  | { readonly kind: 'red_flag'; readonly data: RaisedFlag }
  | {
      readonly kind: 'ranking';
      readonly data: {
        readonly texts_read: number;
        readonly settled: boolean;
        readonly suggestions: readonly Suggestion[];
      };
    }
  | { readonly kind: 'result'; readonly data: Nameless };

/** What an analysis works on, ready for the engine. */
interface Prepared {
  readonly input: AnalysisInput;
  readonly facts: RecordedFacts | undefined;
}

/** Diagnostics by the knowledge alone: it asks no database, and gives the same for the same input. */
export class DiagnosticMind {
  readonly #engine: DiagnosticEngine;
  readonly #medications: MedicationMind;

  constructor(engine: DiagnosticEngine, medications: MedicationMind) {
    this.#engine = engine;
    this.#medications = medications;
  }

  /** @throws Fault `validation_failed` */
  analyze(asked: Asked): Nameless {
    const prepared = this.#prepare(asked);
    return this.#complete(prepared, this.#engine.analyze(prepared.input));
  }

  /** @throws Fault `validation_failed` */
  differentiate(
    asked: Asked,
    candidates: readonly string[],
  ): { readonly result: Nameless; readonly differential: DifferentialDetail } {
    const prepared = this.#prepare(asked);
    const { diagnostic_result: result, differential } = this.#engine.differentiate(prepared.input, candidates);
    return { result: this.#complete(prepared, result), differential };
  }

  /** @throws Fault `validation_failed` when there is no text. */
  parse(patientData: AnalysisBody['patientData']): ParsedText {
    const engine = this.#engine;
    const texts = engine.textsOf(patientData);
    if (!texts.some(({ text }) => text.trim() !== '')) throw invalidAt('/patientData', 'missing_input');
    const named = texts.flatMap(({ field, index, text, section }, at) => {
      if (section === 'family') return [];
      const isDenied = engine.denialsOf(text);
      return this.#medications.mentions(text).map(({ name, substanceIds, start, end }) => ({
        text_index: at,
        start,
        end,
        medication: {
          name,
          substance_ids: [...substanceIds],
          present: !isDenied(start),
          span: { field, index, start, end, text: text.slice(start, end) },
        },
      }));
    });
    const { findings, ...rest } = engine.parse(patientData, named);
    return { findings, medications: named.map(({ medication }) => medication), ...rest };
  }

  /** The stages of an analysis, each worked out when it is asked for. @throws Fault `validation_failed` */
  *stages(asked: Asked): Generator<ToldStage, void, undefined> {
    const prepared = this.#prepare(asked);
    const { provenance } = this.#engine;
    const texts = this.#engine.textsOf(prepared.input.patientData).length;
    const digest = createHash('sha256').update(JSON.stringify(prepared)).digest('base64url');
    yield { kind: 'started', texts, provenance, digest };
    const told: RecognizedFinding[] = [];
    for (const stage of this.#engine.stages(prepared.input)) {
      switch (stage.kind) {
        case 'finding':
          told.push(stage.finding);
          yield { kind: 'finding', data: stage.finding };
          break;
        case 'red_flag':
          yield { kind: 'red_flag', data: stage.flag };
          break;
        case 'ranking': {
          const { kind, suggestions, ...rest } = stage;
          const check = createTreatmentCheck(this.#engine, this.#medications, prepared.input, prepared.facts, told);
          yield { kind, data: { ...rest, suggestions: check(suggestions) } };
          break;
        }
        case 'result':
          yield { kind: 'result', data: this.#complete(prepared, stage.result) };
      }
    }
  }

  #prepare({ body, recorded }: Asked): Prepared {
    const facts = recorded && this.#medications.read(recorded);
    const input = toEngineInput(this.#engine, body, facts);
    const { age } = input.patientData;
    // Once more, now that the age may come from the record.
    if (age !== undefined) checkInput({ ...body, patientData: { ...body.patientData, age } });
    return { input, facts };
  }

  /** The result as answered: with its treatments checked. */
  #complete({ input, facts }: Prepared, result: EngineResult): Nameless {
    const check = createTreatmentCheck(this.#engine, this.#medications, input, facts, result.recognized_findings);
    return { ...result, suggestions: check(result.suggestions) };
  }
}
