import type { Operation } from '@perennial/schemas/operation.ts';
import { isObject } from '@perennial/schemas/platform/json-schema.ts';

/**
 * What a caller can see. Versions before 2023-10-15 promise that every diagnostic record is the result of an analysis
 * of a patient, so callers of these versions are shown no records of images: they are left out of lists and counts, and
 * reading one gives 404 (docs/decisions/0008-visibility-is-a-filter.md).
 */
export interface Visibility {
  /** Whether records of images, and the events and jobs about them, are visible. */
  readonly imaging: boolean;
}

/** Nothing is left out. */
export const everything: Visibility = { imaging: true };

/**
 * The visibility of one request, from those of its query parameters that the contract marks with `isView`. An operation
 * that declares none shows everything.
 */
export function visibilityOf(operation: Operation, query: Readonly<Record<string, unknown>>): Visibility {
  const hidden = operation.parameters.some(({ name, isView }) => isView && query[name] === false);
  return hidden ? { imaging: false } : everything;
}

/** The result of a job with its data left out if that is a record of an image. */
export function withoutImaging<T>(result: T): T {
  return isObject(result) && isImagingRecord(result['data']) ? { ...result, data: null } : result;
}

/** Whether an answer is a record of an image, or has one among its results. */
export function holdsImaging(data: unknown): boolean {
  if (!isObject(data)) return false;
  const { results } = data;
  const isListed = (result: unknown): boolean => isObject(result) && isImagingRecord(result['data']);
  return isImagingRecord(data) || (Array.isArray(results) && results.some(isListed));
}

function isImagingRecord(value: unknown): boolean {
  return isObject(value) && value['kind'] === 'imaging' && isObject(value['imaging']);
}
