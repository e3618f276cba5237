import type { Logger } from '@perennial/schemas/http/logger.ts';
import type { RequestHandler } from 'express';
import { exchangeOf } from './exchange.ts';

/** One line per request: ids, codes and times; no body, key, path parameter or query value. */
export function logAccess(logger: Logger): RequestHandler {
  const enabled = logger.isLevelEnabled('info');
  return (request, response, next) => {
    if (enabled)
      response.once('close', () => {
        const exchange = exchangeOf(response);
        logger.info('request', {
          requestId: exchange.requestId,
          method: request.method,
          operation: exchange.operation?.id,
          version: exchange.standing?.release.id,
          account: exchange.caller?.accountId,
          key: exchange.caller?.keyId,
          status: response.statusCode,
          code: exchange.errorCode,
          aborted: response.writableFinished ? undefined : true,
          ms: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
        });
      });
    next();
  };
}
