import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId, SubscriptionId } from '@perennial/schemas/platform/ids.ts';
import type { SubscriptionReason, SubscriptionState } from '@perennial/schemas/resources/webhook.ts';
import { after, orderBy } from '../platform/keyset.ts';
import type { ListRequest } from '../platform/ordering.ts';
import type { Found } from '../platform/paging.ts';
import type { SubscriptionFields, SubscriptionRow } from './subscription.ts';

/** The columns that change when a subscription is paused, disabled or activated. */
export interface SubscriptionStanding {
  readonly state: SubscriptionState;
  readonly reason: SubscriptionReason | null;
}

/** Subscriptions in the database. Every query of a caller names the account. */
export class SubscriptionStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  async find(accountId: AccountId, id: SubscriptionId): Promise<SubscriptionRow | undefined> {
    const row = await this.#database.webhookSubscription.findFirst({ where: { id, accountId } });
    // The columns hold only what validation let through.
    return (row as SubscriptionRow | null) ?? undefined;
  }

  /** Makes others wait with writing the subscription until this transaction ends. */
  async lock(accountId: AccountId, id: SubscriptionId): Promise<void> {
    await this.#database
      .$queryRaw`SELECT 1 FROM core.webhook_subscriptions WHERE id = ${id} AND account_id = ${accountId} FOR UPDATE`;
  }

  async list(accountId: AccountId, request: ListRequest): Promise<Found<SubscriptionRow>> {
    const { keys, position, limit, includeTotal } = request;
    const start = position && 'after' in position ? Prisma.sql`AND ${after(keys, position.after)}` : Prisma.empty;
    const skip = position && 'offset' in position ? Prisma.sql`OFFSET ${position.offset}` : Prisma.empty;
    const [ids, total] = await Promise.all([
      this.#database.$queryRaw<{ id: SubscriptionId }[]>`
        SELECT id FROM core.webhook_subscriptions WHERE account_id = ${accountId} ${start}
        ${orderBy(keys)} LIMIT ${limit + 1} ${skip}`,
      includeTotal ? this.countOf(accountId) : undefined,
    ]);
    const rows = await this.#database.webhookSubscription.findMany({ where: { id: { in: ids.map(({ id }) => id) } } });
    const byId = new Map(rows.map((row) => [row.id, row as SubscriptionRow]));
    return { rows: ids.flatMap(({ id }) => byId.get(id) ?? []), total };
  }

  async countOf(accountId: AccountId): Promise<number> {
    return this.#database.webhookSubscription.count({ where: { accountId } });
  }

  /** Makes others of the account who add subscriptions wait, so that all of them count the same. */
  async lockAccount(accountId: AccountId): Promise<void> {
    await this.#database.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`webhooks ${accountId}`}, 0))::text`;
  }

  async insert(row: SubscriptionRow): Promise<void> {
    await this.#database.webhookSubscription.create({ data: { ...row, kinds: [...row.kinds] }, select: { id: true } });
  }

  /** Writes the fields if the subscription is still at the revision read. @returns whether it was. */
  async write(read: SubscriptionRow, fields: SubscriptionFields, updatedAt: Date): Promise<boolean> {
    const { count } = await this.#database.webhookSubscription.updateMany({
      where: { id: read.id, revision: read.revision },
      data: { ...fields, kinds: [...fields.kinds], updatedAt, revision: read.revision + 1 },
    });
    return count === 1;
  }

  /** @returns whether the subscription was still at the revision read. */
  async writeSecret(
    read: SubscriptionRow,
    secrets: Pick<SubscriptionRow, 'secret' | 'previousSecret' | 'previousSecretExpiresAt'>,
    updatedAt: Date,
  ): Promise<boolean> {
    const { count } = await this.#database.webhookSubscription.updateMany({
      where: { id: read.id, revision: read.revision },
      data: { ...secrets, updatedAt, revision: read.revision + 1 },
    });
    return count === 1;
  }

  /** @returns whether the subscription was still at the revision read. */
  async writeStanding(read: SubscriptionRow, { state, reason }: SubscriptionStanding, at: Date): Promise<boolean> {
    const { count } = await this.#database.webhookSubscription.updateMany({
      where: { id: read.id, revision: read.revision },
      data: {
        state,
        stateReason: reason,
        stateChangedAt: at,
        updatedAt: at,
        revision: read.revision + 1,
        // A subscription that is activated again starts with no failures.
        ...(state === 'active' ? { failingSince: null, isSlow: false } : {}),
      },
    });
    return count === 1;
  }

  /** Stores the outcome of the last attempt. The revision does not change. */
  async recordOutcome(id: SubscriptionId, succeeded: boolean, isSlow: boolean, at: Date): Promise<void> {
    await this.#database.$executeRaw`
      UPDATE core.webhook_subscriptions
      SET is_slow = ${isSlow},
        failing_since = CASE WHEN ${succeeded} THEN NULL
          ELSE coalesce(failing_since, ${at.toISOString()}::text::timestamptz) END
      WHERE id = ${id}`;
  }

  /** @returns whether the subscription was still there, at the revision read. */
  async remove(read: SubscriptionRow): Promise<boolean> {
    const { count } = await this.#database.webhookSubscription.deleteMany({
      where: { id: read.id, revision: read.revision },
    });
    return count === 1;
  }

  /** Queues the held deliveries of the subscription. */
  async releaseHeld(subscriptionId: SubscriptionId): Promise<void> {
    await this.#database.webhookDelivery.updateMany({
      where: { subscriptionId, state: 'held' },
      data: { state: 'waiting', leasedUntil: null, ticket: { increment: 1 } },
    });
  }

  /** Active subscriptions to one of the releases, of every account. */
  async activeAt(versions: readonly string[], limit: number): Promise<readonly SubscriptionRow[]> {
    const rows = await this.#database.webhookSubscription.findMany({
      where: { state: 'active', version: { in: [...versions] } },
      take: limit,
    });
    return rows as SubscriptionRow[];
  }
}
