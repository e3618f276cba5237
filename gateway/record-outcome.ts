import type { RecordAccess } from './audit/middleware.ts';
import type { Ended } from './exchange.ts';
import type { Metrics } from './metrics.ts';
import type { UsageCounters } from './usage/counters.ts';

/** Tells metrics, usage and audit trail what became of each request. */
export function recordOutcome(metrics: Metrics, usage: UsageCounters, recordAccess: RecordAccess): Ended {
  return (exchange, request, response) => {
    metrics.observe(exchange, response);
    if (!exchange.caller) return;
    usage.count(exchange, request);
    recordAccess(exchange, request, response);
  };
}
