import { firstFrom } from '../widest.ts';
import type { Place, Scope } from './scopes.ts';

/** What a sentence says about something it mentions: each member is the cue that says so, or null. */
export interface Status {
  negated: Place | null;
  /** Said to be normal: "appetite is normal". */
  normal: Place | null;
  /** Was there and is gone. */
  resolved: Place | null;
  /** On record; it may go on. */
  historical: Place | null;
  /** Long over. */
  past: Place | null;
  /** What may come, is feared, or is to be watched for. */
  hypothetical: Place | null;
  uncertain: Place | null;
  /** Of somebody else than the patient. */
  other: Place | null;
}

/** The status of what stands at these places. A cue that is part of it says nothing about it. */
export function statusOf(scopes: readonly Scope[], places: readonly Place[]): Status {
  const status: Status = {
    negated: null,
    normal: null,
    resolved: null,
    historical: null,
    past: null,
    hypothetical: null,
    uncertain: null,
    other: null,
  };
  for (const place of places) {
    for (const scope of over(place, scopes)) {
      const isNearer = (status[scope.kind]?.start ?? -1) < scope.cue.start;
      if (isNearer && !places.some((one) => overlaps(one, scope.core))) status[scope.kind] = scope.cue;
    }
  }
  return status;
}

interface Sorted {
  scopes: Scope[];
  starts: number[];
  /** How far the scopes up to here reach. */
  reaches: number[];
}

const known = new WeakMap<readonly Scope[], Sorted>();

/** The scopes that reach over a place, found without looking at all of them. */
function over(place: Place, all: readonly Scope[]): Scope[] {
  let sorted = known.get(all);
  if (sorted === undefined) {
    const scopes = all.toSorted((a, b) => a.start - b.start);
    let reach = 0;
    const reaches = scopes.map(({ end }) => {
      reach = Math.max(reach, end);
      return reach;
    });
    sorted = { scopes, starts: scopes.map(({ start }) => start), reaches };
    known.set(all, sorted);
  }
  const found: Scope[] = [];
  for (let at = firstFrom(sorted.starts, place.end) - 1; at >= 0 && sorted.reaches[at]! > place.start; at -= 1) {
    if (overlaps(place, sorted.scopes[at]!)) found.push(sorted.scopes[at]!);
  }
  return found;
}

function overlaps(a: Place, b: Place): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Which of these places are denied or said to be normal. */
export function deniedAmong(places: readonly Place[], scopes: readonly Scope[]): boolean[] {
  return places.map((place) => {
    const { negated, normal } = statusOf(scopes, [place]);
    return negated !== null || normal !== null;
  });
}
