import { isObject } from '@perennial/schemas/platform/json-schema.ts';
import type { AnyContext } from './platform/http/operations.ts';

/**
 * What there is for a caller: whoever was promised that every diagnostic record is the result of what was told of a
 * patient is shown no other (`include_imaging` of the contract), and a record that cannot be seen is missing.
 */
export interface Sight {
  /** Whether there are records of images, and events and jobs that tell of them. */
  readonly imaging: boolean;
}

/** What the request can see. */
export function sightOf({ query }: Pick<AnyContext, 'query'>): Sight {
  return { imaging: query['include_imaging'] !== false };
}

/** A result of a job for whoever can see no records of images: that something was done, and not with what. */
export function withoutImaging<T>(result: T): T {
  return isObject(result) && isImagingRecord(result['data']) ? { ...result, data: null } : result;
}

/** Whether an answer is, or lists among its results, a record of an image. */
export function tellsOfImaging(data: unknown): boolean {
  if (!isObject(data)) return false;
  const { results } = data;
  const isListed = (result: unknown): boolean => isObject(result) && isImagingRecord(result['data']);
  return isImagingRecord(data) || (Array.isArray(results) && results.some(isListed));
}

function isImagingRecord(value: unknown): boolean {
  return isObject(value) && value['kind'] === 'imaging' && isObject(value['imaging']);
}
