import { STATUS_CODES } from 'node:http';
import type { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Response } from 'express';
import type { TellFault } from '../answer-fault.ts';
import { exchangeOf } from '../exchange.ts';
import { commonHeadersOf, sendWhole } from '../respond.ts';

/** A fault of the proxy's own as problem details (RFC 9457): the same in every version, and no shape of the service's. */
export const tellProblem: TellFault = (fault, response) => {
  const exchange = exchangeOf(response);
  exchange.errorCode = fault.code;
  const raw = commonHeadersOf(exchange);
  for (const [name, value] of Object.entries(fault.headers)) raw.push(name, value);
  sendText(response, fault.status, raw, 'application/problem+json', JSON.stringify(problemOf(fault)));
};

/** Members of a problem: the standard's, the code, every fault with its place, and what only some faults say. */
export function problemOf(fault: Fault): Record<string, unknown> {
  return {
    type: 'about:blank',
    title: STATUS_CODES[fault.status] ?? 'Error',
    status: fault.status,
    detail: fault.message,
    code: fault.code,
    ...(fault.details.length > 0 && { errors: fault.details }),
    ...fault.members,
  };
}

/** Sends a text with its length. */
export function sendText(
  response: Response,
  status: number,
  raw: (string | string[])[],
  type: string,
  text: string,
): void {
  const bytes = Buffer.from(text, 'utf8');
  raw.push('content-type', type, 'content-length', String(bytes.length));
  sendWhole(response, status, raw, bytes);
}
