import type { Ended } from './exchange.ts';

/** Ends what is measured of a request: with names from the contract, codes and ids. */
export function endSpan(): Ended {
  return (exchange, _request, response) => {
    const { span, operation, standing, caller, tier, errorCode } = exchange;
    if (!span) return;
    const status = response.headersSent ? response.statusCode : undefined;
    span.set({
      'http.route': operation?.path,
      'http.response.status_code': status,
      'perennial.operation': operation?.id,
      'perennial.version': standing?.release.id,
      'perennial.account': caller?.accountId,
      'perennial.tier': tier,
      'perennial.client_request_id': exchange.clientRequestId,
      'perennial.error_code': errorCode,
    });
    // A refusal is the client's fault, and no error of a server (OpenTelemetry, "HTTP spans").
    const failed = status === undefined ? 'aborted' : status >= 500 ? (errorCode ?? String(status)) : undefined;
    span.end({ ...(operation ? { name: `${operation.method} ${operation.path}` } : {}), error: failed });
  };
}
