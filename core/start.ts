import { asSystem } from '@perennial/prisma/scope.ts';
import { startTelemetry } from '@perennial/prisma/telemetry.ts';
import { ConfigInvalid } from '@perennial/schemas/platform/settings.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { readFilmModel } from './imaging/analysis/film-model/film-model-file.ts';
import { removeExpiredEvents } from './platform/events/retention.ts';
import { describe } from './platform/http/answer-faults.ts';
import { listen } from './platform/http/listener.ts';
import { type CoreParts, createServices, type Services } from './services.ts';

/** Core, running. */
export interface RunningCore {
  /** Where it listens. */
  readonly url: string;
  readonly services: Services;
  /**
   * Stops accepting, drains, closes the database; in this order. Safe to call twice.
   * @param isAnnounced false when nobody is there to be told first.
   */
  stop(isAnnounced?: boolean): Promise<void>;
}

/** Starts core. The database need not be there yet: until it is, requests are answered 503. */
export async function startCore(config: Config, parts: CoreParts = {}): Promise<RunningCore> {
  await readFilmModel();
  const services = createServices(config, parts);
  if (config.imagingModelsDir !== undefined) await checkModels(services);
  let isStopping = (): boolean => false;
  const telemetry = await startTelemetry(config.telemetry, 'perennial-core', services.metrics.list, (why) =>
    services.logger.warn('traces and metrics are not received', { why }),
  );
  if (telemetry?.tracing) services.jobWorker.trace(telemetry.tracing);
  const app = createApp(config, services, () => isStopping(), telemetry?.tracing);
  const listener = await listen(app, config.host, config.port, config.tls);
  isStopping = listener.isStopping;
  const sweepAll = (): Promise<void> => asSystem('retention', () => sweep(services));
  const swept = sweepAll();
  const sweeping = setInterval(() => void sweepAll(), SWEEP_INTERVAL_MS).unref();
  services.jobWorker.start();
  let stopped: Promise<void> | undefined;
  return {
    url: listener.url,
    services,
    stop: (isAnnounced = true) => {
      clearInterval(sweeping);
      stopped ??= listener
        .stop(config.drainTimeoutMs, isAnnounced ? config.drainDelayMs : 0)
        .then(() => services.jobWorker.stop())
        .then(() => services.imaging.close())
        .then(() => services.compute.close())
        .then(() => services.statistics.close())
        .then(() => swept)
        .then(() => telemetry?.stop())
        .then(() => services.database.$disconnect());
      return stopped;
    },
  };
}

/** A service that was given models and cannot use them does not start. */
async function checkModels({ imaging, database, logger }: Services): Promise<void> {
  try {
    const models = await imaging.checkModels();
    logger.info('models loaded', { models: models.map(({ id, version }) => `${id} ${version}`) });
  } catch (error) {
    await imaging.close();
    await database.$disconnect();
    const reason = error instanceof Error ? error.message : 'unknown failure';
    throw new ConfigInvalid([`IMAGING_MODELS_DIR: ${reason}`], { cause: error });
  }
}

const SWEEP_INTERVAL_MS = 3_600_000;

/** Removes what an earlier process could not, and what has expired; whatever stands against it is for the next time. */
async function sweep(services: Services): Promise<void> {
  const { attachments, logger } = services;
  try {
    const removed = await attachments.sweep();
    if (removed > 0) logger.info('orphaned files removed', { removed });
  } catch (error) {
    logger.warn('orphaned files could not be removed', describe(error));
  }
  await sweepAnswers(services);
  await sweepEvents(services);
  await sweepRequests(services);
}

/** Removes events that have expired, with what was sent of them; whatever stands against it is for the next time. */
async function sweepEvents({ events, logger }: Services): Promise<void> {
  try {
    const removed = await removeExpiredEvents(events);
    if (removed > 0) logger.info('expired events removed', { removed });
  } catch (error) {
    logger.warn('expired events could not be removed', describe(error));
  }
}

/** Forgets requests that can no longer be repeated; whatever stands against it is for the next time. */
async function sweepRequests({ sharedRequests, logger }: Services): Promise<void> {
  try {
    await sharedRequests.removeExpired();
  } catch (error) {
    logger.warn('requests that were taken could not be forgotten', describe(error));
  }
}

/** Removes kept answers that have expired; whatever stands against it is for the next time. */
async function sweepAnswers({ idempotency, logger }: Services): Promise<void> {
  try {
    const removed = await idempotency.sweep();
    if (removed > 0) logger.info('kept answers removed', { removed });
  } catch (error) {
    logger.warn('kept answers could not be removed', describe(error));
  }
}
