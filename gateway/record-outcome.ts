import type { RequestHandler } from 'express';
import type { RecordAccess } from './audit/middleware.ts';
import { exchangeOf } from './exchange.ts';
import type { Metrics } from './metrics.ts';
import type { UsageCounters } from './usage/counters.ts';

/** Tells metrics, usage and audit trail what became of each request. One listener serves all three. */
export function recordOutcome(metrics: Metrics, usage: UsageCounters, recordAccess: RecordAccess): RequestHandler {
  return (request, response, next) => {
    response.once('close', () => {
      const exchange = exchangeOf(response);
      metrics.observe(exchange, response);
      if (!exchange.caller) return;
      usage.count(exchange, request);
      recordAccess(exchange, request, response);
    });
    next();
  };
}
