import { migrate } from '@perennial/prisma/migrate.ts';
import { type Config, ConfigInvalid, readConfig } from './config.ts';
import { describe } from './http/answer-faults.ts';
import { startCore } from './start.ts';

/** Runs core as a process of its own. */
async function main(): Promise<void> {
  const config = readOrExit();
  // Harmless when `npm start` has done it: processes that start together wait for each other.
  await migrate(config.databaseUrl);
  const core = await startCore(config);
  const { logger } = core.services;
  logger.info('core listens', { url: core.url });

  const stop = (reason: string, exitCode: number): void => {
    logger.info('core stops', { reason });
    core.stop().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        logger.error('core did not stop cleanly', describe(error));
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', () => stop('SIGTERM', 0));
  process.once('SIGINT', () => stop('SIGINT', 0));
  // A parent that is gone can no longer stop us.
  process.once('disconnect', () => stop('parent gone', 0));
  process.on('unhandledRejection', (error) => logger.error('unhandled rejection', describe(error)));
  process.on('uncaughtException', (error) => {
    logger.error('uncaught exception', describe(error));
    stop('uncaught exception', 1);
  });
  process.send?.({ type: 'ready', url: core.url });
}

function readOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigInvalid) exitWith(`core cannot start:\n${error.message}`);
    throw error;
  }
}

function exitWith(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

try {
  await main();
} catch (error) {
  exitWith(`core cannot start: ${error instanceof Error ? error.message : 'unknown failure'}`);
}
