import { errorBody, Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { ErrorRequestHandler } from 'express';
import { isDatabaseFull, isDatabaseUnavailable } from '../database-unavailable.ts';
import { sendEnvelope } from './envelope.ts';
import { exchangeOf } from './exchange.ts';

const RETRY_AFTER_SECONDS = '1';

/** The one error handler: turns whatever was thrown into an answer, and logs what the caller is not told. */
export function answerFaults(logger: Logger): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  return (error: unknown, _request, response, _next) => {
    const fault = toFault(error);
    const exchange = exchangeOf(response);
    exchange.errorCode = fault.code;
    if (fault.status >= 500) {
      const { requestId, operationId: operation } = exchange;
      logger.error('request failed', { requestId, operation, code: fault.code, ...describe(fault.cause ?? error) });
    }
    // The answer has begun and cannot be replaced. Breaking the connection tells the caller that it is incomplete.
    if (response.headersSent) response.destroy();
    else sendEnvelope(response, fault.status, fault.headers, 'error', errorBody(fault));
  };
}

/** What the caller is told of an exception. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (isDatabaseUnavailable(error)) {
    return new Fault('unavailable', { headers: { 'retry-after': RETRY_AFTER_SECONDS }, cause: error });
  }
  // The transaction was rolled back: nothing is half written.
  if (isDatabaseFull(error)) return new Fault('storage_full', { cause: error });
  return new Fault('internal_error', { cause: error });
}

/** What may be logged of an exception. Messages of libraries quote values, so only names, codes and places are kept. */
export function describe(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const isOurs = error instanceof TypeError || error instanceof ReferenceError;
  return {
    error: error.name,
    errorCode: (error as { code?: unknown }).code,
    ...(isOurs ? { reason: error.message } : {}),
    stack: frames.map((line) => line.trim()),
  };
}
