import { invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { AnyContext } from './http/handler.ts';

/** Names of query parameters and of the filters that they set. */
export type FilterNames<Filters> = readonly (readonly [parameter: string, filter: keyof Filters & string])[];

/**
 * The filters of a list, as its store takes them. Filters that a store does not know are not read.
 * @param texts taken as they are. @param instants RFC 3339, given on in UTC with milliseconds.
 * @throws Fault 422 when an instant cannot be.
 */
export function readFilters<Filters>(
  query: AnyContext['query'],
  texts: FilterNames<Filters>,
  instants: FilterNames<Filters>,
): Filters {
  const filters: Record<string, string> = {};
  for (const [parameter, filter] of texts) {
    const value = query[parameter];
    if (typeof value === 'string') filters[filter] = value;
  }
  for (const [parameter, filter] of instants) {
    const value = query[parameter];
    if (typeof value === 'string') filters[filter] = readInstant(parameter, value);
  }
  return filters as Filters;
}

function readInstant(parameter: string, value: string): string {
  const time = Date.parse(value);
  const text = Number.isNaN(time) ? '' : new Date(time).toISOString();
  // PostgreSQL has no year 0, and years of more than four digits are written otherwise.
  if (!/^(?!0000)\d{4}-/.test(text)) throw invalidParameter(parameter, 'wrong_format');
  return text;
}
