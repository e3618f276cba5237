import { newId } from '@perennial/schemas/platform/ids.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import { parseTraceparent } from '@perennial/schemas/platform/telemetry/trace-context.ts';
import type { Tracing } from '@perennial/schemas/platform/telemetry/tracing.ts';
import type { Request, RequestHandler, Response } from 'express';

/** What is known about one request. The middleware fill it in; the log line is written from it. */
export interface Exchange {
  readonly requestId: string;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  /** Known once the internal token has been verified. */
  caller?: Caller;
  /** Known once the route has been found. */
  operationId?: string;
  /** Patients named in the request or the answer, for the audit trail. */
  readonly subjects: Set<string>;
  /** Code of the error answered, if any. */
  errorCode?: string;
}

const REQUEST_ID = /^req_[0-9A-Za-z]{8,64}$/;

const exchanges = new WeakMap<Response, Exchange>();

/** Opens the exchange: takes over the gateway's request id, or mints one. */
export function openExchange(tracing?: Tracing | undefined): RequestHandler {
  return (request, response, next) => {
    const requestId = takeRequestId(request);
    const carryOn = tracing ? traced(tracing, request, response, requestId, next) : next;
    exchanges.set(response, { requestId, startedAt: performance.now(), subjects: new Set() });
    response.setHeader('x-request-id', requestId);
    carryOn();
  };
}

/** The exchange of a response that has passed `openExchange`. */
export function exchangeOf(response: Response): Exchange {
  const exchange = exchanges.get(response);
  if (!exchange) throw new Error('exchangeOf: openExchange must be the first middleware');
  return exchange;
}

/** Measures the request; what it asks of the database becomes part of it. The gateway's word on the trace is believed. */
function traced(
  tracing: Tracing,
  request: Request,
  response: Response,
  requestId: string,
  next: () => void,
): () => void {
  const parent = parseTraceparent(request.headers['traceparent']);
  const attributes = { 'http.request.method': request.method, 'perennial.request_id': requestId };
  const span = tracing.start(request.method, 'server', { parent, attributes });
  response.once('close', () => {
    const { operationId, errorCode } = exchangeOf(response);
    const status = response.headersSent ? response.statusCode : undefined;
    span.set({
      'http.response.status_code': status,
      'perennial.operation': operationId,
      'perennial.error_code': errorCode,
    });
    const error = status === undefined ? 'aborted' : status >= 500 ? (errorCode ?? String(status)) : undefined;
    span.end({ name: `core ${operationId ?? request.method}`, error });
  });
  return () => tracing.within(span, next);
}

function takeRequestId(request: Request): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId('req');
}
