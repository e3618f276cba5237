import cluster from 'node:cluster';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { AttemptOutcome } from '@perennial/schemas/resources/webhook.ts';
import { TranslationFailed } from '@perennial/translators/engine/failures.ts';
import type { StreamFailure } from '@perennial/translators/engine/stream.ts';
import type { Response } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AnswerFault } from './answer-fault.ts';
import { readClusterMetrics } from './cluster-metrics.ts';
import type { Exchange } from './exchange.ts';

/** Figures of the gateway, of all its workers together, for Prometheus. Labels are names from the contract, so their number is bounded. */
export interface Metrics {
  readonly contentType: string;
  /** Counts a request and its time. Called when its answer has ended. */
  observe(exchange: Exchange, response: Response): void;
  /** Counts what made a request fail. */
  fault(error: unknown): void;
  /** Counts what made a stream fail after it had begun. */
  streamFailure(failure: StreamFailure): void;
  /** Counts an attempt to deliver a webhook. */
  webhookAttempt(outcome: AttemptOutcome): void;
  /** Shows a number that is only asked for when somebody looks. */
  gauge(name: string, help: string, read: () => number): void;
  /** Everything in Prometheus's text format. */
  text(): Promise<string>;
}

/** From a relayed read to an analysis that takes long. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const NONE = 'none';
const UNKNOWN = 'unknown';

/** Each gateway has a registry of its own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'perennial_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['operation', 'version', 'status_class'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const translationFailures = new Counter({
    name: 'perennial_translation_failures_total',
    help: 'Bodies that a change could not translate, by change.',
    labelNames: ['change'],
    registers,
  });
  const coreFailures = new Counter({
    name: 'perennial_core_failures_total',
    help: 'Exchanges that core refused, broke off or did not answer in time, by error code.',
    labelNames: ['code'],
    registers,
  });
  const webhookAttempts = new Counter({
    name: 'perennial_webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by how they ended.',
    labelNames: ['outcome'],
    registers,
  });
  const text = cluster.isWorker ? readClusterMetrics(registry) : () => registry.metrics();
  return {
    contentType: registry.contentType,
    observe({ operation, standing, startedAt }, response) {
      durations.observe(
        {
          operation: operation?.id ?? NONE,
          version: standing?.release.id ?? NONE,
          status_class: response.headersSent ? (classes[Math.floor(response.statusCode / 100)] ?? UNKNOWN) : 'aborted',
        },
        (performance.now() - startedAt) / 1000,
      );
    },
    fault(error) {
      if (error instanceof TranslationFailed) translationFailures.inc({ change: error.change ?? UNKNOWN });
      else if (error instanceof Fault && (error.code === 'core_failed' || error.code === 'core_timeout'))
        coreFailures.inc({ code: error.code });
    },
    streamFailure({ reason, change }) {
      if (reason === 'translation') translationFailures.inc({ change: change ?? UNKNOWN });
      else coreFailures.inc({ code: 'core_failed' });
    },
    webhookAttempt(outcome) {
      webhookAttempts.inc({ outcome });
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    text,
  };
}

const classes: readonly (string | undefined)[] = [undefined, '1xx', '2xx', '3xx', '4xx', '5xx'];

/** Counts each failure on its way to becoming an answer. */
export function countFaults(metrics: Metrics, answerFault: AnswerFault): AnswerFault {
  return (error, response) => {
    // The proxy reports some failures twice.
    if (!response.writableEnded) metrics.fault(error);
    answerFault(error, response);
  };
}
