import type { AccountId, DeliveryId, EventId, SubscriptionId } from '@perennial/schemas/platform/ids.ts';
import type {
  AttemptOutcome,
  DeliveryState,
  WebhookAttempt,
  WebhookDelivery,
} from '@perennial/schemas/resources/webhook.ts';

/** A delivery as stored, without its body. */
export interface DeliveryRow {
  readonly id: DeliveryId;
  readonly accountId: AccountId;
  readonly subscriptionId: SubscriptionId;
  readonly eventId: EventId;
  readonly kind: string;
  readonly version: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** An attempt as stored. */
export interface AttemptRow {
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly outcome: AttemptOutcome;
}

/** The delivery as answered. */
export function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    subscription_id: row.subscriptionId,
    event_id: row.eventId,
    event_type: row.kind,
    version: row.version,
    state: row.state,
    attempts: row.attempts,
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}

/** The attempt as answered. */
export function toAttempt(row: AttemptRow): WebhookAttempt {
  return {
    number: row.number,
    started_at: row.startedAt.toISOString(),
    duration_ms: row.durationMs,
    status: row.status,
    outcome: row.outcome,
  };
}
