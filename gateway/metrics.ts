import cluster from 'node:cluster';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Listed } from '@perennial/schemas/platform/telemetry/metrics-export.ts';
import type { AttemptOutcome } from '@perennial/schemas/resources/webhook.ts';
import { NotShown, TranslationFailed } from '@perennial/translators/engine/failures.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { StreamFailure } from '@perennial/translators/engine/stream.ts';
import type { Response } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AnswerFault } from './answer-fault.ts';
import { readClusterMetrics } from './cluster-metrics.ts';
import type { Exchange } from './exchange.ts';
import type { ServiceDate } from './version/service-date.ts';

/** Figures of the gateway, of all its workers together, for Prometheus. Labels are names from the contract, so their number is bounded. */
export interface Metrics {
  readonly contentType: string;
  /** Counts a request and its time. Called when its answer has ended. */
  observe(exchange: Exchange, response: Response): void;
  /** Measures how long an answer took to translate, from core's bytes to the client's. */
  translated(plan: Pick<Plan, 'operation' | 'release'>, seconds: number): void;
  /** Counts what made a request fail. */
  fault(error: unknown): void;
  /** Counts what made a stream fail after it had begun. */
  streamFailure(failure: StreamFailure): void;
  /** Counts an attempt to deliver a webhook. */
  webhookAttempt(outcome: AttemptOutcome): void;
  /** Counts a read that was sent to a draft as well, by what became of it. */
  mirrored(operation: string, version: string, outcome: MirrorOutcome): void;
  /** Counts a member in which the draft answered otherwise. */
  mirrorDifference(operation: string, version: string, member: string, difference: string): void;
  /** A gauge whose value is read when it is scraped. */
  gauge(name: string, help: string, read: () => number): void;
  /** Shows for each version that has a sunset how many days are left until then; negative ones have passed. */
  daysToSunset(serviceDate: ServiceDate): void;
  /** Everything, as the registry of this process has it. */
  list(): Promise<readonly Listed[]>;
  /** Everything in Prometheus's text format. */
  text(): Promise<string>;
}

/** What became of a read at a draft. */
export type MirrorOutcome = 'same' | 'different' | 'refused' | 'too_large' | 'failed';

/** Members are names of the contract; a draft that answers nonsense must not make more of them than there is room for. */
const MIRROR_MEMBERS_MAX = 2_000;

/** Buckets from a relayed read to a long analysis. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** From one object to the largest answer that is translated. */
const TRANSLATION_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1];
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
    labelNames: ['operation', 'version', 'status_class', 'tier'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const translationFailures = new Counter({
    name: 'perennial_translation_failures_total',
    help: 'Bodies that a change could not translate, by change.',
    labelNames: ['change'],
    registers,
  });
  const translations = new Histogram({
    name: 'perennial_translation_seconds',
    help: 'Time to translate an answer, by operation and version: all changes in between are one step.',
    labelNames: ['operation', 'version'],
    buckets: TRANSLATION_SECONDS,
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
  const mirrored = new Counter({
    name: 'perennial_mirrored_total',
    help: 'Reads that were sent to a draft as well, by what became of them there.',
    labelNames: ['operation', 'version', 'outcome'],
    registers,
  });
  const mirrorDifferences = new Counter({
    name: 'perennial_mirror_differences_total',
    help: 'Members in which a draft answered otherwise than the live service.',
    labelNames: ['operation', 'version', 'member', 'difference'],
    registers,
  });
  const mirrorMembers = new Set<string>();
  const text = cluster.isWorker ? readClusterMetrics(registry) : () => registry.metrics();
  return {
    contentType: registry.contentType,
    observe({ operation, standing, startedAt, tier }, response) {
      durations.observe(
        {
          operation: operation?.id ?? NONE,
          version: standing?.release.id ?? NONE,
          status_class: response.headersSent ? (classes[Math.floor(response.statusCode / 100)] ?? UNKNOWN) : 'aborted',
          tier: tier ?? NONE,
        },
        (performance.now() - startedAt) / 1000,
      );
    },
    translated({ operation, release }, seconds) {
      translations.observe({ operation: operation.id, version: release }, seconds);
    },
    fault(error) {
      if (error instanceof NotShown) return;
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
    mirrored(operation, version, outcome) {
      mirrored.inc({ operation, version, outcome });
    },
    mirrorDifference(operation, version, member, difference) {
      const key = `${operation} ${version} ${member} ${difference}`;
      if (mirrorMembers.size >= MIRROR_MEMBERS_MAX && !mirrorMembers.has(key)) return;
      mirrorMembers.add(key);
      mirrorDifferences.inc({ operation, version, member, difference });
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
    daysToSunset(serviceDate) {
      new Gauge({
        name: 'perennial_days_to_sunset',
        help: 'Days until the first day on which a version is answered 410.',
        labelNames: ['version', 'state'],
        // Every worker says the same.
        aggregator: 'max',
        registers,
        collect() {
          this.reset();
          const today = Date.parse(serviceDate.day());
          for (const { release, state } of serviceDate.standings())
            if (release.sunset !== undefined)
              this.set({ version: release.id, state }, (Date.parse(release.sunset) - today) / DAY_MS);
        },
      });
    },
    list: () => registry.getMetricsAsJSON() as Promise<readonly Listed[]>,
    text,
  };
}

const DAY_MS = 86_400_000;

const classes: readonly (string | undefined)[] = [undefined, '1xx', '2xx', '3xx', '4xx', '5xx'];

/** Counts each failure on its way to becoming an answer. */
export function countFaults(metrics: Metrics, answerFault: AnswerFault): AnswerFault {
  return (error, response) => {
    // The proxy reports some failures twice.
    if (!response.writableEnded) metrics.fault(error);
    answerFault(error, response);
  };
}
