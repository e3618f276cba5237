import type { Database } from '@perennial/prisma/client.ts';
import type {
  Begun,
  ClaimedDelivery,
  FinishRequest,
  NextStep,
  QueuedRequest,
} from '@perennial/schemas/internal/webhooks.ts';
import { Fault, invalidAt } from '@perennial/schemas/platform/http/fault.ts';
import { type AccountId, type DeliveryId, newId, type SubscriptionId } from '@perennial/schemas/platform/ids.ts';
import type { WebhookReplayRequest } from '@perennial/schemas/resources/webhook.ts';
import { toEvent } from '../platform/events/event.ts';
import { recordEvent } from '../platform/events/record-event.ts';
import type { ListRequest } from '../platform/ordering.ts';
import type { Found } from '../platform/paging.ts';
import { found } from '../platform/refusals.ts';
import type { AttemptRow, DeliveryRow } from './delivery.ts';
import { type AttemptableRow, type DeliveryFilters, DeliveryStore, type WaitingRow } from './delivery-store.ts';
import type { SubscriptionSecrets } from './secrets.ts';
import { giveUp } from './standing.ts';
import { SubscriptionStore } from './store.ts';
import { type SubscriptionRow, toSubscription } from './subscription.ts';

const DAY_MS = 86_400_000;
/** A subscription whose deliveries have all failed for this long is disabled. */
export const FAILING_DAYS_MAX = 5;
/** Events of one replay. */
const REPLAY_MAX = 10_000;
const SUNSET_BATCH = 100;

/** Where a delivery is: both identifiers come from the path. */
export interface DeliveryPlace {
  readonly subscriptionId: SubscriptionId;
  readonly deliveryId: DeliveryId;
}

/** Deliveries: the operations of clients, and those by which the gateway delivers. */
export class DeliveryService {
  readonly #database: Database;
  readonly #store: DeliveryStore;
  readonly #secrets: SubscriptionSecrets;

  constructor(database: Database, secrets: SubscriptionSecrets) {
    this.#database = database;
    this.#store = new DeliveryStore(database);
    this.#secrets = secrets;
  }

  /** @throws Fault `not_found` */
  async get(accountId: AccountId, { subscriptionId, deliveryId }: DeliveryPlace): Promise<DeliveryRow> {
    return found(await this.#store.find(accountId, subscriptionId, deliveryId));
  }

  /** @throws Fault `not_found` when the subscription is not there. */
  async list(
    accountId: AccountId,
    subscriptionId: SubscriptionId,
    filters: DeliveryFilters,
    request: ListRequest,
  ): Promise<Found<DeliveryRow>> {
    await this.#subscription(accountId, subscriptionId);
    return this.#store.list(subscriptionId, filters, request);
  }

  /** @throws Fault `not_found` */
  async attempts(accountId: AccountId, place: DeliveryPlace, request: ListRequest): Promise<Found<AttemptRow>> {
    await this.get(accountId, place);
    return this.#store.attempts(place.deliveryId, request);
  }

  /** Sends a delivery again, with the same bytes. @throws Fault `subscription_inactive`, `delivery_erased` */
  async resend(accountId: AccountId, place: DeliveryPlace): Promise<DeliveryRow> {
    needActive(await this.#subscription(accountId, place.subscriptionId));
    await this.get(accountId, place);
    if (!(await this.#store.resend(place.deliveryId))) throw new Fault('delivery_erased');
    return this.get(accountId, place);
  }

  /** Sends a test event. @throws Fault `subscription_inactive` */
  async test(accountId: AccountId, subscriptionId: SubscriptionId): Promise<DeliveryRow> {
    return this.#database.$transaction(async (transaction) => {
      const subscription = await new SubscriptionStore(transaction).find(accountId, subscriptionId);
      needActive(found(subscription));
      const at = new Date();
      const eventId = await recordEvent(transaction, {
        accountId,
        kind: 'webhook.test',
        objectId: subscriptionId,
        document: toSubscription(found(subscription), at),
        at,
        onlyTo: subscriptionId,
      });
      return found(await new DeliveryStore(transaction).findByEvent(subscriptionId, eventId));
    });
  }

  /**
   * Sends events again, or for the first time when the subscription was not served at their time.
   * @returns how many deliveries wait because of it.
   * @throws Fault `not_found`, `subscription_inactive`, `validation_failed`
   */
  async replay(accountId: AccountId, subscriptionId: SubscriptionId, request: WebhookReplayRequest): Promise<number> {
    const subscription = await this.#subscription(accountId, subscriptionId);
    needActive(subscription);
    const { event_id: eventId, from } = request;
    if (eventId === undefined && from === undefined) throw invalidAt('/event_id', 'missing_input');
    if (eventId !== undefined && from !== undefined) throw invalidAt('/from', 'not_both');
    const now = new Date();
    const choice = {
      ...(eventId === undefined ? {} : { eventId }),
      ...(from === undefined ? {} : { from: instantAt('/from', from) }),
      to: request.to === undefined ? new Date(now.getTime() + 1) : instantAt('/to', request.to),
      kinds: wantedKinds(subscription.kinds, request.kinds),
    };
    if (choice.kinds === undefined) return 0;
    const events = await this.#store.eventsOf(accountId, { ...choice, kinds: choice.kinds }, REPLAY_MAX + 1);
    if (eventId !== undefined && events.length === 0) throw invalidAt('/event_id', 'not_allowed_value');
    if (events.length > REPLAY_MAX) throw invalidAt('/from', 'too_many');
    if (events.length === 0) return 0;
    const named = events.map((event) => ({ ...event, deliveryId: newId('dlv') }));
    return this.#store.replay({ accountId, subscriptionId }, named, now);
  }

  /** Claims deliveries to be rendered and queued. Those of inactive subscriptions are held back. */
  async claim(limit: number, leaseMs: number): Promise<readonly ClaimedDelivery[]> {
    const rows = await this.#store.claim(limit, new Date(), leaseMs);
    const inactive = rows.filter(({ isActive }) => !isActive);
    if (inactive.length > 0) await this.#store.hold(inactive.map(({ deliveryId }) => deliveryId));
    return rows.filter(({ isActive }) => isActive).map(toClaimed);
  }

  async queued(deliveries: QueuedRequest['deliveries']): Promise<void> {
    await this.#database.$transaction((transaction) => new DeliveryStore(transaction).record(deliveries, new Date()));
  }

  /** The signed request to send now, or what else to do with the job. */
  async begin(id: DeliveryId, ticket: number): Promise<Begun> {
    const row = await this.#store.attemptable(id, false);
    if (!row) return { kind: 'done' };
    if (row.ticket !== ticket) return nextOf(row);
    if (row.state === 'waiting') return { kind: 'wait' };
    if (row.state !== 'pending') return { kind: 'done' };
    if (!row.isActive) {
      await this.#store.hold([id]);
      return { kind: 'done' };
    }
    if (row.body === null) {
      await this.#store.finish(id, 'failed', new Date());
      return { kind: 'done' };
    }
    return {
      kind: 'send',
      url: row.url,
      subscription_id: row.subscriptionId,
      account_id: row.accountId,
      patient_id: row.patientId,
      version: row.pin,
      headers: this.#signed(row, row.body),
      body: row.body,
      tries: row.tries,
    };
  }

  /** Records an attempt and what it means for delivery and subscription. */
  async finish(id: DeliveryId, attempt: FinishRequest): Promise<NextStep> {
    return this.#database.$transaction(async (transaction) => {
      const store = new DeliveryStore(transaction);
      const row = await store.attemptable(id, true);
      if (!row) return { kind: 'done' };
      // Told twice, or overtaken by a resend.
      if (row.ticket !== attempt.ticket) return nextOf(row);
      const now = new Date();
      const { duration_ms: durationMs, status, outcome } = attempt;
      const startedAt = new Date(attempt.started_at);
      await store.addAttempt(id, { number: row.attempts + 1, startedAt, durationMs, status, outcome });
      const again = outcome === 'delivered' || attempt.is_gone ? null : attempt.next_attempt_at;
      if (again !== null) await store.tryAgain(id, new Date(again));
      else await store.finish(id, outcome === 'delivered' ? 'delivered' : 'failed', now);

      const subscriptions = new SubscriptionStore(transaction);
      await subscriptions.recordOutcome(row.subscriptionId, outcome === 'delivered', attempt.is_slow, now);
      const subscription = await subscriptions.find(row.accountId, row.subscriptionId);
      if (subscription?.state === 'active') {
        if (attempt.is_gone)
          await giveUp(transaction, subscription, { state: 'disabled', reason: 'receiver_gone' }, now);
        else if (isFailingForDays(subscription, now))
          await giveUp(transaction, subscription, { state: 'disabled', reason: 'failing' }, now);
      }
      return again === null
        ? { kind: 'done' }
        : {
            kind: 'again',
            ticket: row.ticket + 1,
            at: new Date(again).toISOString(),
            subscription_id: row.subscriptionId,
          };
    });
  }

  /** Pauses what is pinned to releases that have reached their sunset. @returns how many subscriptions. */
  async pauseSunset(versions: readonly string[]): Promise<number> {
    let paused = 0;
    for (;;) {
      const batch = await new SubscriptionStore(this.#database).activeAt(versions, SUNSET_BATCH);
      for (const subscription of batch) {
        const done = await this.#database.$transaction((transaction) =>
          giveUp(transaction, subscription, { state: 'paused', reason: 'version_sunset' }, new Date()),
        );
        if (done) paused += 1;
      }
      if (batch.length < SUNSET_BATCH) return paused;
    }
  }

  #signed(row: AttemptableRow, body: string): Readonly<Record<string, string>> {
    const at = new Date();
    const overlaps = row.previousSecret !== null && (row.previousSecretExpiresAt?.getTime() ?? 0) > at.getTime();
    const secrets = [row.secret, ...(overlaps ? [row.previousSecret as string] : [])];
    return {
      'webhook-id': row.eventId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': this.#secrets.sign(row.subscriptionId, secrets, { id: row.eventId, at, body }),
    };
  }

  async #subscription(accountId: AccountId, id: SubscriptionId): Promise<SubscriptionRow> {
    return found(await new SubscriptionStore(this.#database).find(accountId, id));
  }
}

/** The next step of a job whose ticket is obsolete. */
function nextOf(row: AttemptableRow): NextStep {
  return row.state === 'pending' && row.nextAttemptAt !== null
    ? { kind: 'again', ticket: row.ticket, at: row.nextAttemptAt.toISOString(), subscription_id: row.subscriptionId }
    : { kind: 'done' };
}

function toClaimed(row: WaitingRow): ClaimedDelivery {
  return {
    id: row.deliveryId,
    ticket: row.ticket,
    subscription_id: row.subscriptionId,
    version: row.version,
    payload: row.payload,
    is_slow: row.isSlow,
    is_rendered: row.isRendered,
    head_release: row.headRelease,
    event: row.isRendered ? null : toEvent(row),
  };
}

function isFailingForDays({ failingSince }: SubscriptionRow, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= FAILING_DAYS_MAX * DAY_MS;
}

/** The kinds in both lists. Empty means all kinds; undefined means that they have none in common. */
function wantedKinds(own: readonly string[], asked: readonly string[] | undefined): readonly string[] | undefined {
  if (asked === undefined || asked.length === 0) return own;
  if (own.length === 0) return asked;
  const both = asked.filter((kind) => own.includes(kind));
  return both.length === 0 ? undefined : both;
}

function instantAt(pointer: string, text: string): Date {
  const instant = new Date(text);
  // PostgreSQL has no year 0, and years of more than four digits are written otherwise.
  if (Number.isNaN(instant.getTime()) || !/^(?!0000)\d{4}-/.test(instant.toISOString()))
    throw invalidAt(pointer, 'wrong_format');
  return instant;
}

function needActive({ state }: SubscriptionRow): void {
  if (state !== 'active') throw new Fault('subscription_inactive');
}
