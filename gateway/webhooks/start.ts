import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { type Access, LEFT } from '../audit/entry.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { GatewayConfig } from '../config.ts';
import type { CoreClient } from '../forward/core-client.ts';
import type { Metrics } from '../metrics.ts';
import type { ServiceDate } from '../version/service-date.ts';
import { createCoreWebhooks } from './core-webhooks.ts';
import { dispatch } from './dispatcher.ts';
import { type Loop, startLoop } from './loop.ts';
import { openQueue } from './queue.ts';
import { retryDelaysMs } from './schedule.ts';
import { createSender, type SenderOptions } from './sender.ts';
import { createSunset } from './sunset.ts';
import { type Attempted, startWorker, type Worker } from './worker.ts';

/** What webhooks are delivered with. */
export interface WebhookParts {
  readonly config: GatewayConfig;
  readonly core: CoreClient;
  readonly translator: Translator;
  readonly serviceDate: ServiceDate;
  readonly audit: AuditTrail;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** What tests put in place of what takes days. */
export interface WebhookOverrides {
  readonly retryDelaysMs?: readonly number[];
  readonly pollMs?: number;
  readonly lookup?: NonNullable<SenderOptions['lookup']>;
}

/** The delivery of webhooks, running. */
export interface RunningWebhooks {
  /** Takes no more jobs and waits for the deliveries under way. */
  stop(): Promise<void>;
}

const POLL_MS = 500;
/** How long one call of core may take. */
const CALL_MS_MAX = 10_000;
const PER_SUBSCRIPTION = 4;
const CONNECT_AGAIN_MS = 1_000;

/**
 * Renders, queues and delivers webhooks beside the requests that this process serves. The database need not be there
 * yet. Any number of gateways do this together; the queue deals the work out.
 */
export function startWebhooks(parts: WebhookParts, overrides: WebhookOverrides = {}): RunningWebhooks {
  const { config, translator, serviceDate, audit, metrics, logger } = parts;
  const { webhookTimeoutMs: timeoutMs, webhookAllowPrivate: allowPrivate } = config;
  // The shorter the attempts, the sooner a killed process is noticed.
  const callMs = Math.min(config.coreTimeoutMs, timeoutMs, CALL_MS_MAX);
  const pollMs = overrides.pollMs ?? POLL_MS;
  const core = createCoreWebhooks(parts.core, callMs);
  const sunset = createSunset(serviceDate, core, logger);
  const { lookup } = overrides;
  const sender = createSender({ timeoutMs, allowPrivate, ...(lookup ? { lookup } : {}) });
  // An attempt asks core, sends, and tells core.
  const leaseSeconds = Math.ceil((timeoutMs + 2 * callMs) / 1000);
  const attempted = (attempt: Attempted): void => {
    metrics.webhookAttempt(attempt.outcome);
    audit.record(accessOf(attempt));
  };

  let stopping = false;
  let closeQueue: (() => Promise<void>) | undefined;
  let dispatching: Loop | undefined;
  let worker: Worker | undefined;
  const connecting = startLoop(
    async () => {
      if (closeQueue) return false;
      const queue = await openQueue(config.databaseUrl, leaseSeconds, logger);
      closeQueue = () => queue.stop();
      if (stopping) return false;
      const running = startWorker({
        core,
        queue,
        sender,
        sunset,
        retries: { delaysMs: overrides.retryDelaysMs ?? retryDelaysMs, now: Date.now, random: Math.random },
        logger,
        concurrency: config.webhookConcurrency,
        perSubscription: PER_SUBSCRIPTION,
        pollMs,
        attempted,
      });
      worker = running;
      const options = { core, queue, translator, sunset, logger, failed: metrics.fault };
      dispatching = startLoop(
        async () => {
          const hasMore = await dispatch(options);
          running.wake();
          return hasMore;
        },
        pollMs,
        (error) => logger.warn('webhooks could not be queued', { error: (error as Error).name }),
      );
      void connecting.stop();
      return false;
    },
    CONNECT_AGAIN_MS,
    (error) => logger.warn('the queue of webhooks could not be opened', { error: (error as Error).name }),
  );

  return {
    async stop() {
      stopping = true;
      await connecting.stop();
      await dispatching?.stop();
      const stopped = worker?.stop();
      // What takes longer is broken off and put back: it is no failure of the receiver.
      await Promise.race([stopped, sleep(config.drainTimeoutMs, undefined, { ref: false })]);
      await sender.close();
      await stopped;
      await closeQueue?.();
    },
  };
}

/** Data that leaves through a webhook was accessed: by the subscription, whose event it is. */
function accessOf({ accountId, subscriptionId, deliveryId, eventId, patientId, status }: Attempted): Access {
  return {
    accountId,
    at: new Date(),
    requestId: deliveryId,
    keyId: subscriptionId,
    operation: 'webhooks.deliver',
    resourceIds: [...(patientId === null ? [] : [patientId]), subscriptionId, eventId],
    // The receiver is the client here, and without an answer it may have left at any moment.
    status: status ?? LEFT,
  };
}
