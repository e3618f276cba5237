import { createHash } from 'node:crypto';
import type { DeliveryId, SubscriptionId } from '@perennial/schemas/platform/ids.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { type Job, PgBoss } from 'pg-boss';

/** The payload of a job: identifiers only, never data. */
export interface DeliveryJob {
  readonly deliveryId: DeliveryId;
  readonly ticket: number;
  readonly subscriptionId: SubscriptionId;
}

/** The two lanes of the queue. Receivers that failed or were slow the last time get the slow one and delay no other. */
export type Lane = 'prompt' | 'slow';

/** The queue of deliveries, on pg-boss, shared by every gateway. */
export interface DeliveryQueue {
  /** Queues jobs; one that is queued already is not queued again. */
  add(lane: Lane, jobs: readonly (DeliveryJob & { readonly at?: Date })[]): Promise<void>;
  /** Takes jobs that are due, no more than `perSubscription` of one subscription under way anywhere at a time. */
  take(lane: Lane, limit: number, perSubscription: number): Promise<readonly Job<DeliveryJob>[]>;
  /** The job is done with. */
  complete(lane: Lane, jobId: string): Promise<void>;
  /** The job is to be taken again shortly. */
  putBack(lane: Lane, jobId: string): Promise<void>;
  stop(): Promise<void>;
}

const queues: Readonly<Record<Lane, string>> = { prompt: 'gateway.webhooks', slow: 'gateway.webhooks.slow' };
const CONNECTIONS_MAX = 4;
const RETRY_SECONDS = 1;
/** Every failure of ours is tried again: how often a receiver is tried is not for this queue to say. */
const RETRIES_MAX = 1_000_000;
/** How long finished jobs stay in the queue, for inspection. */
const KEPT_SECONDS = 3_600;
const SUPERVISE_SECONDS_MAX = 10;

/**
 * Opens the queue. Its tables are made by our own migrations.
 * @param leaseSeconds how long a job may be under way before its process is taken for dead.
 * @throws when the database is not there; it can be called again.
 */
export async function openQueue(databaseUrl: string, leaseSeconds: number, logger: Logger): Promise<DeliveryQueue> {
  const superviseSeconds = Math.max(1, Math.min(SUPERVISE_SECONDS_MAX, Math.floor(leaseSeconds / 3)));
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'perennial-gateway-webhooks',
    max: CONNECTIONS_MAX,
    migrate: false,
    createSchema: false,
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  boss.on('error', (error) => logger.warn('the queue of webhooks failed', { error: error.name }));
  try {
    await boss.start();
    for (const name of Object.values(queues)) {
      const options = {
        retryLimit: RETRIES_MAX,
        retryDelay: RETRY_SECONDS,
        expireInSeconds: leaseSeconds,
        deleteAfterSeconds: KEPT_SECONDS,
      };
      await boss.createQueue(name, options);
      // The process that started last sets the lease.
      await boss.updateQueue(name, options);
    }
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
  return {
    async add(lane, jobs) {
      await boss.insert(
        queues[lane],
        jobs.map(({ at, ...data }) => ({
          id: jobIdOf(data),
          data,
          group: { id: data.subscriptionId },
          ...(at === undefined ? {} : { startAfter: at }),
        })),
        { returnId: false },
      );
    },
    take: (lane, limit, perSubscription) =>
      boss.fetch<DeliveryJob>(queues[lane], { batchSize: limit, groupConcurrency: perSubscription }),
    async complete(lane, jobId) {
      await boss.complete(queues[lane], jobId);
    },
    async putBack(lane, jobId) {
      await boss.fail(queues[lane], jobId);
    },
    stop: () => boss.stop({ graceful: false }),
  };
}

/** The same id for the same step of the same delivery, so that it is never queued twice. */
function jobIdOf({ deliveryId, ticket }: DeliveryJob): string {
  const hash = createHash('sha256').update(`${deliveryId} ${ticket}`).digest('hex');
  // A UUID of version 8, which is free for uses such as this one (RFC 9562).
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
