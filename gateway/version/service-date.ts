import type { History } from '@perennial/schemas/history.ts';
import { type Standing, standings } from '@perennial/schemas/lifecycle.ts';
import { dayOf } from '@perennial/schemas/platform/calendar.ts';

/** The date that decides the lifecycle of versions, and nothing else. */
export interface ServiceDate {
  /** Where the date comes from, for the start-up log and the versions page. */
  readonly source: 'SERVICE_DATE' | 'history' | 'system';
  /** Whether it stands still: then no version retires by itself. */
  readonly pinned: boolean;
  day(): string;
  /** Every release as it stands now, newest first. The same array as long as neither day nor dates have changed. */
  standings(): readonly Standing[];
  /** From now on, the dates of this history rule. */
  use(history: History): void;
}

const DAY_MS = 86_400_000;

/** @param setting `SERVICE_DATE`, already checked. @param now milliseconds since the epoch. */
export function createServiceDate(
  shipped: History,
  setting: string | undefined,
  now: () => number = Date.now,
): ServiceDate {
  const rule = setting ?? shipped.today;
  let history = shipped;
  const pinned = rule !== 'system';
  let dayNumber = -1;
  let day = rule;
  let cached: readonly Standing[] = pinned ? standings(history, rule) : [];
  const refresh = (): void => {
    if (pinned) return;
    const number = Math.floor(now() / DAY_MS);
    if (number === dayNumber) return;
    dayNumber = number;
    day = dayOf(new Date(number * DAY_MS));
    cached = standings(history, day);
  };
  return {
    source: !pinned ? 'system' : setting === undefined ? 'history' : 'SERVICE_DATE',
    pinned,
    day() {
      refresh();
      return day;
    },
    standings() {
      refresh();
      return cached;
    },
    use(other) {
      if (other === history) return;
      history = other;
      dayNumber = -1;
      if (pinned) cached = standings(history, rule);
    },
  };
}
