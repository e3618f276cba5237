import { type Listening, listenTo } from '@perennial/prisma/notifications.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { KeyStore } from './key-store.ts';

/** What the database's triggers announce changes of keys on: the hash of the key, or `*` for any. */
const CHANNEL = 'perennial_keys';

/**
 * Forgets keys when they are changed anywhere, within moments. While nothing can be heard, how long keys are believed
 * is what bounds the time a revoked one still works; what was missed is made up for by forgetting all.
 */
export function forgetChangedKeys(databaseUrl: string, keys: KeyStore, logger: Logger): Listening {
  return listenTo(databaseUrl, CHANNEL, 'perennial-gateway-keys', {
    begun: () => keys.forget('all'),
    message: (hash) => keys.forget(hash === '*' ? 'all' : hash),
    lost: (error) =>
      logger.warn('changes of keys are not heard; they are noticed as what is remembered grows old', {
        error: (error as NodeJS.ErrnoException).code ?? error.name,
      }),
  });
}
