import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';

/** The first try is without a lock; the ones after it wait for their turn, so the second is nearly always the last. */
const TRIES_MAX = 3;

/**
 * Reads, checks and writes in one transaction. When somebody else has written in between (`attempt` gives undefined)
 * it is all done again on the newer state, which a caller that named the state it had read will find changed.
 * @param attempt is told whether to lock what it reads.
 * @throws Fault `conflict` when others kept writing.
 */
export async function writeOptimistically<T>(
  database: Database,
  attempt: (transaction: DatabaseTransaction, lock: boolean) => Promise<T | undefined>,
): Promise<T> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const written = await database.$transaction((transaction) => attempt(transaction, tries > 1));
    if (written !== undefined) return written;
  }
  throw new Fault('conflict');
}
