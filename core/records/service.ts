import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import { head } from '@perennial/schemas/contract.ts';
import type { EventKind } from '@perennial/schemas/event-kinds.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { type AccountId, newId, type PatientId, type RecordId } from '@perennial/schemas/platform/ids.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { createValidator, faultAt } from '@perennial/schemas/validation.ts';
import { recordEvent } from '../platform/events/record-event.ts';
import type { Conditions } from '../platform/http/conditions.ts';
import { mergePatch } from '../platform/json-documents.ts';
import { writeOptimistically } from '../platform/optimistic.ts';
import type { Found } from '../platform/paging.ts';
import { found, refuse } from '../platform/refusals.ts';
import { recordFaults } from './checks.ts';
import {
  changedFields,
  fromWrite,
  type RecordFields,
  type RecordRow,
  type RecordWrite,
  toDocument,
  toRecord,
} from './record.ts';
import { type Listing, type RecordAction, type RecordFilters, RecordStore, type VersionRow } from './store.ts';

/** Where a record is: both identifiers come from the path. */
export interface RecordPlace {
  readonly patientId: PatientId;
  readonly recordId: RecordId;
}

/** Most records of one patient, deleted ones included. */
const RECORDS_MAX = 20_000;

/** Medical records, by the rules of the contract. */
export class RecordService {
  readonly #database: Database;
  readonly #store: RecordStore;
  readonly #recordsMax: number;
  readonly #validator = createValidator(head.resources);

  constructor(database: Database, recordsMax: number = RECORDS_MAX) {
    this.#database = database;
    this.#store = new RecordStore(database);
    this.#recordsMax = recordsMax;
  }

  /** @throws Fault `not_found`, `validation_failed`, `limit_reached` */
  async create(caller: Caller, patientId: PatientId, body: RecordWrite): Promise<RecordRow> {
    const now = new Date();
    refuse(recordFaults(body, now));
    return this.#database.$transaction(async (transaction) => {
      const store = new RecordStore(transaction);
      if (!(await store.hasPatient(caller.accountId, patientId))) throw new Fault('not_found');
      if ((await store.countOf(patientId, this.#recordsMax)) >= this.#recordsMax) throw new Fault('limit_reached');
      const row: RecordRow = {
        id: newId('rec'),
        accountId: caller.accountId,
        patientId,
        ...fromWrite(body),
        revision: 1,
        createdAt: now,
        updatedAt: now,
      };
      await store.insert(row, caller.keyId);
      await announce(transaction, row, 'created');
      return row;
    });
  }

  /** @throws Fault `not_found` */
  async get(accountId: AccountId, place: RecordPlace): Promise<RecordRow> {
    return found(await this.#store.find(accountId, place.patientId, place.recordId));
  }

  /** @throws Fault `not_found` when the list is of a patient that is not there. */
  async list(accountId: AccountId, filters: RecordFilters, listing: Listing): Promise<Found<RecordRow>> {
    const { patientId } = filters;
    if (patientId !== undefined && !(await this.#store.hasPatient(accountId, patientId))) throw new Fault('not_found');
    return this.#store.list(accountId, filters, listing);
  }

  /** Every record that fits, in batches. */
  all(accountId: AccountId, filters: RecordFilters, batch: number): AsyncGenerator<readonly RecordRow[]> {
    return this.#store.all(accountId, filters, batch);
  }

  /** @throws Fault `not_found` */
  async history(
    accountId: AccountId,
    place: RecordPlace,
    listing: Listing,
  ): Promise<{ readonly record: RecordRow; readonly found: Found<VersionRow> }> {
    const record = await this.get(accountId, place);
    return { record, found: await this.#store.versions(record, listing) };
  }

  /** Writes the whole record: what the body leaves out is cleared. */
  async replace(caller: Caller, place: RecordPlace, body: RecordWrite, conditions: Conditions): Promise<RecordRow> {
    refuse([...identityFaults(body, place), ...recordFaults(body, new Date())]);
    return this.#correct(caller, place, conditions, (stored) => {
      refuse(typeFaults(body, stored));
      return fromWrite(body);
    });
  }

  /** Merges the patch into the record as it is at the moment of writing, and checks the whole. */
  async update(caller: Caller, place: RecordPlace, patch: JsonObject, conditions: Conditions): Promise<RecordRow> {
    refuse(identityFaults(patch, place));
    return this.#correct(caller, place, conditions, (stored) => {
      refuse(typeFaults(patch, stored));
      const merged = mergePatch(toDocument(stored), patch) as RecordWrite;
      refuse(this.#validator.body('MedicalRecord.create', merged));
      refuse(recordFaults(merged, new Date()));
      return fromWrite(merged);
    });
  }

  async remove(caller: Caller, place: RecordPlace, conditions: Conditions): Promise<void> {
    await this.#write(caller, place, conditions, (stored) => {
      if (stored.deletedAt) throw new Fault('not_found');
      return { fields: stored, action: 'deleted' };
    });
  }

  /** Brings a deleted record back; one that is not deleted stays as it is. */
  async restore(caller: Caller, place: RecordPlace, conditions: Conditions): Promise<RecordRow> {
    return this.#write(caller, place, conditions, (stored) =>
      stored.deletedAt ? { fields: stored, action: 'restored' } : undefined,
    );
  }

  async #correct(
    caller: Caller,
    place: RecordPlace,
    conditions: Conditions,
    next: (stored: RecordRow) => RecordFields,
  ): Promise<RecordRow> {
    return this.#write(caller, place, conditions, (stored) => {
      if (stored.deletedAt) throw new Fault('not_found');
      const fields = next(stored);
      // A write that changes nothing is no new state.
      return changedFields(stored, fields).length === 0 ? undefined : { fields, action: 'corrected' };
    });
  }

  /** Carries out one write on the stored state, and keeps the state before and after it. */
  async #write(
    caller: Caller,
    place: RecordPlace,
    conditions: Conditions,
    decide: (
      stored: RecordRow & { readonly deletedAt: Date | null },
    ) => { readonly fields: RecordFields; readonly action: 'corrected' | 'deleted' | 'restored' } | undefined,
  ): Promise<RecordRow> {
    return writeOptimistically(this.#database, async (transaction, lock) => {
      const store = new RecordStore(transaction);
      const stored = found(
        await store.find(caller.accountId, place.patientId, place.recordId, { lock, orDeleted: true }),
      );
      const decided = decide(stored);
      conditions.checkWrite(stored.revision);
      if (!decided) return stored;
      const { fields, action } = decided;
      const updatedAt = new Date();
      await store.addVersion(stored, 'created', [], null);
      if (!(await store.write(stored, fields, updatedAt, action === 'deleted' ? updatedAt : null))) return undefined;
      const written: RecordRow = { ...stored, ...pick(fields), updatedAt, revision: stored.revision + 1 };
      await store.addVersion(written, action, changedFields(stored, fields), caller.keyId);
      await announce(transaction, written, action);
      return written;
    });
  }
}

const kinds = {
  created: 'record.created',
  corrected: 'record.updated',
  deleted: 'record.deleted',
  restored: 'record.restored',
} as const satisfies Record<RecordAction, EventKind>;

/** Tells of a write in its own transaction. */
async function announce(transaction: DatabaseTransaction, row: RecordRow, action: RecordAction): Promise<void> {
  const { accountId, patientId, id: objectId, updatedAt: at } = row;
  const document = action === 'deleted' ? null : toRecord(row);
  await recordEvent(transaction, { accountId, kind: kinds[action], objectId, patientId, document, at });
}

function pick({ type, status, code, content, effectiveAt, author }: RecordFields): RecordFields {
  return { type, status, code, content, effectiveAt, author };
}

function identityFaults(body: JsonObject, place: RecordPlace): readonly ErrorDetail[] {
  return [
    ...(isOther(body['id'], place.recordId) ? [faultAt('/id', 'immutable')] : []),
    ...(isOther(body['patient_id'], place.patientId) ? [faultAt('/patient_id', 'immutable')] : []),
  ];
}

function typeFaults(body: JsonObject, stored: RecordRow): readonly ErrorDetail[] {
  return body['type'] === stored.type ? [] : [faultAt('/type', 'immutable')];
}

function isOther(given: unknown, own: string): boolean {
  return given !== undefined && given !== null && given !== own;
}
