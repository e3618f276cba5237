import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@perennial/prisma/client.ts';
import { type Cores, remembered } from './forward/cores.ts';

/** What the gateway needs to do its work, and whether it is there. */
export interface Readiness {
  readonly status: 'ready' | 'not_ready' | 'stopping';
  readonly checks: Readonly<Record<'core' | 'database', 'ok' | 'unavailable'>>;
}

const DATABASE_MS_MAX = 1_000;
const KNOWN_MS = 1_000;

/** Asks database and core, each within a second and at most once a second. A stop is told from its first moment. */
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
