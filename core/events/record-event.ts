import { type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import { newId } from '@perennial/prisma/ids.ts';
import type { EventKind } from '@perennial/schemas/event-kinds.ts';
import { headRelease } from '../head-release.ts';

/** Something that happened to an object. */
export interface NewEvent {
  readonly accountId: string;
  readonly kind: EventKind;
  /** The object it happened to; the kind says of which type it is. */
  readonly objectId: string;
  /** Whose data the document holds: erased with the patient. */
  readonly patientId?: string | null;
  /** The object at head as the change left it, as its own operations would answer it; null when it is gone. */
  readonly document: unknown;
  /** When it happened; now unless told. */
  readonly at?: Date;
}

/**
 * Writes the event into the outbox. Call it inside the transaction of the change and after the change: then the event
 * is there if and only if the change is, and the events of one object are numbered in the order of its changes.
 * @returns the event's id.
 */
export async function recordEvent(transaction: DatabaseTransaction, event: NewEvent): Promise<string> {
  const id = newId('evt');
  const { accountId, kind, objectId, patientId = null, document, at = new Date() } = event;
  const json = document === null ? Prisma.sql`NULL` : Prisma.sql`${JSON.stringify(document)}::text::json`;
  // The counter's row is locked until the transaction ends: whoever comes second gets the second number.
  await transaction.$executeRaw`
    WITH counted AS (
      INSERT INTO core.event_sequences AS s (object_id, last) VALUES (${objectId}, 1)
      ON CONFLICT (object_id) DO UPDATE SET last = s.last + 1
      RETURNING last
    )
    INSERT INTO core.events
      (id, account_id, kind, object_id, patient_id, sequence, head_release, document, created_at)
    SELECT ${id}, ${accountId}, ${kind}, ${objectId}, ${patientId}, last, ${headRelease}, ${json},
      ${at.toISOString()}::text::timestamptz
    FROM counted`;
  return id;
}
