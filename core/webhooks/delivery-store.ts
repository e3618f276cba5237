import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { QueuedRequest } from '@perennial/schemas/internal/webhooks.ts';
import type { AccountId, DeliveryId, EventId, PatientId, SubscriptionId } from '@perennial/schemas/platform/ids.ts';
import { PAGE_BYTES_MAX } from '@perennial/schemas/resources/page.ts';
import type { EventRow } from '../platform/events/event.ts';
import type { ListRequest } from '../platform/ordering.ts';
import { readPage } from '../platform/page-rows.ts';
import type { Found } from '../platform/paging.ts';
import type { AttemptRow, DeliveryRow } from './delivery.ts';

/** Which deliveries a list holds. */
export interface DeliveryFilters {
  readonly state?: string;
  readonly eventId?: EventId;
}

/** A waiting delivery, with its event. */
export interface WaitingRow extends EventRow {
  readonly deliveryId: DeliveryId;
  readonly ticket: number;
  readonly subscriptionId: SubscriptionId;
  readonly isActive: boolean;
  readonly version: string;
  readonly payload: 'full' | 'thin';
  readonly isSlow: boolean;
  readonly isRendered: boolean;
}

/** A delivery with everything that an attempt needs. */
export interface AttemptableRow {
  readonly id: DeliveryId;
  readonly accountId: AccountId;
  readonly subscriptionId: SubscriptionId;
  readonly eventId: EventId;
  readonly patientId: PatientId | null;
  readonly state: DeliveryRow['state'];
  readonly ticket: number;
  readonly tries: number;
  readonly attempts: number;
  readonly body: string | null;
  readonly nextAttemptAt: Date | null;
  readonly isActive: boolean;
  readonly url: string;
  readonly pin: string;
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousSecretExpiresAt: Date | null;
}

const columns = Prisma.raw(
  [
    'd.id, d.account_id AS "accountId", d.subscription_id AS "subscriptionId", d.event_id AS "eventId", d.kind',
    'd.version, d.state, d.attempts, d.next_attempt_at AS "nextAttemptAt", d.created_at AS "createdAt"',
    'd.finished_at AS "finishedAt"',
  ].join(', '),
);

const attemptable = Prisma.raw(
  [
    'd.id, d.account_id AS "accountId", d.subscription_id AS "subscriptionId", d.event_id AS "eventId", d.state',
    'd.patient_id AS "patientId", d.ticket, d.tries, d.attempts, d.body, d.next_attempt_at AS "nextAttemptAt", s.state = \'active\' AS "isActive"',
    's.url, s.version AS pin, s.secret, s.previous_secret AS "previousSecret"',
    's.previous_secret_expires_at AS "previousSecretExpiresAt"',
  ].join(', '),
);

/** The columns of a delivery that is queued again. Its rendered body is kept. */
const backInLine = Prisma.sql`state = 'waiting', tries = 0, ticket = d.ticket + 1, leased_until = NULL,
  next_attempt_at = NULL, finished_at = NULL`;

/** What was sent has been erased, so that it cannot be sent again. */
const isErased = Prisma.sql`d.version IS NOT NULL AND d.body IS NULL`;

/** Deliveries in the database. */
export class DeliveryStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  async find(accountId: AccountId, subscriptionId: SubscriptionId, id: DeliveryId): Promise<DeliveryRow | undefined> {
    const [row] = await this.#database.$queryRaw<DeliveryRow[]>`
      SELECT ${columns} FROM core.webhook_deliveries d
      WHERE d.id = ${id} AND d.subscription_id = ${subscriptionId} AND d.account_id = ${accountId}`;
    return row;
  }

  async findByEvent(subscriptionId: SubscriptionId, eventId: EventId): Promise<DeliveryRow | undefined> {
    const [row] = await this.#database.$queryRaw<DeliveryRow[]>`
      SELECT ${columns} FROM core.webhook_deliveries d
      WHERE d.subscription_id = ${subscriptionId} AND d.event_id = ${eventId}`;
    return row;
  }

  async list(
    subscriptionId: SubscriptionId,
    filters: DeliveryFilters,
    request: ListRequest,
  ): Promise<Found<DeliveryRow>> {
    const where = Prisma.join(
      [
        Prisma.sql`d.subscription_id = ${subscriptionId}`,
        ...(filters.state === undefined ? [] : [Prisma.sql`d.state = ${filters.state}`]),
        ...(filters.eventId === undefined ? [] : [Prisma.sql`d.event_id = ${filters.eventId}`]),
      ],
      ' AND ',
    );
    const select = Prisma.sql`SELECT ${columns} FROM core.webhook_deliveries d WHERE ${where}`;
    const [page, counted] = await Promise.all([
      readPage<DeliveryRow>(this.#database, select, request),
      request.includeTotal
        ? this.#database.$queryRaw<{ count: bigint }[]>`SELECT count(*) FROM core.webhook_deliveries d WHERE ${where}`
        : undefined,
    ]);
    return { ...page, total: counted && Number(counted[0]?.count ?? 0) };
  }

  async attempts(deliveryId: DeliveryId, request: ListRequest): Promise<Found<AttemptRow>> {
    const select = Prisma.sql`
      SELECT number, started_at AS "startedAt", duration_ms AS "durationMs", status, outcome
      FROM core.webhook_attempts WHERE delivery_id = ${deliveryId}`;
    const [page, total] = await Promise.all([
      readPage<AttemptRow>(this.#database, select, request),
      request.includeTotal ? this.#database.webhookAttempt.count({ where: { deliveryId } }) : undefined,
    ]);
    return { ...page, total };
  }

  /**
   * Claims waiting deliveries, oldest first, with no more of their events than a page has. No other gateway gets them
   * before the lease ends.
   */
  async claim(limit: number, now: Date, leaseMs: number): Promise<readonly WaitingRow[]> {
    const until = new Date(now.getTime() + leaseMs);
    return this.#database.$queryRaw<WaitingRow[]>`
      WITH waiting AS MATERIALIZED (
        SELECT d.id, d.created_at, d.event_id FROM core.webhook_deliveries d
        WHERE d.state = 'waiting' AND (d.leased_until IS NULL OR d.leased_until < ${now.toISOString()}::text::timestamptz)
        ORDER BY d.created_at, d.id LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ), sized AS (
        SELECT w.id, row_number() OVER in_turn AS place,
          sum(coalesce(octet_length(e.document::text), 0)) OVER in_turn AS bytes
        FROM waiting w JOIN core.events e ON e.id = w.event_id
        WINDOW in_turn AS (ORDER BY w.created_at, w.id ROWS UNBOUNDED PRECEDING)
      ), chosen AS (
        SELECT id FROM sized WHERE place = 1 OR bytes <= ${PAGE_BYTES_MAX}::bigint
      ), claimed AS (
        UPDATE core.webhook_deliveries d
        SET leased_until = ${until.toISOString()}::text::timestamptz, ticket = d.ticket + 1
        FROM chosen WHERE d.id = chosen.id
        RETURNING d.id, d.ticket, d.subscription_id, d.event_id, d.body IS NOT NULL AS is_rendered
      )
      SELECT c.id AS "deliveryId", c.ticket, c.subscription_id AS "subscriptionId", c.is_rendered AS "isRendered",
        s.state = 'active' AS "isActive", s.version, s.payload, s.is_slow AS "isSlow",
        e.id, e.account_id AS "accountId", e.kind, e.object_id AS "objectId", e.patient_id AS "patientId", e.sequence,
        e.head_release AS "headRelease", CASE WHEN c.is_rendered THEN NULL ELSE e.document END AS document,
        e.created_at AS "createdAt"
      FROM claimed c JOIN core.webhook_subscriptions s ON s.id = c.subscription_id JOIN core.events e ON e.id = c.event_id
      ORDER BY e.created_at, e.id`;
  }

  /** Holds deliveries until their subscription is active again. */
  async hold(ids: readonly string[]): Promise<void> {
    await this.#database.webhookDelivery.updateMany({
      where: { id: { in: [...ids] }, state: { in: ['waiting', 'pending'] } },
      data: { state: 'held', leasedUntil: null, nextAttemptAt: null },
    });
  }

  /** Records what became of claimed deliveries; those that were claimed again meanwhile stay as they are. */
  async record(deliveries: QueuedRequest['deliveries'], now: Date): Promise<void> {
    const at = Prisma.sql`${now.toISOString()}::text::timestamptz`;
    const queued = deliveries.filter(({ result }) => result === 'queued');
    if (queued.length > 0) {
      await this.#database.$executeRaw`
        UPDATE core.webhook_deliveries d
        SET state = 'pending', body = coalesce(d.body, q.body), version = coalesce(d.version, q.version),
          leased_until = NULL, next_attempt_at = ${at}
        FROM unnest(
          ${queued.map(({ id }) => id)}::text[], ${queued.map(({ ticket }) => ticket)}::int[],
          ${queued.map(({ body }) => body ?? null)}::text[], ${queued.map(({ version }) => version ?? null)}::text[]
        ) AS q (id, ticket, body, version)
        WHERE d.id = q.id AND d.ticket = q.ticket AND d.state = 'waiting'`;
    }
    for (const { id, ticket, result } of deliveries) {
      if (result === 'skipped') {
        await this.#database.webhookDelivery.deleteMany({ where: { id, ticket, state: 'waiting' } });
      } else if (result === 'failed') {
        await this.#database.webhookDelivery.updateMany({
          where: { id, ticket, state: 'waiting' },
          data: { state: 'failed', leasedUntil: null, finishedAt: now },
        });
      }
    }
  }

  /** @param lock makes others wait with the delivery until the transaction ends. */
  async attemptable(id: DeliveryId, lock: boolean): Promise<AttemptableRow | undefined> {
    const [row] = await this.#database.$queryRaw<AttemptableRow[]>`
      SELECT ${attemptable} FROM core.webhook_deliveries d
        JOIN core.webhook_subscriptions s ON s.id = d.subscription_id
      WHERE d.id = ${id} ${lock ? Prisma.sql`FOR UPDATE OF d` : Prisma.empty}`;
    return row;
  }

  async addAttempt(deliveryId: DeliveryId, attempt: AttemptRow): Promise<void> {
    await this.#database.webhookAttempt.create({ data: { deliveryId, ...attempt }, select: { number: true } });
    await this.#database.webhookDelivery.update({
      where: { id: deliveryId },
      data: { attempts: attempt.number },
      select: { id: true },
    });
  }

  async finish(id: DeliveryId, state: 'delivered' | 'failed', finishedAt: Date): Promise<void> {
    await this.#database.webhookDelivery.update({
      where: { id },
      data: { state, finishedAt, nextAttemptAt: null, ticket: { increment: 1 } },
      select: { id: true },
    });
  }

  async tryAgain(id: DeliveryId, nextAttemptAt: Date): Promise<void> {
    await this.#database.webhookDelivery.update({
      where: { id },
      data: { nextAttemptAt, tries: { increment: 1 }, ticket: { increment: 1 } },
      select: { id: true },
    });
  }

  /** Queues a delivery again with the same body. @returns whether the body is still stored. */
  async resend(id: DeliveryId): Promise<boolean> {
    const count = await this.#database.$executeRaw`
      UPDATE core.webhook_deliveries d SET ${backInLine} WHERE d.id = ${id} AND NOT (${isErased})`;
    return count === 1;
  }

  /** Events that a subscription would be sent, oldest first. */
  async eventsOf(
    accountId: AccountId,
    choice: { readonly eventId?: EventId; readonly from?: Date; readonly to: Date; readonly kinds: readonly string[] },
    limit: number,
  ): Promise<readonly Pick<EventRow, 'id' | 'kind' | 'patientId'>[]> {
    const { eventId, from, to, kinds } = choice;
    return this.#database.event.findMany({
      where: {
        accountId,
        ...(eventId === undefined ? {} : { id: eventId }),
        createdAt: { ...(from === undefined ? {} : { gte: from }), lt: to },
        // A test is meant for one subscription.
        kind: kinds.length === 0 ? { not: 'webhook.test' } : { in: kinds.filter((kind) => kind !== 'webhook.test') },
      },
      select: { id: true, kind: true, patientId: true },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: limit,
    }) as Promise<Pick<EventRow, 'id' | 'kind' | 'patientId'>[]>;
  }

  /** Queues events for a subscription, whether or not they were sent before. @returns how many. */
  async replay(
    owner: { readonly accountId: AccountId; readonly subscriptionId: SubscriptionId },
    events: readonly (Pick<EventRow, 'id' | 'kind' | 'patientId'> & { readonly deliveryId: DeliveryId })[],
    now: Date,
  ): Promise<number> {
    return this.#database.$executeRaw`
      INSERT INTO core.webhook_deliveries AS d
        (id, account_id, subscription_id, event_id, kind, patient_id, state, created_at)
      SELECT n.id, ${owner.accountId}, ${owner.subscriptionId}, n.event_id, n.kind, n.patient_id, 'waiting',
        ${now.toISOString()}::text::timestamptz
      FROM unnest(
        ${events.map(({ deliveryId }) => deliveryId)}::text[], ${events.map(({ id }) => id)}::text[],
        ${events.map(({ kind }) => kind)}::text[], ${events.map(({ patientId }) => patientId)}::text[]
      ) AS n (id, event_id, kind, patient_id)
      ON CONFLICT (subscription_id, event_id) DO UPDATE SET ${backInLine} WHERE NOT (${isErased})`;
  }
}
