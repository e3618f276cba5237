import { type EventKind, type EventObjectType, eventKinds } from '@perennial/schemas/event-kinds.ts';
import type { AccountId, EventId, PatientId } from '@perennial/schemas/platform/ids.ts';
import type { Event } from '@perennial/schemas/resources/event.ts';

/** An event as stored. */
export interface EventRow {
  readonly id: EventId;
  readonly accountId: AccountId;
  readonly kind: EventKind;
  readonly objectId: string;
  readonly patientId: PatientId | null;
  readonly sequence: number;
  /** The release whose shape `document` has. */
  readonly headRelease: string;
  readonly document: unknown;
  readonly createdAt: Date;
}

/** The event as answered, at the release at which it was written. Every key is there, in the contract's order. */
export function toEvent(row: EventRow): Event {
  // A kind and its document go together: `recordEvent` was given both.
  return {
    id: row.id,
    type: row.kind,
    timestamp: row.createdAt.toISOString(),
    sequence: row.sequence,
    object_type: objectTypeOf(row.kind),
    object_id: row.objectId,
    patient_id: row.patientId,
    data: row.document,
  } as Event;
}

/** What an event of the kind is about. */
export function objectTypeOf(kind: EventKind): EventObjectType {
  return kind.slice(0, kind.indexOf('.')) as EventObjectType;
}

/** The scope that may read what events of the kind are about. */
const readers: Readonly<Record<EventObjectType, string>> = {
  patient: 'patients:read',
  record: 'patients:read',
  attachment: 'patients:read',
  bulk: 'patients:read',
  diagnostic: 'diagnostics:read',
  imaging: 'imaging:read',
  subscription: 'webhooks:read',
  webhook: 'webhooks:read',
};

/** Whether a key with these scopes may read the objects that events of the kind carry. */
export function mayRead(scopes: readonly string[], kind: EventKind): boolean {
  return scopes.includes('admin') || scopes.includes(readers[objectTypeOf(kind)]);
}

/** Every kind. */
export const allKinds: readonly EventKind[] = Object.keys(eventKinds) as EventKind[];
