import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { Ended } from './exchange.ts';

/** One line per request: ids, codes and times; no body, key, path parameter or query value. */
export function logAccess(logger: Logger): Ended {
  if (!logger.isLevelEnabled('info')) return () => undefined;
  return (exchange, request, response) => {
    logger.info('request', {
      requestId: exchange.requestId,
      clientRequestId: exchange.clientRequestId,
      traceId: exchange.span?.context.traceId,
      method: request.method,
      operation: exchange.operation?.id,
      version: exchange.standing?.release.id,
      account: exchange.caller?.accountId,
      key: exchange.caller?.keyId,
      status: response.statusCode,
      code: exchange.errorCode,
      aborted: response.writableFinished ? undefined : true,
      durationMs: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
    });
  };
}
