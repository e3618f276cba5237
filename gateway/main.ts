import cluster from 'node:cluster';
import { createLogger, type Logger } from '@perennial/schemas/http/logger.ts';
import { HistoryInvalid } from '@perennial/schemas/lifecycle.ts';
import { CatalogueInvalid } from '@perennial/translators/engine/failures.ts';
import { ConfigInvalid, type GatewayConfig, readConfig } from './config.ts';
import { startGateway } from './server.ts';
import { startWorkers } from './workers.ts';

/** Runs the gateway, alone or as the first of several workers, until it is told to stop. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel, 'gateway');
  const running =
    config.workers > 1 && cluster.isPrimary
      ? await startWorkers(config.workers, logger)
      : await startAlone(config, logger);
  process.send?.({ type: 'ready', url: running.url });

  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info('the gateway stops', { signal });
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error('the gateway did not stop in order', { error: (error as Error).name });
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  // A parent that is gone cannot stop us later.
  process.on('disconnect', () => stop('disconnect'));
}

async function startAlone(
  config: GatewayConfig,
  logger: Logger,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const gateway = await startGateway(config, logger);
  const { serviceDate, url } = gateway;
  logger.info('the gateway listens', { url, serviceDate: serviceDate.day(), dateFrom: serviceDate.source });
  if (serviceDate.pinned)
    logger.warn('the service date is pinned: no version retires by itself; set SERVICE_DATE=system in production', {
      serviceDate: serviceDate.day(),
    });
  return gateway;
}

main().catch((error: unknown) => {
  const isExpected =
    error instanceof ConfigInvalid ||
    error instanceof HistoryInvalid ||
    error instanceof CatalogueInvalid ||
    (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  process.stderr.write(`gateway: ${isExpected ? (error as Error).message : (error as Error).stack}\n`);
  process.exit(1);
});
