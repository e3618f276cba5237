import { migrate } from '@perennial/prisma/migrate.ts';
import { ConfigInvalid, readConfig } from './config.ts';
import { describe } from './http/answer-faults.ts';
import { type RunningCore, startCore } from './start.ts';

/*
 * Core as a process of its own. A parent that started it over IPC is sent `{type: 'ready', url}`.
 */

let core: RunningCore | undefined;
let isStopping = false;

process.once('SIGTERM', () => stop('SIGTERM', 0));
process.once('SIGINT', () => stop('SIGINT', 0));
// A parent that is gone can no longer stop us.
process.once('disconnect', () => stop('parent gone', 0));
// One request's forgotten promise must not end the others.
process.on('unhandledRejection', (error) => core?.services.logger.error('unhandled rejection', describe(error)));
process.on('uncaughtException', (error) => {
  core?.services.logger.error('uncaught exception', describe(error));
  stop('uncaught exception', 1);
});
// The reader of a pipe may leave; the service goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  const config = readConfig(process.env);
  // Harmless when `npm start` has done it: processes that start together wait for each other.
  await migrate(config.databaseUrl);
  const started = await startCore(config);
  started.services.warmUp();
  // Asked to stop on the way up.
  if (isStopping) {
    await started.stop();
    process.exit(0);
  }
  core = started;
  core.services.logger.info('core listens', { url: core.url });
  process.send?.({ type: 'ready', url: core.url });
  // After the others know that we are there: the first search would wait for it otherwise.
  setImmediate(() => started.services.knowledge.prepare());
} catch (error) {
  const reason = error instanceof Error ? error.message || error.name : 'unknown failure';
  process.stderr.write(`core cannot start:${error instanceof ConfigInvalid ? '\n' : ' '}${reason}\n`);
  process.exit(1);
}

function stop(reason: string, exitCode: number): void {
  if (isStopping) return;
  isStopping = true;
  if (!core) return;
  const { logger } = core.services;
  logger.info('core stops', { reason });
  core.stop().then(
    () => process.exit(exitCode),
    (error: unknown) => {
      logger.error('core did not stop cleanly', describe(error));
      process.exit(1);
    },
  );
}
