import { createHash } from 'node:crypto';
import type { History, Release } from '@perennial/schemas/history.ts';
import { addDays, addMonths } from '@perennial/schemas/platform/calendar.ts';

/*
 * What operators decide on versions, beside the history that is shipped. The history is the floor: nothing here lets a
 * version end earlier than it says, and no date moves nearer than the guarantees allow (specification, section 8).
 */

/** Moves the dates of a version for everybody. */
export interface DatesAct {
  readonly kind: 'dates';
  readonly release: string;
  readonly deprecated: string;
  readonly sunset: string;
}

/** Leaves one account a version until a day of its own. */
export interface ExtensionAct {
  readonly kind: 'extension';
  readonly release: string;
  readonly accountId: string;
  /** The first day on which the account receives 410. */
  readonly sunset: string;
}

/** Hours in which a version that is about to end is already off, for some accounts: so that its end surprises nobody. */
export interface BrownoutAct {
  readonly kind: 'brownout';
  readonly release: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** So many of a hundred accounts, always the same ones; undefined where `accounts` names them. */
  readonly share: number | undefined;
  readonly accounts: readonly string[];
}

export type Act = DatesAct | ExtensionAct | BrownoutAct;

const NOTICE_DAYS = 90;
const SUPPORT_MONTHS = 12;

/** The history with the dates that were moved. The last act on a version holds; none can shorten what is shipped. */
export function withDates(history: History, acts: readonly Act[]): History {
  const moved = new Map<string, DatesAct>();
  for (const act of acts) if (act.kind === 'dates') moved.set(act.release, act);
  if (moved.size === 0) return history;
  return {
    ...history,
    releases: history.releases.map((release) => {
      const act = moved.get(release.id);
      return act ? { ...release, ...datesOf(release, act) } : release;
    }),
  };
}

function datesOf(release: Release, act: DatesAct): Pick<Release, 'deprecated' | 'sunset'> {
  return {
    deprecated: release.deprecated ?? act.deprecated,
    sunset: release.sunset !== undefined && release.sunset > act.sunset ? release.sunset : act.sunset,
  };
}

/**
 * The earliest day on which a version may end that is given notice, or has its end moved nearer, today: a waiver of the
 * history is for the date that the history has, and for no other.
 * @returns undefined for one that nothing has succeeded yet.
 */
export function earliestSunset(
  history: History,
  release: Release,
  deprecated: string,
  today: string,
): string | undefined {
  const newer = history.releases.filter((other) => other.id > release.id && other.released !== undefined);
  const successor = newer.map(({ released }) => released as string).sort()[0];
  if (successor === undefined) return undefined;
  const major = (each: Release): string => each.semver.split('.')[0] as string;
  const days = [
    addDays(deprecated > today ? deprecated : today, NOTICE_DAYS),
    addMonths(successor, SUPPORT_MONTHS),
    release.sunset ?? '',
  ];
  const isLastOfMajor = !newer.some((other) => major(other) === major(release));
  const nextMajor = newer.filter((other) => major(other) !== major(release)).map(({ released }) => released as string);
  if (isLastOfMajor && nextMajor.length > 0) days.push(addMonths(nextMajor.sort()[0] as string, SUPPORT_MONTHS));
  return days.sort().at(-1);
}

/** Which of the acts are about one account's use of one version. */
export interface ActsInForce {
  readonly history: History;
  hasExtension(release: string): boolean;
  /** The account's own sunset. */
  extensionOf(release: string, account: string): string | undefined;
  /** When the hours end in which the version is off for the account; undefined outside of them. */
  brownoutOf(release: string, account: string, now: number): Date | undefined;
}

/** @param acts those that have not been withdrawn, the oldest first. */
export function actsInForce(history: History, acts: readonly Act[]): ActsInForce {
  const extensions = new Map<string, Map<string, string>>();
  const brownouts = new Map<string, BrownoutAct[]>();
  for (const act of acts) {
    if (act.kind === 'extension') {
      const ofRelease = extensions.get(act.release) ?? new Map<string, string>();
      extensions.set(act.release, ofRelease.set(act.accountId, act.sunset));
    } else if (act.kind === 'brownout') brownouts.set(act.release, [...(brownouts.get(act.release) ?? []), act]);
  }
  return {
    history: withDates(history, acts),
    hasExtension: (release) => extensions.has(release),
    extensionOf: (release, account) => extensions.get(release)?.get(account),
    brownoutOf: (release, account, now) =>
      brownouts
        .get(release)
        ?.find((each) => each.startsAt.getTime() <= now && now < each.endsAt.getTime() && concerns(each, account))
        ?.endsAt,
  };
}

function concerns({ release, share, accounts }: BrownoutAct, account: string): boolean {
  return share === undefined ? accounts.includes(account) : placeOf(release, account) < share;
}

/** Of an account among a hundred, the same at every gateway and for every brownout of a version. */
export function placeOf(release: string, account: string): number {
  return createHash('sha256').update(`${release}:${account}`).digest().readUInt32BE(0) % 100;
}
