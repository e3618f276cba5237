import { head } from '@perennial/schemas/contract.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import { createEngine } from '../diagnostics/engine.ts';
import { DiagnosticMind } from '../diagnostics/mind.ts';
import type { AnyAnswer } from '../knowledge/answers.ts';
import { knowledgeGraphHandlers } from '../knowledge/graph/routes.ts';
import { loadKnowledge } from '../knowledge/load.ts';
import { knowledgeHandlers } from '../knowledge/routes.ts';
import { KnowledgeService } from '../knowledge/service.ts';
import { loadMedications } from '../medications/load.ts';
import { MedicationMind } from '../medications/mind.ts';
import type { KnowledgeAsked, SequenceName, Sequences, TaskName, Tasks } from './tasks.ts';

/** The knowledge, and all that is worked out from it. There is one of it in a core: it is large. */
export class Mind {
  readonly #diagnostics: DiagnosticMind;
  readonly #medications: MedicationMind;
  readonly #knowledge: KnowledgeService;
  readonly #answers: ReadonlyMap<string, AnyAnswer>;

  /**
   * Reads and checks the knowledge.
   * @param secret signs the cursors; the gateway shares it.
   * @throws KnowledgeError, MedicationKnowledgeError naming every mistake in the files.
   */
  constructor(secret: SharedSecret) {
    const knowledge = loadKnowledge();
    const substances = loadMedications();
    const engine = createEngine(knowledge);
    this.#medications = new MedicationMind(substances);
    this.#diagnostics = new DiagnosticMind(engine, this.#medications);
    this.#knowledge = new KnowledgeService(knowledge, substances);
    this.#answers = new Map(
      Object.entries({
        ...knowledgeHandlers(this.#knowledge, secret),
        ...knowledgeGraphHandlers(this.#knowledge, secret),
      }) as [string, AnyAnswer][],
    );
    engine.analyze({ patientData: { age: 40, sex: 'female', symptoms: ['headache since yesterday'] } });
    this.#knowledge.base();
  }

  /** Builds the indexes of search and graph, so that the first request does not wait for them. */
  prepare(): void {
    this.#knowledge.prepare();
  }

  /** @throws Fault with what is wrong with the input. */
  run<N extends TaskName>(name: N, input: Tasks[N]['input']): Tasks[N]['output'] {
    return this.#tasks[name](input);
  }

  /** The pieces of a sequence, each worked out when it is asked for. */
  iterate<N extends SequenceName>(name: N, input: Sequences[N]['input']): Iterator<Sequences[N]['piece'], void> {
    return this.#sequences[name](input);
  }

  readonly #tasks: { readonly [N in TaskName]: (input: Tasks[N]['input']) => Tasks[N]['output'] } = {
    'diagnostics.analyze': (asked) => this.#diagnostics.analyze(asked),
    'diagnostics.differentiate': ({ candidates, ...asked }) => this.#diagnostics.differentiate(asked, candidates),
    'diagnostics.parse': ({ patientData }) => this.#diagnostics.parse(patientData),
    'medications.check': (asked) => this.#medications.check(asked),
    'medications.resolve': ({ medications }) => this.#medications.resolve(medications),
    'medications.overridden': ({ medications, faults }) => this.#medications.overridden(medications, faults),
    'knowledge.answer': (asked) => this.#answer(asked),
    'knowledge.patientGraph': ({ patientId, records, request }) =>
      this.#knowledge.graphs.patient(patientId, records, request),
  };

  readonly #sequences: {
    readonly [N in SequenceName]: (input: Sequences[N]['input']) => Iterator<Sequences[N]['piece'], void>;
  } = {
    'diagnostics.stages': (asked) => this.#diagnostics.stages(asked),
  };

  #answer({ operationId, search, ...asked }: KnowledgeAsked): Tasks['knowledge.answer']['output'] {
    const operation = operations.get(operationId);
    const handler = this.#answers.get(operationId);
    if (!operation || !handler) throw new Fault('internal_error');
    return handler({ ...asked, operation, search: new URLSearchParams(search) });
  }
}

const operations = new Map(head.operations.map((each) => [each.id, each]));
