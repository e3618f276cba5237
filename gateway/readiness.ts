import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@perennial/prisma/client.ts';
import { type Cores, remembered } from './forward/cores.ts';

/** The dependencies of the gateway, and whether each is available. */
export interface Readiness {
  readonly status: 'ready' | 'not_ready' | 'stopping';
  readonly checks: Readonly<Record<'core' | 'database', 'ok' | 'unavailable'>>;
}

const DATABASE_MS_MAX = 1_000;
const KNOWN_MS = 1_000;

/** Checks database and core, with a timeout of one second, at most once a second. A stop is reported at once. */
export function createReadiness(database: Database, cores: Cores, isStopping: () => boolean): () => Promise<Readiness> {
  const ask = remembered(KNOWN_MS, async () => {
    const [isCoreReady, isDatabaseReady] = await Promise.all([cores.isReady(), answers(database)]);
    return {
      core: isCoreReady ? 'ok' : 'unavailable',
      database: isDatabaseReady ? 'ok' : 'unavailable',
    } as const;
  });
  return async () => {
    const checks = await ask();
    const isReady = checks.core === 'ok' && checks.database === 'ok';
    return { status: isStopping() ? 'stopping' : isReady ? 'ready' : 'not_ready', checks };
  };
}

function answers(database: Database): Promise<boolean> {
  const asked = database.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
  return Promise.race([asked, sleep(DATABASE_MS_MAX, false, { ref: false })]);
}
