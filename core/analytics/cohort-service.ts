import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@perennial/prisma/client.ts';
import type { BodyAt } from '@perennial/schemas/operation-types.ts';
import { Fault, invalid, invalidAt } from '@perennial/schemas/platform/http/fault.ts';
import { type AccountId, type CohortId, newId } from '@perennial/schemas/platform/ids.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import type { Conditions } from '../platform/http/conditions.ts';
import type { Found } from '../platform/paging.ts';
import { found } from '../platform/refusals.ts';
import { type CohortFields, type CohortListing, type CohortRow, CohortStore } from './cohort-store.ts';
import { type CriterionWrite, completeAll, criteriaFaults } from './criteria.ts';

/** Body of create and replace, as validated: `Cohort.create`. */
export type CohortWrite = BodyAt<'Cohort.create'>;
/** Body of update, as validated: `Cohort.patch`. */
export type CohortPatch = BodyAt<'Cohort.patch'>;

/** Cohorts an account can keep. */
export const COHORTS_MAX = 200;
const TRIES_MAX = 3;

/** Saved cohorts, by the rules of the contract. */
export class CohortService {
  readonly #database: Database;
  readonly #store: CohortStore;

  constructor(database: Database) {
    this.#database = database;
    this.#store = new CohortStore(database);
  }

  async create(accountId: AccountId, body: CohortWrite): Promise<CohortRow> {
    const fields = checked(body);
    const now = new Date();
    const row: CohortRow = { id: newId('coh'), accountId, ...fields, revision: 1, createdAt: now, updatedAt: now };
    await this.#database.$transaction(async (transaction) => {
      const store = new CohortStore(transaction);
      await store.lockAccount(accountId);
      if ((await store.count(accountId)) >= COHORTS_MAX) {
        throw new Fault('validation_failed', {
          message: `An account can keep ${COHORTS_MAX} cohorts. Delete one that is no longer needed.`,
          details: [faultAt('', 'too_many')],
        });
      }
      await store.insert(row);
    });
    return row;
  }

  /** @throws Fault `not_found` */
  async get(accountId: AccountId, id: CohortId): Promise<CohortRow> {
    return found(await this.#store.find(accountId, id));
  }

  /** Cohorts by the entries of `cohort_ids`. @throws Fault `not_found` naming the first that is missing. */
  async all(accountId: AccountId, ids: readonly CohortId[]): Promise<readonly CohortRow[]> {
    const rows: CohortRow[] = [];
    for (const [at, id] of ids.entries()) {
      const row = await this.#store.find(accountId, id);
      if (!row) {
        const details = [faultAt(`/cohort_ids/${at}`, 'not_allowed_value')];
        throw new Fault('not_found', { details });
      }
      rows.push(row);
    }
    return rows;
  }

  async list(accountId: AccountId, listing: CohortListing): Promise<Found<CohortRow>> {
    return this.#store.list(accountId, listing);
  }

  /** Writes the whole cohort: what the body leaves out is cleared. */
  async replace(accountId: AccountId, id: CohortId, body: CohortWrite, conditions: Conditions): Promise<CohortRow> {
    checkId(body.id, id);
    const fields = checked(body);
    return this.#change(accountId, id, conditions, () => fields);
  }

  /** Merges the patch into the cohort; criteria are replaced as a whole. */
  async update(accountId: AccountId, id: CohortId, patch: CohortPatch, conditions: Conditions): Promise<CohortRow> {
    checkId(patch.id, id);
    if (patch.criteria) refuseFaults(patch.criteria);
    return this.#change(accountId, id, conditions, (stored) => ({
      name: patch.name ?? stored.name,
      description: patch.description === undefined ? stored.description : patch.description,
      criteria: patch.criteria ? completeAll(patch.criteria) : stored.criteria,
    }));
  }

  async remove(accountId: AccountId, id: CohortId, conditions: Conditions): Promise<void> {
    await this.#attempt(accountId, id, conditions, async (store, stored) =>
      (await store.remove(stored)) ? stored : undefined,
    );
  }

  async #change(
    accountId: AccountId,
    id: CohortId,
    conditions: Conditions,
    next: (stored: CohortRow) => CohortFields,
  ): Promise<CohortRow> {
    return this.#attempt(accountId, id, conditions, async (store, stored) => {
      const fields = next(stored);
      const { name, description, criteria } = stored;
      // A write that changes nothing is no new state.
      if (isDeepStrictEqual(fields, { name, description, criteria })) return stored;
      const updatedAt = new Date();
      const written = await store.write(stored, fields, updatedAt);
      return written ? { ...stored, ...fields, updatedAt, revision: stored.revision + 1 } : undefined;
    });
  }

  /** Reads, checks and writes; all of it again when somebody else has written in between. */
  async #attempt(
    accountId: AccountId,
    id: CohortId,
    conditions: Conditions,
    write: (store: CohortStore, stored: CohortRow) => Promise<CohortRow | undefined>,
  ): Promise<CohortRow> {
    for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
      const stored = await this.get(accountId, id);
      conditions.checkWrite(stored.revision);
      const written = await write(this.#store, stored);
      if (written) return written;
    }
    throw new Fault('conflict');
  }
}

function checkId(given: unknown, id: CohortId): void {
  if (given !== undefined && given !== null && given !== id) throw invalidAt('/id', 'immutable');
}

function checked({ name, description, criteria: written }: CohortWrite): CohortFields {
  const criteria = written ?? [];
  refuseFaults(criteria);
  return { name, description: description ?? null, criteria: completeAll(criteria) };
}

function refuseFaults(criteria: readonly CriterionWrite[]): void {
  const faults = criteriaFaults(criteria);
  if (faults.length > 0) throw invalid(faults);
}
