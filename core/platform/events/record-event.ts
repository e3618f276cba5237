import { type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { EventKind } from '@perennial/schemas/event-kinds.ts';
import { type AccountId, type EventId, newId, type PatientId } from '@perennial/schemas/platform/ids.ts';
import { headRelease } from '../../head-release.ts';

/** Something that happened to an object. */
export interface NewEvent {
  readonly accountId: AccountId;
  readonly kind: EventKind;
  /** The object it happened to; the kind says of which type it is. */
  readonly objectId: string;
  /** Whose data the document holds: erased with the patient. */
  readonly patientId?: PatientId | null;
  /** The object at head as the change left it, as its own operations would answer it; null when it is gone. */
  readonly document: unknown;
  /** When it happened; now unless told. */
  readonly at?: Date;
  /** The one subscription it is meant for; every active one that takes the kind unless told. */
  readonly onlyTo?: string;
}

/**
 * Writes the event into the outbox, and a delivery of it for every subscription that takes it. Call it inside the
 * transaction of the change and after the change: then the event is there if and only if the change is, and the
 * events of one object are numbered in the order of its changes.
 * @returns the event's id.
 */
export async function recordEvent(transaction: DatabaseTransaction, event: NewEvent): Promise<EventId> {
  const id = newId('evt');
  const { accountId, kind, objectId, patientId = null, document, at = new Date(), onlyTo } = event;
  const json = document === null ? Prisma.sql`NULL` : Prisma.sql`${JSON.stringify(document)}::text::json`;
  const wanted =
    onlyTo === undefined ? Prisma.sql`(cardinality(kinds) = 0 OR ${kind} = ANY (kinds))` : Prisma.sql`id = ${onlyTo}`;
  // The counter row stays locked until the transaction ends, so events of one object are numbered in commit order.
  // The subscriptions are locked so that none is deleted before its delivery is written.
  const subscribers = await transaction.$queryRaw<{ id: string }[]>`
    WITH counted AS (
      INSERT INTO core.event_sequences AS s (object_id, last) VALUES (${objectId}, 1)
      ON CONFLICT (object_id) DO UPDATE SET last = s.last + 1
      RETURNING last
    ), recorded AS (
      INSERT INTO core.events
        (id, account_id, kind, object_id, patient_id, sequence, head_release, document, created_at)
      SELECT ${id}, ${accountId}, ${kind}, ${objectId}, ${patientId}, last, ${headRelease}, ${json},
        ${at.toISOString()}::text::timestamptz
      FROM counted
    )
    SELECT id FROM core.webhook_subscriptions
    WHERE account_id = ${accountId} AND state = 'active' AND ${wanted}
    FOR KEY SHARE`;
  if (subscribers.length > 0) {
    await transaction.webhookDelivery.createMany({
      data: subscribers.map(({ id: subscriptionId }) => ({
        id: newId('dlv'),
        accountId,
        subscriptionId,
        eventId: id,
        kind,
        patientId,
        state: 'waiting',
        createdAt: at,
      })),
    });
  }
  return id;
}
