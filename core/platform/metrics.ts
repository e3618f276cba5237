import type { Database } from '@perennial/prisma/client.ts';
import { asSystem } from '@perennial/prisma/scope.ts';
import type { Listed } from '@perennial/schemas/platform/telemetry/metrics-export.ts';
import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { exchangeOf } from './http/exchange.ts';

/** Figures of this core, for Prometheus. Labels are names from the contract, so their number is bounded. */
export interface CoreMetrics {
  /** Measures each request, and answers `GET /metrics` where anybody may read it. */
  readonly handler: RequestHandler;
  list(): Promise<readonly Listed[]>;
}

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What waits for somebody to work on it, and since when. */
const QUEUES = ['jobs', 'deliveries'] as const;

/** @param isPublic whether `/metrics` is answered: core knows its callers by signatures, which Prometheus has none of. */
export function createCoreMetrics(database: Database, isPublic: boolean): CoreMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'perennial_core_request_duration_seconds',
    help: 'Time from the arrival of a request at core to the end of its answer.',
    labelNames: ['operation', 'status_class'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const length = new Gauge({
    name: 'perennial_queue_length',
    help: 'How much waits: jobs that nobody works on yet, events on their way to a subscription.',
    labelNames: ['queue'],
    registers,
  });
  new Gauge({
    name: 'perennial_queue_age_seconds',
    help: 'How long the first of them has waited.',
    labelNames: ['queue'],
    registers,
    async collect() {
      for (const queue of QUEUES) {
        // While the database is away nobody knows; a figure of before would say that all is well.
        this.remove({ queue });
        length.remove({ queue });
        const waiting = await waitingIn(database, queue).catch(() => undefined);
        if (!waiting) continue;
        this.set({ queue }, waiting.seconds);
        length.set({ queue }, waiting.count);
      }
    },
  });
  return {
    list: () => registry.getMetricsAsJSON() as Promise<readonly Listed[]>,
    handler: (request, response, next) => {
      if (isPublic && request.path === '/metrics' && request.method === 'GET') {
        registry.metrics().then((text) => {
          response.writeHead(200, {
            'content-type': registry.contentType,
            'content-length': Buffer.byteLength(text),
            'cache-control': 'no-store',
          });
          response.end(text);
        }, next);
        return;
      }
      response.once('close', () => {
        const { operationId = 'none', startedAt } = exchangeOf(response);
        const status = response.headersSent ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted';
        durations.observe({ operation: operationId, status_class: status }, (performance.now() - startedAt) / 1_000);
      });
      next();
    },
  };
}

interface Waiting {
  readonly seconds: number;
  readonly count: number;
}

async function waitingIn(database: Database, queue: (typeof QUEUES)[number]): Promise<Waiting> {
  const rows =
    queue === 'jobs'
      ? await asSystem(
          'jobs',
          () => database.$queryRaw<Waiting[]>`
            SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS seconds
            FROM core.jobs WHERE state = 'queued'`,
        )
      : await asSystem(
          'webhooks',
          () => database.$queryRaw<Waiting[]>`
            SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS seconds
            FROM core.webhook_deliveries WHERE state IN ('waiting', 'pending')`,
        );
  return rows[0] ?? { seconds: 0, count: 0 };
}
