import type { Database } from '@perennial/prisma/client.ts';
import { createRandom } from '@perennial/prisma/demo/random.ts';
import { ICD10 } from './population.ts';

/*
 * People whose conditions come and go, with the truth about each worked out here a second time, person by person and
 * without a database. Months are numbers: years times twelve plus the month from 0.
 */

/** A condition record as it is stored. */
interface ConditionEntry {
  readonly code: string;
  readonly status: string;
  readonly onset: string | null;
  readonly effective: string;
  readonly abatement: string | null;
  /** The day on which the record was last changed. */
  readonly changed: string;
}

/** A person and everything that is known of them. */
export interface Observed {
  readonly id: string;
  readonly dob: string;
  readonly sex: string | null;
  readonly created: string;
  readonly conditions: readonly ConditionEntry[];
}

/** An episode: days, and null while it lasts. */
interface Episode {
  readonly began: string;
  readonly ended: string | null;
}

const CODES: readonly (readonly [string, number])[] = [
  ['E11.9', 0.3],
  ['I10', 0.35],
  ['I21.4', 0.2],
  ['J18.9', 0.3],
  ['C34.1', 0.1],
];
const DAY = 86_400_000;

/** People with conditions between 2015 and 2022, the same for the same seed. */
export function drawObserved(count: number, seed: number): readonly Observed[] {
  const random = createRandom(seed);
  const day = (from: number, until: number): string =>
    new Date(Date.UTC(random.between(from, until), random.below(12), random.between(1, 28))).toISOString().slice(0, 10);
  const conditionsOf = (dob: string): ConditionEntry[] =>
    CODES.flatMap(([code, chance]) => {
      if (!random.chance(chance + (dob < '1970' ? 0.15 : 0))) return [];
      return Array.from({ length: random.between(1, 3) }, (): ConditionEntry => {
        const effective = day(2017, 2022);
        const onset = random.chance(0.5) ? plus(effective, -random.below(60)) : null;
        return {
          code,
          status: random.weighted([
            ['active', 6],
            ['resolved', 3],
            ['entered_in_error', 1],
          ]),
          onset,
          effective,
          abatement: random.chance(0.4) ? plus(onset ?? effective, random.below(700)) : null,
          changed: plus(effective, random.below(500)),
        };
      });
    });
  return Array.from({ length: count }, (_, index) => {
    const dob = day(1930, 2016);
    return {
      id: `pat_ep${seed}x${String(index).padStart(6, '0')}`,
      dob,
      sex: random.weighted<string | null>([
        ['female', 50],
        ['male', 46],
        [null, 4],
      ]),
      created: day(2017, 2021),
      conditions: conditionsOf(dob),
    };
  });
}

/** Writes people and their conditions. */
export async function storeObserved(db: Database, accountId: string, people: readonly Observed[]): Promise<void> {
  await db.patient.createMany({
    data: people.map(({ id, dob, sex, created }) => ({
      id,
      accountId,
      name: id,
      dob: new Date(dob),
      sex,
      createdAt: new Date(created),
    })),
  });
  await db.medicalRecord.createMany({
    data: people.flatMap((person) =>
      person.conditions.map(({ code, status, onset, effective, abatement, changed }, index) => ({
        id: `rec_${person.id.slice(4)}r${index}`,
        accountId,
        patientId: person.id,
        type: 'condition',
        status,
        code: { system: ICD10, code, display: code },
        content: { onset, abatement },
        effectiveAt: new Date(effective),
        updatedAt: new Date(changed),
      })),
    ),
  });
}

/** The month of a day. */
export function month(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

/** The episodes of a code, by the rule that the answers state. */
export function episodesOf(person: Observed, code: string): readonly Episode[] {
  return person.conditions
    .filter((each) => each.code.startsWith(code) && each.status !== 'entered_in_error')
    .map(({ status, onset, effective, abatement, changed, code: own }) => {
      const began = onset ?? effective;
      const closed = abatement ?? (status === 'resolved' ? changed : own.startsWith('J18') ? plus(began, 90) : null);
      return { began, ended: closed === null ? null : laterOf(began, closed) };
    });
}

/** The day on which a condition was there first. */
export function firstDayOf(person: Observed, code: string): string | undefined {
  return episodesOf(person, code)
    .map(({ began }) => began)
    .sort()[0];
}

/** Whether a month lies in an episode, its last month not being part of it. */
export function isIllAtEndOf(at: number, episodes: readonly Episode[]): boolean {
  return episodes.some(({ began, ended }) => month(began) <= at && (ended === null || month(ended) > at));
}

/** Whether an episode touches a span of months. */
export function isIllWithin(first: number, last: number, episodes: readonly Episode[]): boolean {
  return episodes.some(({ began, ended }) => month(began) <= last && (ended === null || month(ended) >= first));
}

/** Spans between the middles of two months in which a person is at risk, and months of new episodes. */
export interface Risk {
  readonly free: readonly (readonly [number, number])[];
  readonly events: readonly number[];
}

/** When a person was observed and free of a condition. */
export function riskOf(
  person: Observed,
  asked: { readonly code: string; readonly episodes: 'first' | 'any'; readonly washout: number; readonly now: number },
): Risk {
  const { code, episodes, washout, now } = asked;
  const seen = person.conditions
    .filter(({ status }) => status !== 'entered_in_error')
    .map(({ effective }) => month(effective));
  const start = Math.max(month(person.dob), Math.min(month(person.created), ...seen)) + washout;
  if (start > now) return { events: [], free: [] };
  const ill = new Set<number>();
  for (const { began, ended } of episodesOf(person, code)) {
    const from = month(began);
    const until = episodes === 'first' || ended === null ? now + 1 : Math.max(month(ended) + washout, from + 1);
    for (let at = from; at < until; at += 1) ill.add(at);
  }
  const free: [number, number][] = [];
  for (let at = start; at < now; at += 1) if (!ill.has(at)) free.push([at, at + 1]);
  return { free, events: [...ill].filter((at) => !ill.has(at - 1) && at >= start && at <= now) };
}

/** How many months of such spans lie in months. */
export function monthsWithin({ free }: Risk, first: number, last: number): number {
  const half = (at: number): number => (at >= first && at <= last ? 0.5 : 0);
  return free.reduce((sum, [from, until]) => sum + half(from) + half(until), 0);
}

/** How the time after an index condition ended; undefined for those who are not looked at. */
export function outcomeOf(
  person: Observed,
  asked: { readonly index: string; readonly event: string; readonly competing: string; readonly now: number },
): { readonly months: number; readonly outcome: 'event' | 'competing' | 'censored' } | undefined {
  const start = firstDayOf(person, asked.index);
  const event = firstDayOf(person, asked.event);
  const competing = firstDayOf(person, asked.competing);
  if (start === undefined || (event !== undefined && event < start)) return undefined;
  const after = (day: string | undefined): number =>
    day === undefined || day < start ? Number.POSITIVE_INFINITY : month(day) - month(start);
  const censored = asked.now - month(start);
  const months = Math.min(after(event), after(competing), censored);
  return {
    months,
    outcome: after(event) === months ? 'event' : after(competing) === months ? 'competing' : 'censored',
  };
}

function plus(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}
