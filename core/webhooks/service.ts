import type { Database } from '@perennial/prisma/client.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { type AccountId, newId, type SubscriptionId } from '@perennial/schemas/platform/ids.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import { headRelease } from '../head-release.ts';
import { allKinds, mayRead } from '../platform/events/event.ts';
import type { Conditions } from '../platform/http/conditions.ts';
import { writeOptimistically } from '../platform/optimistic.ts';
import type { ListRequest } from '../platform/ordering.ts';
import type { Found } from '../platform/paging.ts';
import { found, refuse } from '../platform/refusals.ts';
import { type DestinationRules, destinationFaults } from './destination.ts';
import type { SubscriptionSecrets } from './secrets.ts';
import { type SubscriptionStanding, SubscriptionStore } from './store.ts';
import {
  applyPatch,
  fromWrite,
  isSame,
  type SubscriptionFields,
  type SubscriptionPatch,
  type SubscriptionRow,
  type SubscriptionWrite,
} from './subscription.ts';

/** Subscriptions of one account. */
const SUBSCRIPTIONS_MAX = 100;
const OVERLAP_HOURS_DEFAULT = 24;
const HOUR_MS = 3_600_000;

/** A subscription with its secret in clear. */
export interface WithSecret {
  readonly row: SubscriptionRow;
  readonly secret: string;
}

/** Webhook subscriptions, by the rules of the contract. */
export class SubscriptionService {
  readonly #database: Database;
  readonly #store: SubscriptionStore;
  readonly #secrets: SubscriptionSecrets;
  readonly #destinations: DestinationRules;

  constructor(database: Database, secrets: SubscriptionSecrets, destinations: DestinationRules) {
    this.#database = database;
    this.#store = new SubscriptionStore(database);
    this.#secrets = secrets;
    this.#destinations = destinations;
  }

  /** @throws Fault `validation_failed`, `limit_reached` */
  async create(caller: Caller, body: SubscriptionWrite): Promise<WithSecret> {
    const fields = fromWrite(body, headRelease);
    refuse([...(await destinationFaults(fields.url, this.#destinations)), ...readFaults(caller, fields)]);
    const now = new Date();
    const id = newId('whk');
    const secret = this.#secrets.create();
    const row: SubscriptionRow = {
      id,
      accountId: caller.accountId,
      ...fields,
      state: 'active',
      stateReason: null,
      stateChangedAt: now,
      secret: this.#secrets.encrypt(id, secret),
      previousSecret: null,
      previousSecretExpiresAt: null,
      failingSince: null,
      isSlow: false,
      revision: 1,
      createdAt: now,
      updatedAt: now,
    };
    await this.#database.$transaction(async (transaction) => {
      const store = new SubscriptionStore(transaction);
      await store.lockAccount(caller.accountId);
      if ((await store.countOf(caller.accountId)) >= SUBSCRIPTIONS_MAX) throw new Fault('limit_reached');
      await store.insert(row);
    });
    return { row, secret };
  }

  /** @throws Fault `not_found` */
  async get(accountId: AccountId, id: SubscriptionId): Promise<SubscriptionRow> {
    return found(await this.#store.find(accountId, id));
  }

  async list(accountId: AccountId, request: ListRequest): Promise<Found<SubscriptionRow>> {
    return this.#store.list(accountId, request);
  }

  /** Merges the patch into the subscription as it is at the moment of writing. */
  async update(
    caller: Caller,
    id: SubscriptionId,
    patch: SubscriptionPatch,
    conditions: Conditions,
  ): Promise<SubscriptionRow> {
    const isOther = patch.id !== undefined && patch.id !== null && patch.id !== id;
    refuse([
      ...(isOther ? [faultAt('/id', 'immutable')] : []),
      ...(patch.url === undefined ? [] : await destinationFaults(patch.url, this.#destinations)),
    ]);
    return this.#write(caller.accountId, id, async (store, stored) => {
      conditions.checkWrite(stored.revision);
      const fields = applyPatch(stored, patch);
      refuse(readFaults(caller, fields));
      // A write that changes nothing is no new state.
      if (isSame(stored, fields)) return stored;
      const updatedAt = new Date();
      if (!(await store.write(stored, fields, updatedAt))) return undefined;
      return { ...stored, ...fields, updatedAt, revision: stored.revision + 1 };
    });
  }

  async remove(accountId: AccountId, id: SubscriptionId, conditions: Conditions): Promise<void> {
    await this.#write(accountId, id, async (store, stored) => {
      conditions.checkWrite(stored.revision);
      return (await store.remove(stored)) ? stored : undefined;
    });
  }

  async pause(accountId: AccountId, id: SubscriptionId, conditions: Conditions): Promise<SubscriptionRow> {
    return this.#stand(accountId, id, conditions, { state: 'paused', reason: 'requested' });
  }

  /** Activates the subscription again; held deliveries are sent first. */
  async resume(accountId: AccountId, id: SubscriptionId, conditions: Conditions): Promise<SubscriptionRow> {
    return this.#stand(accountId, id, conditions, { state: 'active', reason: null });
  }

  /** Replaces the secret. For the overlap, deliveries are signed with the old one as well. */
  async rotateSecret(
    accountId: AccountId,
    id: SubscriptionId,
    overlapHours = OVERLAP_HOURS_DEFAULT,
  ): Promise<WithSecret> {
    const secret = this.#secrets.create();
    const row = await this.#write(accountId, id, async (store, stored) => {
      const now = new Date();
      const secrets = {
        secret: this.#secrets.encrypt(id, secret),
        previousSecret: overlapHours === 0 ? null : stored.secret,
        previousSecretExpiresAt: overlapHours === 0 ? null : new Date(now.getTime() + overlapHours * HOUR_MS),
      };
      if (!(await store.writeSecret(stored, secrets, now))) return undefined;
      return { ...stored, ...secrets, updatedAt: now, revision: stored.revision + 1 };
    });
    return { row, secret };
  }

  async #stand(
    accountId: AccountId,
    id: SubscriptionId,
    conditions: Conditions,
    standing: SubscriptionStanding,
  ): Promise<SubscriptionRow> {
    return this.#write(accountId, id, async (store, stored) => {
      conditions.checkWrite(stored.revision);
      if (stored.state === standing.state && stored.stateReason === standing.reason) return stored;
      const at = new Date();
      if (!(await store.writeStanding(stored, standing, at))) return undefined;
      if (standing.state === 'active') await store.releaseHeld(id);
      const { state, reason: stateReason } = standing;
      return { ...stored, state, stateReason, stateChangedAt: at, updatedAt: at, revision: stored.revision + 1 };
    });
  }

  async #write<T>(
    accountId: AccountId,
    id: SubscriptionId,
    write: (store: SubscriptionStore, stored: SubscriptionRow) => Promise<T | undefined>,
  ): Promise<T> {
    return writeOptimistically(this.#database, async (transaction, lock) => {
      const store = new SubscriptionStore(transaction);
      if (lock) await store.lock(accountId, id);
      return write(store, found(await store.find(accountId, id)));
    });
  }
}

/** A key cannot subscribe to events about objects that it may not read. */
function readFaults(caller: Caller, { kinds, payload }: SubscriptionFields): readonly ErrorDetail[] {
  if (payload === 'thin') return [];
  if (kinds.length === 0) {
    return allKinds.every((kind) => mayRead(caller.scopes, kind)) ? [] : [faultAt('/kinds', 'not_readable')];
  }
  return kinds.flatMap((kind, index) =>
    mayRead(caller.scopes, kind) ? [] : [faultAt(`/kinds/${index}`, 'not_readable')],
  );
}
