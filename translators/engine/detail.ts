import { type DetailCode, details } from '@perennial/schemas/errors.ts';

/**
 * A detail with the words of its code alone: what was expected at head may be said in words that an older version does
 * not have.
 */
export function inGeneral<T extends { readonly code?: unknown; readonly message?: unknown }>(detail: T): T {
  const { code } = detail;
  if (typeof code !== 'string' || !Object.hasOwn(details, code)) return detail;
  const message = details[code as DetailCode];
  return message === detail.message ? detail : { ...detail, message };
}
