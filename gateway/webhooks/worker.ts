import type { Begun, NextStep } from '@perennial/schemas/internal/webhooks.ts';
import type { AccountId, DeliveryId, EventId, PatientId, SubscriptionId } from '@perennial/schemas/platform/ids.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { AttemptOutcome } from '@perennial/schemas/resources/webhook.ts';
import type { Job } from 'pg-boss';
import type { CoreWebhooks } from './core-webhooks.ts';
import { type Loop, startLoop } from './loop.ts';
import type { DeliveryJob, DeliveryQueue, Lane } from './queue.ts';
import { nextAttempt, type RetryRules } from './schedule.ts';
import type { Sender, Sent } from './sender.ts';
import type { Sunset } from './sunset.ts';

/** What a worker works with. */
export interface WorkerOptions {
  readonly core: CoreWebhooks;
  readonly queue: DeliveryQueue;
  readonly sender: Sender;
  readonly sunset: Sunset;
  readonly retries: RetryRules;
  readonly logger: Logger;
  /** Deliveries of this process under way at a time, in each lane. */
  readonly concurrency: number;
  /** Deliveries to one subscription under way at a time, everywhere. */
  readonly perSubscription: number;
  /** How long nothing to do is believed. */
  readonly pollMs: number;
  /** Told of every attempt. */
  readonly attempted: (attempt: Attempted) => void;
}

/** An attempt, for figures and the audit trail. */
export interface Attempted {
  readonly accountId: AccountId;
  readonly subscriptionId: SubscriptionId;
  readonly deliveryId: DeliveryId;
  readonly eventId: EventId;
  /** Whose data was sent. */
  readonly patientId: PatientId | null;
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
}

/** Delivers what is queued. */
export interface Worker {
  /** Looks into the queue at once. */
  wake(): void;
  /** Takes no more jobs and waits for those under way. */
  stop(): Promise<void>;
}

/** A receiver that takes longer than this is slow. */
const SLOW_MS = 3_000;

export function startWorker(options: WorkerOptions): Worker {
  const underWay = new Set<Promise<void>>();
  const loops: Loop[] = [];
  const lanes: readonly Lane[] = ['prompt', 'slow'];
  const counts = { prompt: 0, slow: 0 };
  for (const lane of lanes) {
    const turn = async (): Promise<boolean> => {
      const free = options.concurrency - counts[lane];
      if (free === 0) return false;
      const jobs = await options.queue.take(lane, free, options.perSubscription);
      for (const job of jobs) {
        counts[lane] += 1;
        const delivered = deliver(options, lane, job).finally(() => {
          counts[lane] -= 1;
          underWay.delete(delivered);
          // There is room again, and perhaps more for the same subscription.
          loop.wake();
        });
        underWay.add(delivered);
      }
      return jobs.length === free;
    };
    const loop = startLoop(turn, options.pollMs, (error) =>
      options.logger.warn('the queue of webhooks could not be read', { lane, error: (error as Error).name }),
    );
    loops.push(loop);
  }
  return {
    wake() {
      for (const loop of loops) loop.wake();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await Promise.all(underWay);
    },
  };
}

/** Carries out one job. What fails here is ours, not the receiver's: the job is put back, or comes back by itself. */
async function deliver(options: WorkerOptions, lane: Lane, job: Job<DeliveryJob>): Promise<void> {
  const { queue, logger } = options;
  try {
    const step = await attempt(options, job.data);
    if (step.kind === 'wait') {
      await queue.putBack(lane, job.id);
      return;
    }
    if (step.kind === 'again') {
      const { ticket, at, subscription_id: subscriptionId } = step;
      // What has failed waits in the slow lane, before the job that leads to it is done with.
      await queue.add('slow', [{ deliveryId: job.data.deliveryId, ticket, subscriptionId, at: new Date(at) }]);
    }
    await queue.complete(lane, job.id);
  } catch (error) {
    logger.warn('a delivery was interrupted', { delivery: job.data.deliveryId, error: (error as Error).name });
    await queue.putBack(lane, job.id).catch(() => undefined);
  }
}

async function attempt(options: WorkerOptions, { deliveryId, ticket }: DeliveryJob): Promise<NextStep> {
  const { core, sender, sunset, retries } = options;
  let begun = await core.begin(deliveryId, ticket);
  if (begun.kind === 'send' && sunset.isReached(begun.version)) {
    await core.pauseSunset([begun.version]);
    // Now held: its subscription is paused.
    begun = await core.begin(deliveryId, ticket);
  }
  if (begun.kind !== 'send') return begun;
  const sent = await sender.send({ url: begun.url, headers: headersOf(begun), body: begun.body });
  report(options, deliveryId, begun, sent);
  const isGone = sent.status === 410;
  const failed = sent.outcome !== 'delivered';
  const next = failed && !isGone ? nextAttempt(retries, begun.tries, sent.retryAfterMs) : undefined;
  return core.finish(deliveryId, {
    ticket,
    started_at: sent.startedAt.toISOString(),
    duration_ms: sent.durationMs,
    status: sent.status,
    outcome: sent.outcome,
    next_attempt_at: next?.toISOString() ?? null,
    is_slow: failed || sent.durationMs > SLOW_MS,
    is_gone: isGone,
  });
}

function headersOf({ headers, version }: Extract<Begun, { kind: 'send' }>): Readonly<Record<string, string>> {
  return {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Perennial-Webhooks/1.0',
    'service-version': version,
  };
}

function report(
  options: WorkerOptions,
  deliveryId: DeliveryId,
  begun: Extract<Begun, { kind: 'send' }>,
  sent: Sent,
): void {
  const { outcome, status, durationMs } = sent;
  const { account_id: accountId, subscription_id: subscriptionId, patient_id: patientId, headers } = begun;
  const eventId = headers['webhook-id'] as EventId;
  options.logger.info('webhook', {
    delivery: deliveryId,
    event: eventId,
    subscription: subscriptionId,
    account: accountId,
    outcome,
    status,
    durationMs,
  });
  options.attempted({ accountId, subscriptionId, deliveryId, eventId, patientId, outcome, status });
}
