import cluster from 'node:cluster';
import { flushCompileCache } from 'node:module';
import { InstallationMismatch } from '@perennial/prisma/installation.ts';
import { warnOfMissingProtection } from '@perennial/prisma/roles.ts';
import { HistoryInvalid } from '@perennial/schemas/lifecycle.ts';
import { answerWatch } from '@perennial/schemas/platform/child-watch.ts';
import { createLogger, type Logger } from '@perennial/schemas/platform/logger.ts';
import { ConfigInvalid } from '@perennial/schemas/platform/settings.ts';
import { CatalogueInvalid } from '@perennial/translators/engine/failures.ts';
import { checkAuditKeys } from './audit/installation.ts';
import { readAuditKeys } from './audit/keys.ts';
import { type GatewayConfig, readConfig } from './config.ts';
import { startGateway } from './server.ts';
import { startWorkers } from './workers.ts';

/** With this argument the gateway reports when it is ready, and listens once it is told to. */
const PORT_IS_HELD = '--port-is-held';
const CHECK_AGAIN_MS = 1_000;

/** Runs the gateway, alone or as the first of several workers, until it is told to stop. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel, 'gateway');
  if (cluster.isPrimary) await checkShared(config, logger);
  const running =
    config.workers > 1 && cluster.isPrimary
      ? await portGiven().then(() => startWorkers(config, logger))
      : await startAlone(config, logger);
  process.send?.({ type: 'ready', url: running.url });
  setImmediate(flushCompileCache);
  if (!cluster.isWorker)
    warnOfMissingProtection(config.databaseUrl, 'edge', (message, details) => logger.warn(message, details));

  let stopping = false;
  const stop = (signal: string, isAnnounced = true): void => {
    if (stopping) return;
    stopping = true;
    logger.info('the gateway stops', { signal });
    running.stop(isAnnounced).then(
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
  process.on('disconnect', () => stop('disconnect', false));
}

/** The parent process holds the port and answers there until this one asks for it. */
async function portGiven(): Promise<void> {
  if (!process.argv.includes(PORT_IS_HELD) || cluster.isWorker || !process.connected) return;
  const given = new Promise<void>((resolve) => {
    process.once('disconnect', resolve);
    process.on('message', function hear(message: { readonly type?: string }) {
      if (message.type !== 'listen') return;
      process.off('message', hear);
      process.off('disconnect', resolve);
      resolve();
    });
  });
  process.send?.({ type: 'prepared' });
  await given;
}

/** The gateway also starts while its database is unreachable; the shared settings are compared once it is back. */
async function checkShared(config: GatewayConfig, logger: Logger): Promise<void> {
  const keys = readAuditKeys(config.auditKey, config.auditKeyFile);
  try {
    await checkAuditKeys(config.databaseUrl, keys);
  } catch (error) {
    if (error instanceof InstallationMismatch) throw error;
    logger.warn('the database could not be asked what gateways share', { error: (error as Error).name });
    setTimeout(() => void checkShared(config, logger).catch(refuse), CHECK_AGAIN_MS).unref();
  }
}

async function startAlone(
  config: GatewayConfig,
  logger: Logger,
): Promise<{ readonly url: string; stop(isAnnounced?: boolean): Promise<void> }> {
  const gateway = await startGateway(config, logger, { mayListen: portGiven });
  const { serviceDate, url } = gateway;
  logger.info('the gateway listens', { url, serviceDate: serviceDate.day(), dateFrom: serviceDate.source });
  if (serviceDate.pinned)
    logger.warn('the service date is pinned: no version retires by itself; set SERVICE_DATE=system in production', {
      serviceDate: serviceDate.day(),
    });
  return gateway;
}

answerWatch();
main().catch(refuse);

function refuse(error: unknown): never {
  const isExpected =
    error instanceof ConfigInvalid ||
    error instanceof InstallationMismatch ||
    error instanceof HistoryInvalid ||
    error instanceof CatalogueInvalid ||
    (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  process.stderr.write(`gateway: ${isExpected ? (error as Error).message : (error as Error).stack}\n`);
  process.exit(1);
}
