import type { Database } from '@perennial/prisma/client.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';

/** Remembers when each key was last used. */
export interface KeyUse {
  note(keyId: string): void;
  stop(): Promise<void>;
}

/** A key that is used all the time is written down this often. */
const FLUSH_MS = 10_000;
/** Its time is worth no more writes than one in so long. */
const APART_MS = 60_000;
const KEYS_MAX = 50_000;

/** Writes in the background, one statement for all keys. If a gateway dies, a few seconds of precision are lost. */
export function createKeyUse(database: Database, logger: Logger): KeyUse {
  let used = new Map<string, number>();
  let written = new Map<string, number>();
  let last = Promise.resolve();
  const write = async (): Promise<void> => {
    const taken = [...used].sort(([one], [other]) => (one < other ? -1 : 1));
    used = new Map();
    if (taken.length === 0) return;
    if (written.size > KEYS_MAX) written = new Map();
    for (const [keyId, at] of taken) written.set(keyId, at);
    const ids = taken.map(([keyId]) => keyId);
    const times = taken.map(([, at]) => new Date(at));
    await database.$executeRaw`
      UPDATE edge.api_keys AS k SET last_used_at = u.at
      FROM unnest(${ids}::text[], ${times}::timestamptz[]) AS u(id, at)
      WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`;
  };
  const flush = (): Promise<void> => {
    last = last.then(write).catch((error: unknown) => {
      logger.warn('when keys were last used could not be written down', { error: (error as Error).name });
    });
    return last;
  };
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  return {
    note(keyId) {
      if (used.has(keyId) || used.size >= KEYS_MAX) return;
      const now = Date.now();
      const before = written.get(keyId);
      if (before === undefined || now - before >= APART_MS) used.set(keyId, now);
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
