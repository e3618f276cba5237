/** `<client_name>/<client_version>` of X-Service-Client (specification, section 4), as far as it is taken. */
const CLIENT = /^[A-Za-z0-9][A-Za-z0-9._+ -]{0,63}(?:\/[A-Za-z0-9][A-Za-z0-9._+-]{0,31})?$/;

/** No client can have these names: no parenthesis is taken in one. */
export const NO_CLIENT = '(none)';
export const MALFORMED_CLIENT = '(malformed)';
export const OTHER_CLIENTS = '(other)';

/** The client that a request names, bounded in length and characters. */
export function clientOf(header: string | string[] | undefined): string {
  if (header === undefined) return NO_CLIENT;
  return typeof header === 'string' && CLIENT.test(header) ? header : MALFORMED_CLIENT;
}
