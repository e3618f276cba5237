import type { EventStore } from './store.ts';

/** Copies of patient data outside the record expire within 30 days; the sweep that removes them may be an hour late. */
const KEPT_MS = 30 * 86_400_000 - 2 * 3_600_000;
const BATCH = 1_000;

/** Removes events that have expired, with their deliveries and what was sent. @returns how many events. */
export async function removeExpiredEvents(events: EventStore, now: Date = new Date()): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  let removed = 0;
  for (;;) {
    const batch = await events.removeBefore(before, BATCH);
    removed += batch;
    if (batch < BATCH) return removed;
  }
}
