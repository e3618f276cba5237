import { Prisma } from '@perennial/prisma/client.ts';
import { isIcd10 } from './sql.ts';

/*
 * Who writes "influenza" into a record seldom comes back to write that it is over. For codes of ICD-10 that name
 * something which passes by its nature, an episode that nobody closed is taken to end after a time. Everything
 * else that nobody closed is taken to last.
 */

/** Days after which an acute condition that nobody closed is taken to be over: the usual bound between acute and chronic. */
export const ACUTE_DAYS = 90;

/** First and last category of ICD-10, both included. Left out of the chapters is what becomes chronic or is for life. */
const acute: readonly (readonly [string, string])[] = [
  ['A00', 'A09'],
  ['A20', 'A29'],
  ['A32', 'A49'],
  ['A68', 'A79'],
  ['A82', 'B09'],
  ['B15', 'B17'],
  ['B25', 'B34'],
  ['B50', 'B64'],
  ['B85', 'B88'],
  ['G00', 'G03'],
  ['H00', 'H01'],
  ['H10', 'H10'],
  ['H60', 'H60'],
  ['H65', 'H66'],
  ['J00', 'J06'],
  ['J09', 'J18'],
  ['J20', 'J22'],
  ['K35', 'K37'],
  ['L00', 'L08'],
  ['N10', 'N10'],
  ['N30', 'N30'],
  ['O00', 'O99'],
  ['R00', 'R99'],
  ['S00', 'T79'],
];

/** The rule in words, for the definition of an answer. */
export const acuteRule = `An episode ends on its abatement; without one, when the record says that it is inactive, in remission or resolved, on the day that was recorded; an ICD-10 code of an acute condition that nobody closed (${acute
  .map(([first, last]) => (first === last ? first : `${first}-${last}`))
  .join(', ')}) after ${ACUTE_DAYS} days; any other lasts.`;

/** Whether a condition record names something that passes by itself. */
export const isAcute: Prisma.Sql = Prisma.sql`(${isIcd10} AND (${Prisma.join(
  acute.map(([first, last]) => Prisma.sql`left(r.code->>'code', 3) BETWEEN ${first} AND ${last}`),
  ' OR ',
)}))`;
