import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import { newId } from '@perennial/prisma/ids.ts';
import { Fault, invalid, invalidAt } from '@perennial/schemas/http/fault.ts';
import type { Caller } from '@perennial/schemas/internal-token.ts';
import type { DiagnosticResult } from '@perennial/schemas/resources/analysis.ts';
import type { DifferentialDetail, ParsedText } from '@perennial/schemas/resources/diagnostic.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import { recordEvent } from '../events/record-event.ts';
import { headRelease } from '../head-release.ts';
import type { Conditions } from '../http/conditions.ts';
import type { ServerEvent } from '../http/event-stream.ts';
import type { RecordedFacts } from '../medications/facts.ts';
import type { MedicationService } from '../medications/service.ts';
import { writeOptimistically } from '../optimistic.ts';
import type { ListRequest } from '../ordering.ts';
import type { Found } from '../paging.ts';
import type { Sight } from '../sight.ts';
import type { Stage } from './engine/stages.ts';
import type { AnalysisInput, DiagnosticResult as EngineResult, RecognizedFinding } from './engine/types.ts';
import type { DiagnosticEngine } from './engine.ts';
import { type FeedbackWrite, toFeedback } from './feedback.ts';
import { type AnalysisBody, checkInput, toEngineInput } from './input.ts';
import { type ClinicalRow, type DiagnosticRow, toDiagnosticRecord } from './record.ts';
import { type StreamStart, startOf } from './resume.ts';
import { type DiagnosticFilters, DiagnosticStore, type KeptRow } from './store.ts';
import { createTreatmentCheck } from './treatments.ts';

/** Body of the differential operation, as validated. */
export interface DifferentialBody extends AnalysisBody {
  readonly candidates?: readonly string[];
}

/** Body that makes a record, as validated: `DiagnosticRequest`. */
export interface DiagnosticWrite extends AnalysisBody {
  readonly patient_id: string;
  readonly note?: string | null;
}

/** Body of update, as validated: `DiagnosticRecord.patch`. */
export interface DiagnosticPatch {
  readonly id?: unknown;
  readonly note?: string | null;
}

/** A result, and whether it was kept. */
export interface Completed {
  readonly result: DiagnosticResult;
  readonly differential: DifferentialDetail | null;
  readonly isSaved: boolean;
}

/** A write to a record that exists. */
interface RecordWrite {
  readonly caller: Caller;
  readonly id: string;
  readonly conditions: Conditions;
  readonly sight: Sight;
}

/** What an analysis works on, ready for the engine. */
interface Prepared {
  readonly input: AnalysisInput;
  readonly facts: RecordedFacts | undefined;
}

/**
 * Diagnostics, by the rules of the contract. Writes join the transaction of the unit of work under way, if there is
 * one, so that whoever makes many of them can keep them together.
 */
export class DiagnosticService {
  readonly #database: Database;
  readonly #engine: DiagnosticEngine;
  readonly #medications: MedicationService;
  readonly #secret: string;

  /** @param secret signs the ids of streamed events. */
  constructor(database: Database, engine: DiagnosticEngine, medications: MedicationService, secret: string) {
    this.#database = database;
    this.#engine = engine;
    this.#medications = medications;
    this.#secret = secret;
  }

  /** @throws Fault `validation_failed`, `not_found`, `scope_missing` when a patient is named by who may read none. */
  async analyze(caller: Caller, body: AnalysisBody): Promise<Completed> {
    const prepared = await this.#prepare(caller, body);
    const result = this.#complete(prepared, this.#engine.analyze(prepared.input), newId('diag'));
    return this.#keepIfAsked(caller, body, result, null);
  }

  /** @throws as `analyze`. */
  async differentiate(caller: Caller, body: DifferentialBody): Promise<Completed> {
    const prepared = await this.#prepare(caller, body);
    const answer = this.#engine.differentiate(prepared.input, body.candidates ?? []);
    const result = this.#complete(prepared, answer.diagnostic_result, newId('diag'));
    return this.#keepIfAsked(caller, body, result, answer.differential);
  }

  /** @throws Fault `validation_failed` when there is no text. */
  parse({ patientData }: Pick<AnalysisBody, 'patientData'>): ParsedText {
    const engine = this.#engine;
    const texts = engine.textsOf(patientData);
    if (!texts.some(({ text }) => text.trim() !== '')) throw invalidAt('/patientData', 'missing_input');
    const named = texts.flatMap(({ field, index, text, section }, at) =>
      section === 'family'
        ? []
        : this.#medications.mentions(text).map(({ name, substanceIds, start, end }) => ({
            text_index: at,
            start,
            end,
            medication: {
              name,
              substance_ids: [...substanceIds],
              present: !engine.isDenied(text, start),
              span: { field, index, start, end, text: text.slice(start, end) },
            },
          })),
    );
    const { findings, ...rest } = engine.parse(patientData, named);
    return { findings, medications: named.map(({ medication }) => medication), ...rest };
  }

  /**
   * Analyses in stages and answers events as they are completed. The next stage is begun when the last event has been
   * taken, and none is once nobody takes them.
   * @param lastEventId the last event that a client had which comes back.
   * @returns the events, and the id that the result will have.
   * @throws as `analyze`, before the first event.
   */
  async stream(
    caller: Caller,
    body: AnalysisBody,
    lastEventId: string | undefined,
  ): Promise<{ readonly id: string; readonly events: AsyncGenerator<ServerEvent, void, undefined> }> {
    const prepared = await this.#prepare(caller, body);
    const { model_version: modelVersion, knowledge_version: knowledgeVersion } = this.#engine.provenance;
    const { accountId } = caller;
    const identity = { accountId, input: prepared, save: body.options?.save, modelVersion, knowledgeVersion };
    const start = startOf(this.#secret, identity, lastEventId);
    return { id: start.id, events: this.#events(caller, body, prepared, start) };
  }

  /** Analyses and keeps the result. @throws as `analyze`. */
  async create(caller: Caller, body: DiagnosticWrite): Promise<ClinicalRow> {
    const prepared = await this.#prepare(caller, body);
    const result = this.#complete(prepared, this.#engine.analyze(prepared.input), newId('diag'));
    return this.#keep(caller, body, result, null, body.note ?? null);
  }

  /** @throws Fault `not_found` */
  async get(accountId: string, id: string, sight: Sight): Promise<DiagnosticRow> {
    return live(await new DiagnosticStore(this.#database).find(accountId, id, sight));
  }

  async list(
    accountId: string,
    filters: DiagnosticFilters,
    sight: Sight,
    request: ListRequest,
  ): Promise<Found<DiagnosticRow>> {
    return new DiagnosticStore(this.#database).list(accountId, filters, sight, request);
  }

  /** Changes the note: a result never changes. @throws Fault `not_found`, `precondition_failed`, `conflict` */
  async update(
    caller: Caller,
    id: string,
    patch: DiagnosticPatch,
    conditions: Conditions,
    sight: Sight,
  ): Promise<DiagnosticRow> {
    if (patch.id !== undefined && patch.id !== null && patch.id !== id) throw invalid([faultAt('/id', 'immutable')]);
    return this.#change({ caller, id, conditions, sight }, (stored) => {
      const note = patch.note === undefined ? stored.note : patch.note;
      return note === stored.note ? stored : { ...stored, note };
    });
  }

  /** @throws Fault `validation_failed`, `not_found`, `precondition_failed`, `conflict` */
  async giveFeedback(
    caller: Caller,
    id: string,
    body: FeedbackWrite,
    conditions: Conditions,
    sight: Sight,
  ): Promise<DiagnosticRow> {
    return this.#change({ caller, id, conditions, sight }, (stored) => {
      const feedback = toFeedback(stored, body, caller.keyId, new Date());
      return { ...stored, feedback, status: feedback.decision };
    });
  }

  /** @throws Fault `not_found`, `precondition_failed`, `conflict` */
  async remove(caller: Caller, id: string, conditions: Conditions, sight: Sight): Promise<void> {
    const write = { caller, id, conditions, sight };
    await this.#write(write, (stored) => ({ next: live(stored), deletedAt: new Date() }));
  }

  /** Brings a deleted record back; one that is not deleted stays as it is. */
  async restore(caller: Caller, id: string, conditions: Conditions, sight: Sight): Promise<DiagnosticRow> {
    return this.#write({ caller, id, conditions, sight }, (stored) =>
      stored.deletedAt === null ? undefined : { next: stored, deletedAt: null },
    );
  }

  async #prepare(caller: Caller, body: AnalysisBody): Promise<Prepared> {
    checkInput(this.#engine, body);
    const patientId = body.patient_id ?? null;
    const facts = patientId === null ? undefined : await this.#medications.factsOf(caller, patientId);
    const input = toEngineInput(this.#engine, body, facts);
    // Once more, now that the age may come from the record.
    checkInput(this.#engine, { ...body, patientData: { ...body.patientData, ...ageOf(input) } });
    return { input, facts };
  }

  /** The result as answered: with its id, and its treatments checked. */
  #complete({ input, facts }: Prepared, result: EngineResult, id: string): DiagnosticResult {
    const check = createTreatmentCheck(this.#engine, this.#medications, input, facts, result.recognized_findings);
    return { id, ...result, suggestions: check(result.suggestions) };
  }

  async #keepIfAsked(
    caller: Caller,
    body: AnalysisBody,
    result: DiagnosticResult,
    differential: DifferentialDetail | null,
  ): Promise<Completed> {
    const isSaved = body.options?.save === true;
    if (isSaved) await this.#keep(caller, body, result, differential, null);
    return { result, differential, isSaved };
  }

  async #keep(
    caller: Caller,
    { patient_id: patientId, patientData }: AnalysisBody,
    result: DiagnosticResult,
    differential: DifferentialDetail | null,
    note: string | null,
  ): Promise<ClinicalRow> {
    if (!patientId) throw invalid([faultAt('/patient_id', 'required')]);
    const now = new Date();
    const row: ClinicalRow = {
      id: result.id,
      accountId: caller.accountId,
      patientId,
      kind: differential === null ? 'analysis' : 'differential',
      status: 'completed',
      headRelease,
      input: patientData,
      result,
      differential,
      imaging: null,
      feedback: null,
      note,
      keyId: caller.keyId,
      revision: 1,
      createdAt: now,
      updatedAt: now,
    };
    await this.#database.$transaction(async (transaction) => {
      const outcome = await new DiagnosticStore(transaction).insert(row);
      // The patient may have gone while the analysis was made.
      if (outcome === 'no-patient') throw new Fault('not_found');
      if (outcome === 'written') await announce(transaction, row);
    });
    return row;
  }

  async *#events(
    caller: Caller,
    body: AnalysisBody,
    prepared: Prepared,
    { id, from, eventId }: StreamStart,
  ): AsyncGenerator<ServerEvent, void, undefined> {
    let number = 0;
    const told: RecognizedFinding[] = [];
    const wanted = (event: string, data: () => unknown): ServerEvent[] => {
      const at = number++;
      return at < from ? [] : [{ id: eventId(at), event, data: data() }];
    };
    const texts = this.#engine.textsOf(prepared.input.patientData).length;
    yield* wanted('started', () => ({ id, texts, ...this.#engine.provenance }));
    for (const stage of this.#engine.stages(prepared.input)) {
      if (stage.kind === 'finding') told.push(stage.finding);
      if (stage.kind === 'result') {
        const result = this.#complete(prepared, stage.result, id);
        await this.#keepIfAsked(caller, body, result, null);
        yield* wanted('result', () => ({ diagnostic_result: result }));
      } else yield* wanted(stage.kind, () => this.#told(prepared, stage, told));
      // Others get their turn between two stages, and a client that has left is noticed.
      await nextTurn();
    }
  }

  #told({ input, facts }: Prepared, stage: Exclude<Stage, { kind: 'result' }>, told: RecognizedFinding[]): unknown {
    switch (stage.kind) {
      case 'finding':
        return stage.finding;
      case 'red_flag':
        return stage.flag;
      case 'ranking': {
        const { kind: _, suggestions, ...rest } = stage;
        const check = createTreatmentCheck(this.#engine, this.#medications, input, facts, told);
        return { ...rest, suggestions: check(suggestions) };
      }
    }
  }

  async #change(write: RecordWrite, change: (stored: DiagnosticRow) => DiagnosticRow): Promise<DiagnosticRow> {
    return this.#write(write, (stored) => {
      const before = live(stored);
      const next = change(before);
      // A write that changes nothing is no new state.
      return next === before ? undefined : { next, deletedAt: null };
    });
  }

  async #write(
    { caller, id, conditions, sight }: RecordWrite,
    decide: (stored: KeptRow) => { readonly next: DiagnosticRow; readonly deletedAt: Date | null } | undefined,
  ): Promise<DiagnosticRow> {
    return writeOptimistically(this.#database, async (transaction, lock) => {
      const store = new DiagnosticStore(transaction);
      const stored = await store.find(caller.accountId, id, sight, lock);
      if (!stored) throw new Fault('not_found');
      const decided = decide(stored);
      conditions.checkWrite(stored.revision);
      if (!decided) return stored;
      const next: DiagnosticRow = { ...decided.next, revision: stored.revision + 1, updatedAt: new Date() };
      return (await store.write(stored, next, decided.deletedAt)) ? next : undefined;
    });
  }
}

function ageOf({ patientData: { age } }: AnalysisInput): { readonly age?: number } {
  return age === undefined ? {} : { age };
}

/** Tells of a kept result in its own transaction. */
async function announce(transaction: DatabaseTransaction, row: ClinicalRow): Promise<void> {
  const { accountId, patientId, id: objectId, createdAt: at } = row;
  const document = toDiagnosticRecord(row);
  await recordEvent(transaction, { accountId, kind: 'diagnostic.completed', objectId, patientId, document, at });
}

/** Missing, deleted and another account's are one and the same answer. */
function live(row: KeptRow | undefined): KeptRow {
  if (!row || row.deletedAt !== null) throw new Fault('not_found');
  return row;
}
