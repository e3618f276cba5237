import { HistoryInvalid } from '@perennial/schemas/lifecycle.ts';
import { createLogger } from '@perennial/schemas/platform/logger.ts';
import { CatalogueInvalid } from '@perennial/translators/engine/failures.ts';
import { loadService } from './load.ts';
import { DocumentRefused } from './schema-in.ts';
import { readSettings, SettingsRefused, USAGE } from './settings.ts';
import { startProxy } from './start.ts';

/* npm run perennial -- proxy: every version of a service that is not ours (docs/proxy.md) */

/** Runs until it is told to stop. @returns exit code: 0 stopped in order, 1 refused at the start, 2 not understood. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    const settings = readSettings(args);
    if (settings === 'help') {
      process.stdout.write(USAGE);
      return 0;
    }
    const logger = createLogger(settings.logLevel, 'proxy');
    const service = await loadService(settings.releases);
    const proxy = await startProxy(settings, service, logger);
    process.stdout.write(`perennial proxy: ${proxy.url} serves ${versionsOf(service.history.releases)}\n`);
    const signal = await new Promise<string>((stop) => {
      for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop(name));
    });
    logger.info('the proxy stops', { signal });
    await proxy.stop();
    return 0;
  } catch (error) {
    const isExpected =
      error instanceof SettingsRefused ||
      error instanceof DocumentRefused ||
      error instanceof HistoryInvalid ||
      error instanceof CatalogueInvalid ||
      (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    process.stderr.write(`proxy: ${isExpected ? (error as Error).message : (error as Error).stack}\n`);
    return error instanceof SettingsRefused ? 2 : 1;
  }
}

function versionsOf(releases: readonly { readonly id: string }[]): string {
  return releases.map(({ id }) => `v${id}`).join(', ');
}
