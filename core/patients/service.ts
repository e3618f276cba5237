import type { Database } from '@perennial/prisma/client.ts';
import { newId } from '@perennial/prisma/ids.ts';
import { Fault, invalid } from '@perennial/schemas/http/fault.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import type { Conditions } from '../http/conditions.ts';
import type { Found } from '../paging.ts';
import {
  applyPatch,
  fromWrite,
  type PatientFields,
  type PatientPatch,
  type PatientRow,
  type PatientWrite,
  sameFields,
} from './patient.ts';
import { type PatientListing, PatientStore } from './store.ts';

/** Everybody alive was born within it. */
const AGE_YEARS_MAX = 150;
/** Where the day begins first: a child born today in Kiribati is not born in the future, wherever this server is. */
const EARLIEST_ZONE_HOURS = 14;
const HOUR_MS = 3_600_000;
/** The first try is without a lock; the ones after it wait for their turn, so the second is nearly always the last. */
const TRIES_MAX = 3;

/** Patients, by the rules of the contract. */
export class PatientService {
  readonly #database: Database;
  readonly #store: PatientStore;

  constructor(database: Database) {
    this.#database = database;
    this.#store = new PatientStore(database);
  }

  async create(accountId: string, body: PatientWrite): Promise<PatientRow> {
    const now = new Date();
    refuse(birthFaults(body.dob, now));
    const row: PatientRow = {
      id: newId('pat'),
      accountId,
      ...fromWrite(body),
      revision: 1,
      createdAt: now,
      updatedAt: now,
    };
    await this.#store.insert(row);
    return row;
  }

  /** @throws Fault `not_found` */
  async get(accountId: string, id: string): Promise<PatientRow> {
    return found(await this.#store.find(accountId, id));
  }

  async list(accountId: string, listing: PatientListing): Promise<Found<PatientRow>> {
    return this.#store.list(accountId, listing);
  }

  /** Writes the whole patient: what the body leaves out is cleared. */
  async replace(accountId: string, id: string, body: PatientWrite, conditions: Conditions): Promise<PatientRow> {
    refuse([...idFaults(body.id, id), ...birthFaults(body.dob, new Date())]);
    const fields = fromWrite(body);
    return this.#change(accountId, id, conditions, () => fields);
  }

  /** Merges the patch into the patient as it is at the moment of writing. */
  async update(accountId: string, id: string, patch: PatientPatch, conditions: Conditions): Promise<PatientRow> {
    refuse([...idFaults(patch.id, id), ...birthFaults(patch.dob, new Date())]);
    return this.#change(accountId, id, conditions, (stored) => applyPatch(stored, patch));
  }

  async remove(accountId: string, id: string, conditions: Conditions): Promise<void> {
    await this.#attempt(accountId, id, conditions, async (store, stored) =>
      (await store.markDeleted(stored, new Date())) ? stored : undefined,
    );
  }

  async #change(
    accountId: string,
    id: string,
    conditions: Conditions,
    next: (stored: PatientRow) => PatientFields,
  ): Promise<PatientRow> {
    return this.#attempt(accountId, id, conditions, async (store, stored) => {
      const fields = next(stored);
      // A write that changes nothing is no new state: whoever holds the tag of the old one still holds the right one.
      if (sameFields(stored, fields)) return stored;
      const updatedAt = new Date();
      const written = await store.write(stored, fields, updatedAt);
      return written ? { ...stored, ...fields, updatedAt, revision: stored.revision + 1 } : undefined;
    });
  }

  /**
   * Reads, checks and writes in one transaction. When somebody else has written in between (`write` gives undefined)
   * it is all done again on the newer state, which a caller that named the state it had read will find changed.
   */
  async #attempt(
    accountId: string,
    id: string,
    conditions: Conditions,
    write: (store: PatientStore, stored: PatientRow) => Promise<PatientRow | undefined>,
  ): Promise<PatientRow> {
    for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
      const written = await this.#database.$transaction(async (transaction) => {
        const store = new PatientStore(transaction);
        if (attempt > 1) await store.lock(accountId, id);
        const stored = found(await store.find(accountId, id));
        conditions.checkWrite(stored.revision);
        return write(store, stored);
      });
      if (written) return written;
    }
    throw new Fault('conflict');
  }
}

/** Missing, deleted and another account's are one and the same answer. */
function found(row: PatientRow | null): PatientRow {
  if (!row) throw new Fault('not_found');
  return row;
}

function refuse(faults: readonly ErrorDetail[]): void {
  if (faults.length > 0) throw invalid(faults);
}

function idFaults(given: unknown, id: string): readonly ErrorDetail[] {
  return given === undefined || given === null || given === id ? [] : [faultAt('/id', 'immutable')];
}

function birthFaults(dob: string | undefined, now: Date): readonly ErrorDetail[] {
  if (dob === undefined) return [];
  const latest = new Date(now.getTime() + EARLIEST_ZONE_HOURS * HOUR_MS).toISOString().slice(0, 10);
  if (dob > latest) return [faultAt('/dob', 'in_future')];
  const earliest = `${String(now.getUTCFullYear() - AGE_YEARS_MAX).padStart(4, '0')}${now.toISOString().slice(4, 10)}`;
  return dob < earliest ? [faultAt('/dob', 'implausible')] : [];
}
