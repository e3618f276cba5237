import { flushCompileCache } from 'node:module';
import { migrate } from '@perennial/prisma/migrate.ts';
import { warnOfMissingProtection } from '@perennial/prisma/roles.ts';
import { answerWatch } from '@perennial/schemas/platform/child-watch.ts';
import { DiskBlobStore } from './attachments/blob-store.ts';
import { readConfig } from './config.ts';
import { checkSharedBy } from './installation.ts';
import { describe } from './platform/http/answer-faults.ts';
import { type RunningCore, startCore } from './start.ts';

/*
 * Core as a process of its own. A parent that started it over IPC is sent `{type: 'ready', url}`.
 */

/** With this argument clients wait already: core answers them first, and gets ready for what takes longer meanwhile. */
const isAwaited = process.argv.includes('--awaited');

/** For the answers that were waited for. */
const FIRST_ANSWERS_MS = 500;

let core: RunningCore | undefined;
let isStopping = false;

answerWatch();
process.once('SIGTERM', () => stop('SIGTERM', 0));
process.once('SIGINT', () => stop('SIGINT', 0));
// A parent that is gone can no longer stop us.
process.once('disconnect', () => stop('parent gone', 0, false));
// One request's forgotten promise must not end the others.
process.on('unhandledRejection', (error) => core?.services.logger.error('unhandled rejection', describe(error)));
process.on('uncaughtException', (error) => {
  core?.services.logger.error('uncaught exception', describe(error));
  stop('uncaught exception', 1, false);
});
// The reader of a pipe may leave; the service goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  const config = readConfig(process.env);
  // Harmless when `npm start` has done it: processes that start together wait for each other.
  await migrate(config.databaseUrl);
  const blobs = new DiskBlobStore(config.attachmentsDir);
  await checkSharedBy(config, blobs);
  const started = await startCore(config, { blobs });
  if (!isAwaited) await started.services.warmUp();
  // Asked to stop on the way up.
  if (isStopping) {
    await started.stop();
    process.exit(0);
  }
  core = started;
  const { logger } = core.services;
  logger.info('core listens', { url: core.url });
  warnOfMissingProtection(config.databaseUrl, 'core', (message, details) => logger.warn(message, details));
  process.send?.({ type: 'ready', url: core.url });
  setTimeout(
    () => {
      if (isAwaited) void started.services.warmUp();
      flushCompileCache();
    },
    isAwaited ? FIRST_ANSWERS_MS : 0,
  ).unref();
} catch (error) {
  const reason = error instanceof Error ? error.message || error.name : 'unknown failure';
  process.stderr.write(`core cannot start: ${reason}\n`);
  process.exit(1);
}

function stop(reason: string, exitCode: number, isAnnounced = true): void {
  if (isStopping) return;
  isStopping = true;
  if (!core) return;
  const { logger } = core.services;
  logger.info('core stops', { reason });
  core.stop(isAnnounced).then(
    () => process.exit(exitCode),
    (error: unknown) => {
      logger.error('core did not stop cleanly', describe(error));
      process.exit(1);
    },
  );
}
