import { type EventKind, eventKinds } from '@perennial/schemas/event-kinds.ts';
import type { ClaimedDelivery, QueuedRequest } from '@perennial/schemas/internal/webhooks.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Event } from '@perennial/schemas/resources/event.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { eventIn } from './event-in.ts';

/** What becomes of a claimed delivery. */
export type Rendered = QueuedRequest['deliveries'][number];

/**
 * The body of a delivery: the event in the version that the subscription is pinned to, as `GET /events/{id}` answers it
 * there. It is rendered once and kept, so that every attempt has the same bytes.
 * @throws {TranslationFailed} when a change cannot translate the event.
 */
export function render(translator: Translator, delivery: ClaimedDelivery): Rendered {
  const { id, ticket, version, head_release: from } = delivery;
  if (delivery.is_rendered) return { id, ticket, result: 'queued' };
  const event = delivery.event as Event;
  const kind: { readonly since: string } | undefined = eventKinds[event.type as EventKind];
  // Dates in this form are in the order of their text. A kind that this process does not know is newer still.
  if (!kind || kind.since > version) return { id, ticket, result: 'skipped' };
  const told = delivery.payload === 'thin' ? { ...event, data: null } : event;
  const body = JSON.stringify(eventIn(translator, from, version, told as unknown as JsonObject));
  return { id, ticket, result: 'queued', version, body };
}
