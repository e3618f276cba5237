import type { Database } from '@perennial/prisma/client.ts';
import { type Access, type ChainedAccess, GENESIS, hashOf } from './entry.ts';

/** A batch on its way to the database. It is written whole or not at all, and once, however often it is tried. */
export interface Batch {
  readonly accesses: readonly Access[];
  /** The first entry of the attempt before, whose end is not known: if it is there, the whole batch is. */
  attempted?: ChainedAccess | undefined;
}

const LOCK_WAIT_MS = 2_000;
const WRITE_MS = 10_000;

/**
 * Puts a batch at the ends of its accounts' chains. The locks, taken in one order by everyone, let several gateways
 * write one chain; the unique key on account and previous hash would refuse a fork even without them.
 * @throws what the database says. Whether the batch was written is then found out by calling again.
 */
export async function appendBatch(database: Database, batch: Batch): Promise<void> {
  const accounts = [...new Set(batch.accesses.map(({ accountId }) => accountId))].sort();
  await database.$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('perennial audit ' || id, 0))
        FROM unnest(${accounts}::text[]) AS account (id)`;
      // An attempt that was still committing held the locks until now.
      if (batch.attempted) {
        const { accountId, previousHash, hash } = batch.attempted;
        const found = await tx.auditEntry.findUnique({
          where: { accountId_previousHash: { accountId, previousHash } },
          select: { hash: true },
        });
        if (found?.hash === hash) return;
      }
      const heads = await tx.$queryRaw<{ id: string; hash: string | null }[]>`
        SELECT id, (SELECT hash FROM edge.audit_entries WHERE account_id = id ORDER BY seq DESC LIMIT 1)
        FROM unnest(${accounts}::text[]) AS account (id)`;
      const chained = chain(batch.accesses, new Map(heads.map(({ id, hash }) => [id, hash ?? GENESIS])));
      batch.attempted = chained[0];
      // One parameter however many entries; rows keep the order of the list, and with it of `seq`.
      await tx.$executeRaw`
        INSERT INTO edge.audit_entries
          (account_id, at, request_id, key_id, operation, resource_ids, status, previous_hash, hash)
        SELECT "accountId", at, "requestId", "keyId", operation, "resourceIds", status, "previousHash", hash
        FROM json_to_recordset(${JSON.stringify(chained)}::json) AS entry
          ("accountId" text, at timestamptz, "requestId" text, "keyId" text, operation text, "resourceIds" text[],
           status int, "previousHash" text, hash text)`;
    },
    { maxWait: LOCK_WAIT_MS, timeout: WRITE_MS },
  );
}

function chain(accesses: readonly Access[], heads: Map<string, string>): readonly ChainedAccess[] {
  return accesses.map((access) => {
    const previousHash = heads.get(access.accountId) ?? GENESIS;
    const hash = hashOf(access, previousHash);
    heads.set(access.accountId, hash);
    return { ...access, previousHash, hash };
  });
}
