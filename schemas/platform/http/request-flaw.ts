import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '../../errors.ts';
import { Fault } from './fault.ts';

/** An authority (RFC 3986, section 3.2) without user information; a target with an authority may come with an empty one. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * What makes a request unusable that could be read as HTTP: no Host or more than one (RFC 9112, section 3.2), or an
 * expectation that nobody meets (RFC 9110, section 10.1.1).
 */
export function flawOf(request: IncomingMessage): ErrorCode | undefined {
  const { expect, host } = request.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return 'expectation_failed';
  if (host === undefined) return request.httpVersion === '1.0' ? undefined : 'request_malformed';
  return countHosts(request.rawHeaders) === 1 && HOST.test(host) ? undefined : 'request_malformed';
}

/** Node keeps the first of several. @param raw names and values in turn. */
function countHosts(raw: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/**
 * Refuses what was read as HTTP and still cannot be used: Node would answer it, and without a word. Comes before anyone
 * relies on the request; the connection is not used again. @throws Fault
 */
export function refuseUnusable(request: IncomingMessage, _response: unknown, next: () => void): void {
  const flaw = flawOf(request);
  if (flaw !== undefined) throw new Fault(flaw, { headers: { connection: 'close' } });
  next();
}
