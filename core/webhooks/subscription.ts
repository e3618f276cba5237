import type { EventKind } from '@perennial/schemas/event-kinds.ts';
import type { BodyAt } from '@perennial/schemas/operation-types.ts';
import type { AccountId, SubscriptionId } from '@perennial/schemas/platform/ids.ts';
import type {
  SubscriptionReason,
  SubscriptionState,
  WebhookSubscription,
} from '@perennial/schemas/resources/webhook.ts';

/** What a caller can write, one value per column. */
export interface SubscriptionFields {
  readonly url: string;
  readonly description: string | null;
  readonly kinds: readonly EventKind[];
  readonly payload: 'full' | 'thin';
  readonly version: string;
}

/** A subscription as stored. The secrets are encrypted. */
export interface SubscriptionRow extends SubscriptionFields {
  readonly id: SubscriptionId;
  readonly accountId: AccountId;
  readonly state: SubscriptionState;
  readonly stateReason: SubscriptionReason | null;
  readonly stateChangedAt: Date;
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousSecretExpiresAt: Date | null;
  readonly failingSince: Date | null;
  readonly isSlow: boolean;
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Body of create, as validated: `WebhookSubscription.create`. */
export type SubscriptionWrite = BodyAt<'WebhookSubscription.create'>;

/** Body of update, as validated: `WebhookSubscription.patch`. Null puts back what a member is unless told. */
export type SubscriptionPatch = BodyAt<'WebhookSubscription.patch'>;

/** The columns of a new subscription. @param version unless told. */
export function fromWrite(body: SubscriptionWrite, version: string): SubscriptionFields {
  return {
    url: body.url,
    description: body.description ?? null,
    kinds: body.kinds ?? [],
    payload: body.payload ?? 'full',
    version: body.version ?? version,
  };
}

/** The columns after a merge patch (RFC 7396). */
export function applyPatch(fields: SubscriptionFields, patch: SubscriptionPatch): SubscriptionFields {
  return {
    url: patch.url ?? fields.url,
    description: patch.description === undefined ? fields.description : patch.description,
    kinds: patch.kinds === undefined ? fields.kinds : (patch.kinds ?? []),
    payload: patch.payload === undefined ? fields.payload : (patch.payload ?? 'full'),
    version: patch.version ?? fields.version,
  };
}

/** Whether two states are the same for a caller. */
export function isSame(a: SubscriptionFields, b: SubscriptionFields): boolean {
  return (
    a.url === b.url &&
    a.description === b.description &&
    a.payload === b.payload &&
    a.version === b.version &&
    a.kinds.length === b.kinds.length &&
    a.kinds.every((kind, index) => kind === b.kinds[index])
  );
}

/** The subscription as answered. Every key is there, in the contract's order. */
export function toSubscription(row: SubscriptionRow, now: Date): WebhookSubscription {
  const { previousSecretExpiresAt: expires } = row;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    kinds: [...row.kinds],
    payload: row.payload,
    version: row.version,
    state: row.state,
    state_reason: row.stateReason,
    state_changed_at: row.stateChangedAt.toISOString(),
    previous_secret_expires_at: expires !== null && expires > now ? expires.toISOString() : null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
