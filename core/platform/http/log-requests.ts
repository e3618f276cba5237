import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { RequestHandler } from 'express';
import { exchangeOf } from './exchange.ts';

/** One line per request: ids, operation, status and duration. */
export function logRequests(logger: Logger): RequestHandler {
  return (request, response, next) => {
    if (logger.isInfoEnabled()) {
      response.once('close', () => {
        const exchange = exchangeOf(response);
        // The gateway polls for deliveries constantly and logs their outcome itself.
        const isRoutine = exchange.operationId?.startsWith('internal.') === true && response.statusCode < 400;
        logger.log(isRoutine ? 'debug' : 'info', 'request', {
          requestId: exchange.requestId,
          account: exchange.caller?.accountId,
          key: exchange.caller?.keyId,
          method: request.method,
          operation: exchange.operationId,
          // The caller went away before it had an answer: there is no status.
          status: response.writableFinished ? response.statusCode : undefined,
          aborted: response.writableFinished ? undefined : true,
          code: exchange.errorCode,
          durationMs: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
        });
      });
    }
    next();
  };
}
