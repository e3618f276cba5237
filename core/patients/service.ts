import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import { invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import { type AccountId, newId, type PatientId } from '@perennial/schemas/platform/ids.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import { recordEvent } from '../platform/events/record-event.ts';
import type { Conditions } from '../platform/http/conditions.ts';
import { writeOptimistically } from '../platform/optimistic.ts';
import type { ListRequest } from '../platform/ordering.ts';
import type { Found } from '../platform/paging.ts';
import { found, refuse } from '../platform/refusals.ts';
import {
  applyPatch,
  changedFields,
  fromWrite,
  type PatientFields,
  type PatientPatch,
  type PatientRow,
  type PatientWrite,
  toPatient,
} from './patient.ts';
import {
  type ChangeRow,
  type DeletedRow,
  type MatchRow,
  type PatientAction,
  type PatientFilters,
  type PatientListing,
  PatientStore,
} from './store.ts';

/** Everybody alive was born within it. */
const AGE_YEARS_MAX = 150;
/** Where the day begins first: a child born today in Kiribati is not born in the future, wherever this server is. */
const EARLIEST_ZONE_HOURS = 14;
const HOUR_MS = 3_600_000;
/** Most words of one search. */
const SEARCH_WORDS_MAX = 10;

/** Patients, by the rules of the contract. */
export class PatientService {
  readonly #database: Database;
  readonly #store: PatientStore;

  constructor(database: Database) {
    this.#database = database;
    this.#store = new PatientStore(database);
  }

  async create(caller: Caller, body: PatientWrite): Promise<PatientRow> {
    const now = new Date();
    refuse(birthFaults(body.dob, now));
    const row: PatientRow = {
      id: newId('pat'),
      accountId: caller.accountId,
      ...fromWrite(body),
      revision: 1,
      createdAt: now,
      updatedAt: now,
    };
    await this.#database.$transaction(async (transaction) => {
      const store = new PatientStore(transaction);
      await store.insert(row);
      const fields = changedFields(undefined, row);
      await store.addChange(row, { action: 'created', fields, keyId: caller.keyId, changedAt: now });
      await announce(transaction, row, 'created', now);
    });
    return row;
  }

  /** @throws Fault `not_found` */
  async get(accountId: AccountId, id: PatientId): Promise<PatientRow> {
    return found(await this.#store.find(accountId, id));
  }

  async list(accountId: AccountId, listing: PatientListing): Promise<Found<PatientRow>> {
    return this.#store.list(accountId, listing);
  }

  /** Every patient that fits, in batches. */
  all(accountId: AccountId, filters: PatientFilters, batch: number): AsyncGenerator<readonly PatientRow[]> {
    return this.#store.all(accountId, filters, batch);
  }

  /** Patients that have every word of the text, best first. @throws Fault 422 when there are too many words. */
  async search(accountId: AccountId, text: string | undefined, listing: PatientListing): Promise<Found<MatchRow>> {
    const { rest, filters } = readSearch(text ?? '', listing.filters);
    const words = rest === '' ? [] : await this.#store.searchWords(rest);
    if (words.length > SEARCH_WORDS_MAX) throw invalidParameter('query', 'too_many');
    // Nothing but characters that no word has: nothing is found, rather than everybody.
    if (rest !== '' && words.length === 0) return { rows: [], total: listing.includeTotal ? 0 : undefined };
    return this.#store.search(accountId, { ...listing, filters, words });
  }

  /** @throws Fault `not_found` */
  async history(accountId: AccountId, id: PatientId, request: ListRequest): Promise<Found<ChangeRow>> {
    return this.#store.changes(await this.get(accountId, id), request);
  }

  async deleted(accountId: AccountId, request: ListRequest): Promise<Found<DeletedRow>> {
    return this.#store.deleted(accountId, request);
  }

  /** Writes the whole patient: what the body leaves out is cleared. */
  async replace(caller: Caller, id: PatientId, body: PatientWrite, conditions: Conditions): Promise<PatientRow> {
    refuse([...idFaults(body.id, id), ...birthFaults(body.dob, new Date())]);
    const fields = fromWrite(body);
    return this.#change(caller, id, conditions, () => fields);
  }

  /** Merges the patch into the patient as it is at the moment of writing. */
  async update(caller: Caller, id: PatientId, patch: PatientPatch, conditions: Conditions): Promise<PatientRow> {
    refuse([...idFaults(patch.id, id), ...birthFaults(patch.dob, new Date())]);
    return this.#change(caller, id, conditions, (stored) => applyPatch(stored, patch));
  }

  async remove(caller: Caller, id: PatientId, conditions: Conditions): Promise<void> {
    await writeOptimistically(this.#database, async (transaction, lock) => {
      const store = new PatientStore(transaction);
      if (lock) await store.lock(caller.accountId, id);
      const stored = found(await store.find(caller.accountId, id));
      conditions.checkWrite(stored.revision);
      const changedAt = new Date();
      if (!(await store.markDeleted(stored, changedAt))) return undefined;
      const written = { ...stored, revision: stored.revision + 1 };
      await store.addChange(written, { action: 'deleted', fields: [], keyId: caller.keyId, changedAt });
      await announce(transaction, written, 'deleted', changedAt);
      return written;
    });
  }

  /** Brings a deleted patient back, with everything that belongs to it; one that is not deleted stays as it is. */
  async restore(caller: Caller, id: PatientId, conditions: Conditions): Promise<PatientRow> {
    return writeOptimistically(this.#database, async (transaction, lock) => {
      const store = new PatientStore(transaction);
      if (lock) await store.lock(caller.accountId, id);
      const stored = found(await store.findOrDeleted(caller.accountId, id));
      conditions.checkWrite(stored.revision);
      if (!stored.deletedAt) return stored;
      const updatedAt = new Date();
      if (!(await store.markRestored(stored, updatedAt))) return undefined;
      const written = { ...stored, updatedAt, revision: stored.revision + 1 };
      await store.addChange(written, { action: 'restored', fields: [], keyId: caller.keyId, changedAt: updatedAt });
      await announce(transaction, written, 'restored', updatedAt);
      return written;
    });
  }

  async #change(
    caller: Caller,
    id: PatientId,
    conditions: Conditions,
    next: (stored: PatientRow) => PatientFields,
  ): Promise<PatientRow> {
    return writeOptimistically(this.#database, async (transaction, lock) => {
      const store = new PatientStore(transaction);
      if (lock) await store.lock(caller.accountId, id);
      const stored = found(await store.find(caller.accountId, id));
      conditions.checkWrite(stored.revision);
      const fields = next(stored);
      const changed = changedFields(stored, fields);
      // A write that changes nothing is no new state: whoever holds the tag of the old one still holds the right one.
      if (changed.length === 0) return stored;
      const updatedAt = new Date();
      if (!(await store.write(stored, fields, updatedAt))) return undefined;
      const written = { ...stored, ...fields, updatedAt, revision: stored.revision + 1 };
      await store.addChange(written, { action: 'updated', fields: changed, keyId: caller.keyId, changedAt: updatedAt });
      await announce(transaction, written, 'updated', updatedAt);
      return written;
    });
  }
}

/** Tells of a change in its own transaction. */
async function announce(
  transaction: DatabaseTransaction,
  row: PatientRow,
  action: PatientAction,
  at: Date,
): Promise<void> {
  const { accountId, id } = row;
  // Of a deleted patient no copy is made.
  const document = action === 'deleted' ? null : toPatient(row);
  await recordEvent(transaction, { accountId, kind: `patient.${action}`, objectId: id, patientId: id, document, at });
}

/** Parts of a search that mean one field alone: a date of birth, an email address, an identifier. The rest is words. */
function readSearch(
  text: string,
  filters: PatientFilters,
): { readonly rest: string; readonly filters: PatientFilters } {
  const meant: { dob?: string; email?: string; id?: PatientId } = {};
  const rest: string[] = [];
  for (const part of text.split(/\s+/).filter((each) => each !== '')) {
    if (/^\d{4}-(0[1-9]|1[0-2])-\d{2}$/.test(part) && isDay(part)) meant.dob ??= part;
    else if (/^[^@]+@[^@]+\.[^@]+$/.test(part)) meant.email ??= part;
    else if (/^pat_[0-9A-Za-z]{8,64}$/.test(part)) meant.id ??= part as PatientId;
    else rest.push(part);
  }
  return { rest: rest.join(' '), filters: { ...meant, ...filters } };
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function idFaults(given: unknown, id: PatientId): readonly ErrorDetail[] {
  return given === undefined || given === null || given === id ? [] : [faultAt('/id', 'immutable')];
}

function birthFaults(dob: string | undefined, now: Date): readonly ErrorDetail[] {
  if (dob === undefined) return [];
  const latest = new Date(now.getTime() + EARLIEST_ZONE_HOURS * HOUR_MS).toISOString().slice(0, 10);
  if (dob > latest) return [faultAt('/dob', 'in_future')];
  const earliest = `${String(now.getUTCFullYear() - AGE_YEARS_MAX).padStart(4, '0')}${now.toISOString().slice(4, 10)}`;
  return dob < earliest ? [faultAt('/dob', 'implausible')] : [];
}
