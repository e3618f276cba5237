import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import type { BodyAt } from '@perennial/schemas/operation-types.ts';
import { Fault, invalid } from '@perennial/schemas/platform/http/fault.ts';
import { type AccountId, type DiagnosticId, newId } from '@perennial/schemas/platform/ids.ts';
import type { Caller, SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type { DiagnosticResult } from '@perennial/schemas/resources/analysis.ts';
import type { DifferentialDetail, ParsedText } from '@perennial/schemas/resources/diagnostic.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import type { Compute } from '../compute/compute.ts';
import { headRelease } from '../head-release.ts';
import type { MedicationService } from '../medications/service.ts';
import { recordEvent } from '../platform/events/record-event.ts';
import type { Conditions } from '../platform/http/conditions.ts';
import type { ServerEvent } from '../platform/http/event-stream.ts';
import type { EventName } from '../platform/http/handler.ts';
import type { JsonText } from '../platform/json-text.ts';
import { writeOptimistically } from '../platform/optimistic.ts';
import type { ListRequest } from '../platform/ordering.ts';
import type { Found } from '../platform/paging.ts';
import type { Visibility } from '../visibility.ts';
import { type FeedbackWrite, toFeedback } from './feedback.ts';
import { type AnalysisBody, checkInput } from './input.ts';
import type { Asked, ToldStage } from './mind.ts';
import { type ClinicalRow, type DiagnosticRow, toDiagnosticRecord } from './record.ts';
import { type StreamStart, startOf } from './resume.ts';
import { type DiagnosticFilters, DiagnosticStore, type KeptRow } from './store.ts';

/** Body of the differential operation, as validated. */
export type DifferentialBody = BodyAt<'DifferentialRequest'>;

/** Body that makes a record, as validated: `DiagnosticRequest`. */
export type DiagnosticWrite = BodyAt<'DiagnosticRequest'>;

/** Body of update, as validated: `DiagnosticRecord.patch`. */
export type DiagnosticPatch = BodyAt<'DiagnosticRecord.patch'>;

type StreamEvent = ServerEvent<EventName<'diagnostics.stream'>>;

/** A result, and whether it was kept. */
export interface Completed<D extends DifferentialDetail | null = DifferentialDetail | null> {
  readonly result: DiagnosticResult;
  readonly differential: D;
  readonly isSaved: boolean;
}

/** A write to a record that exists. */
interface RecordWrite {
  readonly caller: Caller;
  readonly id: DiagnosticId;
  readonly conditions: Conditions;
  readonly visibility: Visibility;
}

/**
 * Diagnostics, by the rules of the contract. Writes join the transaction of the unit of work under way, if there is
 * one, so that whoever makes many of them can keep them together.
 */
export class DiagnosticService {
  readonly #database: Database;
  readonly #compute: Compute;
  readonly #medications: MedicationService;
  readonly #secret: SharedSecret;

  /** @param secret signs the ids of streamed events. */
  constructor(database: Database, compute: Compute, medications: MedicationService, secret: SharedSecret) {
    this.#database = database;
    this.#compute = compute;
    this.#medications = medications;
    this.#secret = secret;
  }

  /** @throws Fault `validation_failed`, `not_found`, `scope_missing` when a patient is named by who may read none. */
  async analyze(caller: Caller, body: AnalysisBody): Promise<Completed<null>> {
    return this.#keepIfAsked(caller, body, await this.#analyzed(caller, body), null);
  }

  /** @throws as `analyze`. */
  async differentiate(caller: Caller, body: DifferentialBody): Promise<Completed<DifferentialDetail>> {
    const asked = await this.#ask(caller, body);
    const candidates = body.candidates ?? [];
    const answer = await this.#compute.run('diagnostics.differentiate', { ...asked, candidates });
    const result = { id: newId('diag'), ...answer.result };
    return this.#keepIfAsked(caller, body, result, answer.differential);
  }

  /** @throws Fault `validation_failed` when there is no text. */
  async parse({ patientData }: Pick<AnalysisBody, 'patientData'>): Promise<JsonText<ParsedText>> {
    return this.#compute.run('diagnostics.parse', { patientData });
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
  ): Promise<{ readonly id: DiagnosticId; readonly events: AsyncGenerator<StreamEvent, void, undefined> }> {
    const stages = this.#compute.iterate('diagnostics.stages', await this.#ask(caller, body));
    const begun = (await stages.next()).value;
    if (begun?.kind !== 'started') throw new Fault('internal_error');
    const { model_version: modelVersion, knowledge_version: knowledgeVersion } = begun.provenance;
    const { accountId } = caller;
    const identity = { accountId, input: begun.digest, save: body.options?.save, modelVersion, knowledgeVersion };
    const start = startOf(this.#secret, identity, lastEventId);
    return { id: start.id, events: this.#events(caller, body, begun, stages, start) };
  }

  /** Analyses and keeps the result. @throws as `analyze`. */
  async create(caller: Caller, body: DiagnosticWrite): Promise<ClinicalRow> {
    return this.#keep(caller, body, await this.#analyzed(caller, body), null, body.note ?? null);
  }

  /** @throws Fault `not_found` */
  async get(accountId: AccountId, id: DiagnosticId, visibility: Visibility): Promise<DiagnosticRow> {
    return live(await new DiagnosticStore(this.#database).find(accountId, id, visibility));
  }

  async list(
    accountId: AccountId,
    filters: DiagnosticFilters,
    visibility: Visibility,
    request: ListRequest,
  ): Promise<Found<DiagnosticRow>> {
    return new DiagnosticStore(this.#database).list(accountId, filters, visibility, request);
  }

  /** Changes the note: a result never changes. @throws Fault `not_found`, `precondition_failed`, `conflict` */
  async update(
    caller: Caller,
    id: DiagnosticId,
    patch: DiagnosticPatch,
    conditions: Conditions,
    visibility: Visibility,
  ): Promise<DiagnosticRow> {
    if (patch.id !== undefined && patch.id !== null && patch.id !== id) throw invalid([faultAt('/id', 'immutable')]);
    return this.#change({ caller, id, conditions, visibility }, (stored) => {
      const note = patch.note === undefined ? stored.note : patch.note;
      return note === stored.note ? stored : { ...stored, note };
    });
  }

  /** @throws Fault `validation_failed`, `not_found`, `precondition_failed`, `conflict` */
  async giveFeedback(
    caller: Caller,
    id: DiagnosticId,
    body: FeedbackWrite,
    conditions: Conditions,
    visibility: Visibility,
  ): Promise<DiagnosticRow> {
    return this.#change({ caller, id, conditions, visibility }, (stored) => {
      const feedback = toFeedback(stored, body, caller.keyId, new Date());
      return { ...stored, feedback, status: feedback.decision };
    });
  }

  /** @throws Fault `not_found`, `precondition_failed`, `conflict` */
  async remove(caller: Caller, id: DiagnosticId, conditions: Conditions, visibility: Visibility): Promise<void> {
    const write = { caller, id, conditions, visibility };
    await this.#write(write, (stored) => ({ next: live(stored), deletedAt: new Date() }));
  }

  /** Brings a deleted record back; one that is not deleted stays as it is. */
  async restore(
    caller: Caller,
    id: DiagnosticId,
    conditions: Conditions,
    visibility: Visibility,
  ): Promise<DiagnosticRow> {
    return this.#write({ caller, id, conditions, visibility }, (stored) =>
      stored.deletedAt === null ? undefined : { next: stored, deletedAt: null },
    );
  }

  async #analyzed(caller: Caller, body: AnalysisBody): Promise<DiagnosticResult> {
    const result = await this.#compute.run('diagnostics.analyze', await this.#ask(caller, body));
    return { id: newId('diag'), ...result };
  }

  /** What the mind is asked: what was sent, and what is on record. */
  async #ask(caller: Caller, body: AnalysisBody): Promise<Asked> {
    checkInput(body);
    const { patientData, options, patient_id: patientId = null } = body;
    const recorded = patientId === null ? undefined : await this.#medications.recordedOf(caller, patientId);
    return {
      body: { patientData, ...(options && { options }), ...(patientId !== null && { patient_id: patientId }) },
      recorded,
    };
  }

  async #keepIfAsked<D extends DifferentialDetail | null>(
    caller: Caller,
    body: AnalysisBody,
    result: DiagnosticResult,
    differential: D,
  ): Promise<Completed<D>> {
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
    { texts, provenance }: Extract<ToldStage, { kind: 'started' }>,
    stages: AsyncGenerator<ToldStage, void, undefined>,
    { id, from, eventId }: StreamStart,
  ): AsyncGenerator<StreamEvent, void, undefined> {
    let number = 0;
    const wanted = (event: StreamEvent['event'], data: unknown): StreamEvent[] => {
      const at = number++;
      return at < from ? [] : [{ id: eventId(at), event, data }];
    };
    yield* wanted('started', { id, texts, ...provenance });
    // Ends the work too when nobody takes the events any more.
    for await (const stage of stages) {
      if (stage.kind === 'result') {
        const result = { id, ...stage.data };
        await this.#keepIfAsked(caller, body, result, null);
        yield* wanted('result', { diagnostic_result: result, understood: result.understood !== false });
      } else if (stage.kind !== 'started') yield* wanted(stage.kind, stage.data);
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
    { caller, id, conditions, visibility }: RecordWrite,
    decide: (stored: KeptRow) => { readonly next: DiagnosticRow; readonly deletedAt: Date | null } | undefined,
  ): Promise<DiagnosticRow> {
    return writeOptimistically(this.#database, async (transaction, lock) => {
      const store = new DiagnosticStore(transaction);
      const stored = await store.find(caller.accountId, id, visibility, lock);
      if (!stored) throw new Fault('not_found');
      const decided = decide(stored);
      conditions.checkWrite(stored.revision);
      if (!decided) return stored;
      const next: DiagnosticRow = { ...decided.next, revision: stored.revision + 1, updatedAt: new Date() };
      return (await store.write(stored, next, decided.deletedAt)) ? next : undefined;
    });
  }
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
