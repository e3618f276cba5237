import type { Guarantee, History, Release } from './history.ts';
import { addDays, addMonths, isDay } from './platform/calendar.ts';

/** Lifecycle states of a release (specification, section 3). */
export type State = 'preview' | 'current' | 'stable' | 'deprecated' | 'sunset';

/** A release as it stands on one day. */
export interface Standing {
  readonly release: Release;
  readonly state: State;
}

const SUPPORT_MONTHS = 12;
const NOTICE_DAYS = 90;

/** The history is malformed or breaks a promise that no waiver names. Lists every fault found, one per line. */
export class HistoryInvalid extends Error {
  override readonly name = 'HistoryInvalid';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the version history is refused:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** MAJOR of MAJOR.MINOR.PATCH. */
export function majorOf(release: Release): number {
  return Number(release.semver.split('.')[0]);
}

/** Newest release first. */
export function newestFirst(history: History): readonly Release[] {
  return [...history.releases].sort((a, b) => (a.id < b.id ? 1 : -1));
}

/**
 * Every release that exists on `day`, newest first, with its state. A release before both `previewFrom` and
 * `released` is left out: it does not exist yet.
 */
export function standings(history: History, day: string): readonly Standing[] {
  const result: Standing[] = [];
  let currentSeen = false;
  for (const release of newestFirst(history)) {
    const isReleased = release.released !== undefined && release.released <= day;
    if (!isReleased) {
      if (release.previewFrom !== undefined && release.previewFrom <= day) result.push({ release, state: 'preview' });
      continue;
    }
    if (release.sunset !== undefined && release.sunset <= day) result.push({ release, state: 'sunset' });
    else if (!currentSeen) result.push({ release, state: 'current' });
    else if (release.deprecated !== undefined && release.deprecated <= day)
      result.push({ release, state: 'deprecated' });
    else result.push({ release, state: 'stable' });
    currentSeen = true;
  }
  return result;
}

/** The releases a client may call by their date, newest first: neither Preview nor Sunset. */
export function supported(all: readonly Standing[]): readonly Standing[] {
  return all.filter(({ state }) => state !== 'preview' && state !== 'sunset');
}

/** The release the calendar calls Current, or undefined before the first release. */
export function currentOf(all: readonly Standing[]): Release | undefined {
  return all.find(({ state }) => state === 'current')?.release;
}

/**
 * Checks form, order and the guarantees of the specification, section 8.
 * @throws {HistoryInvalid} naming every fault at once.
 */
export function checkHistory(history: History): void {
  const faults: string[] = [];
  const releases = [...newestFirst(history)].reverse();
  if (releases.length === 0) faults.push('it names no release');
  if (history.today !== 'system' && !isDay(history.today)) faults.push('today: must be YYYY-MM-DD or "system"');

  const seen = new Set<string>();
  for (const release of releases) {
    const at = `release ${release.id}`;
    if (!isDay(release.id)) faults.push(`${at}: id must be a day that exists, YYYY-MM-DD`);
    if (seen.has(release.id)) faults.push(`${at}: is listed twice`);
    seen.add(release.id);
    if (!/^\d+\.\d+\.\d+$/.test(release.semver)) faults.push(`${at}: semver must be MAJOR.MINOR.PATCH`);
    for (const field of ['previewFrom', 'released', 'deprecated', 'sunset'] as const) {
      const day = release[field];
      if (day !== undefined && !isDay(day)) faults.push(`${at}: ${field} must be a day that exists, YYYY-MM-DD`);
    }
    if (release.previewFrom === undefined && release.released === undefined)
      faults.push(`${at}: needs previewFrom or released`);
    if (release.deprecated !== undefined && release.released === undefined)
      faults.push(`${at}: deprecated before it was released`);
    if (release.deprecated !== undefined && release.released !== undefined && release.deprecated < release.released)
      faults.push(`${at}: deprecated lies before released`);
    if (release.sunset !== undefined && release.deprecated === undefined)
      faults.push(`${at}: sunset needs a deprecated day, the day it was announced`);
    for (const waiver of release.waivers ?? [])
      if (waiver.reason.trim() === '') faults.push(`${at}: the waiver of ${waiver.guarantee} gives no reason`);
  }
  for (const [older, newer] of pairs(releases)) {
    if (compareSemver(older.semver, newer.semver) >= 0)
      faults.push(`release ${newer.id}: semver ${newer.semver} does not come after ${older.semver} of ${older.id}`);
    if (newer.released !== undefined && (older.released === undefined || older.released > newer.released))
      faults.push(`release ${newer.id}: released before ${older.id}`);
  }
  for (const [index, release] of releases.entries()) faults.push(...brokenPromises(release, releases.slice(index + 1)));
  if (faults.length > 0) throw new HistoryInvalid(faults);
}

function brokenPromises(release: Release, newer: readonly Release[]): string[] {
  const broken: string[] = [];
  const breaks = (guarantee: Guarantee, text: string): void => {
    if (!release.waivers?.some((waiver) => waiver.guarantee === guarantee))
      broken.push(
        `release ${release.id}: ${text} (guarantee ${guarantee}; waive it by name, with a reason, if it must be)`,
      );
  };
  if (release.previewFrom !== undefined && release.released !== undefined && release.previewFrom > release.released)
    breaks('preview-order', 'previewFrom lies after released');
  const { sunset, deprecated } = release;
  if (sunset === undefined) return broken;
  if (deprecated !== undefined && addDays(deprecated, NOTICE_DAYS) > sunset)
    breaks(
      'notice-before-sunset',
      `sunset ${sunset} comes less than ${NOTICE_DAYS} days after its notice ${deprecated}`,
    );
  const successor = newer.find((other) => other.released !== undefined)?.released;
  if (successor === undefined || addMonths(successor, SUPPORT_MONTHS) > sunset)
    breaks(
      'support-after-succession',
      successor === undefined
        ? 'it has a sunset but no successor'
        : `sunset ${sunset} comes less than ${SUPPORT_MONTHS} months after its successor of ${successor}`,
    );
  const nextMajor = newer.find((other) => majorOf(other) > majorOf(release) && other.released !== undefined)?.released;
  const newerOfMajor = newer.some((other) => majorOf(other) === majorOf(release));
  if (nextMajor !== undefined && !newerOfMajor && addMonths(nextMajor, SUPPORT_MONTHS) > sunset)
    breaks(
      'support-after-new-major',
      `sunset ${sunset} ends major ${majorOf(release)} less than ${SUPPORT_MONTHS} months after the next major of ${nextMajor}`,
    );
  return broken;
}

function pairs<T>(list: readonly T[]): [T, T][] {
  return list.slice(1).map((next, index) => [list[index] as T, next]);
}

/** Negative, zero or positive as `a` is older than, equal to or newer than `b`. */
export function compareSemver(a: string, b: string): number {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
