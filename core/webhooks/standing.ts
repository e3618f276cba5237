import type { DatabaseTransaction } from '@perennial/prisma/client.ts';
import { recordEvent } from '../platform/events/record-event.ts';
import { type SubscriptionStanding, SubscriptionStore } from './store.ts';
import { type SubscriptionRow, toSubscription } from './subscription.ts';

/**
 * This service stops to serve a subscription by itself, and says so: with the state and its reason, and by an event
 * that the account's other subscriptions are sent.
 * @returns whether the subscription was still as it was read.
 */
export async function giveUp(
  transaction: DatabaseTransaction,
  read: SubscriptionRow,
  standing: SubscriptionStanding,
  at: Date,
): Promise<boolean> {
  const store = new SubscriptionStore(transaction);
  if (!(await store.writeStanding(read, standing, at))) return false;
  const { id: objectId, accountId } = read;
  const changed = {
    ...read,
    state: standing.state,
    stateReason: standing.reason,
    stateChangedAt: at,
    updatedAt: at,
    revision: read.revision + 1,
  };
  const document = toSubscription(changed, at);
  await recordEvent(transaction, { accountId, kind: 'subscription.disabled', objectId, document, at });
  return true;
}
