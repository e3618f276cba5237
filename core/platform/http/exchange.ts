import { newId } from '@perennial/schemas/platform/ids.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { Request, RequestHandler, Response } from 'express';

/** What the middleware learn about one request, and the log line is made of. */
export interface Exchange {
  readonly requestId: string;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  /** Known once the internal token has been verified. */
  caller?: Caller;
  /** Known once the route has been found. */
  operationId?: string;
  /** Patients that the request or the answer names: whoever asks must be able to learn whose data was seen. */
  readonly subjects: Set<string>;
  /** Code of the error answered, if any. */
  errorCode?: string;
}

const REQUEST_ID = /^req_[0-9A-Za-z]{8,64}$/;

const exchanges = new WeakMap<Response, Exchange>();

/** Opens the exchange: takes over the gateway's request id, or mints one. */
export function openExchange(): RequestHandler {
  return (request, response, next) => {
    const requestId = takeRequestId(request);
    exchanges.set(response, { requestId, startedAt: performance.now(), subjects: new Set() });
    response.setHeader('x-request-id', requestId);
    next();
  };
}

/** The exchange of a response that has passed `openExchange`. */
export function exchangeOf(response: Response): Exchange {
  const exchange = exchanges.get(response);
  if (!exchange) throw new Error('exchangeOf: openExchange must be the first middleware');
  return exchange;
}

function takeRequestId(request: Request): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId('req');
}
