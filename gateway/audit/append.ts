import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import { LRUCache } from 'lru-cache';
import { type Access, type ChainedAccess, chained, GENESIS } from './entry.ts';

/** A batch on its way to the database. It is written whole or not at all, and once, however often it is tried. */
export interface Batch {
  readonly accesses: readonly Access[];
  /** The first entry of the attempt before, whose end is not known: if it is there, the whole batch is. */
  attempted?: ChainedAccess | undefined;
}

/**
 * Puts a batch at the ends of its accounts' chains.
 * @throws what the database says. Whether the batch was written is then found out by calling again.
 */
export type AppendBatch = (batch: Batch) => Promise<void>;

const HEADS_MAX = 10_000;
/** How long after another gateway wrote to one of our chains the locks are taken at once. */
const SHARED_MS = 10_000;
const LOCK_WAIT_MS = 2_000;
const WRITE_MS = 10_000;

/**
 * Two ways. A gateway that has the accounts for itself knows where their chains end and writes with one statement:
 * had another one written meanwhile, the unique key on account and previous hash would refuse it. Then, and for a
 * while afterwards, it takes a lock for each account, reads where the chains end and writes behind that.
 */
export function createAppender(database: Database): AppendBatch {
  const heads = new LRUCache<string, string>({ max: HEADS_MAX });
  let sharedUntil = 0;

  const insert = async (tx: DatabaseTransaction, batch: Batch, ends: ReadonlyMap<string, string>): Promise<void> => {
    const chains = chain(batch.accesses, ends);
    batch.attempted = chains[0]?.entries[0];
    await insertEntries(tx, chains);
    for (const { accountId, entries } of chains) {
      const end = entries.at(-1)?.hash;
      if (end !== undefined) heads.set(accountId, end);
    }
  };
  const insertLocked = async (batch: Batch, accounts: readonly string[]): Promise<void> => {
    const { attempted } = batch;
    await database.$transaction(
      async (tx) => {
        await lock(tx, accounts);
        if (attempted && (await isWritten(tx, attempted))) return;
        await insert(tx, batch, await readEnds(tx, accounts));
      },
      { maxWait: LOCK_WAIT_MS, timeout: WRITE_MS },
    );
  };

  return async (batch) => {
    const accounts = [...new Set(batch.accesses.map(({ accountId }) => accountId))].sort();
    const ends = new Map<string, string>();
    for (const account of accounts) {
      const end = heads.get(account);
      if (end !== undefined) ends.set(account, end);
      // Until the batch is in, nobody knows where the chains end.
      heads.delete(account);
    }
    if (batch.attempted || ends.size < accounts.length || performance.now() < sharedUntil) {
      await insertLocked(batch, accounts);
      return;
    }
    try {
      await insert(database, batch, ends);
    } catch (error) {
      if (!isConflict(error)) throw error;
      for (const account of accounts) heads.delete(account);
      sharedUntil = performance.now() + SHARED_MS;
      await insertLocked(batch, accounts);
    }
  };
}

/** In one order for everyone, so that two gateways never wait for each other; given back with the transaction. */
async function lock(tx: DatabaseTransaction, accounts: readonly string[]): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('perennial audit ' || id, 0))
    FROM unnest(${accounts}::text[]) AS account (id)`;
}

async function isWritten(tx: DatabaseTransaction, { accountId, previousHash, hash }: ChainedAccess): Promise<boolean> {
  const found = await tx.auditEntry.findUnique({
    where: { accountId_previousHash: { accountId, previousHash } },
    select: { hash: true },
  });
  return found?.hash === hash;
}

async function readEnds(tx: DatabaseTransaction, accounts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.$queryRaw<{ id: string; hash: string | null }[]>`
    SELECT id, (SELECT hash FROM edge.audit_entries WHERE account_id = id ORDER BY seq DESC LIMIT 1)
    FROM unnest(${accounts}::text[]) AS account (id)`;
  return new Map(rows.map(({ id, hash }) => [id, hash ?? GENESIS]));
}

/**
 * Rows keep the order of the list, and with it of `seq`; one parameter holds them all. It is kept small, for it is
 * copied several times on its way: what the entries of an account share is said once, and each follows the one before.
 */
async function insertEntries(tx: DatabaseTransaction, chains: readonly Chain[]): Promise<void> {
  const rows = chains.flatMap(({ entries }, index) =>
    entries.map(({ at, requestId, keyId, operation, resourceIds, status, hash }) => [
      // Positions in PostgreSQL count from 1.
      index + 1,
      at,
      requestId,
      keyId,
      operation,
      resourceIds,
      status,
      hash,
    ]),
  );
  await tx.$executeRaw`
    INSERT INTO edge.audit_entries
      (account_id, at, request_id, key_id, operation, resource_ids, status, previous_hash, hash)
    SELECT (${chains.map(({ accountId }) => accountId)}::text[])[chain], (entry ->> 1)::timestamptz, entry ->> 2,
      entry ->> 3, entry ->> 4, ARRAY(SELECT json_array_elements_text(entry -> 5)), (entry ->> 6)::int,
      coalesce(lag(entry ->> 7) OVER (PARTITION BY chain ORDER BY number),
        (${chains.map(({ previousHash }) => previousHash)}::text[])[chain]),
      entry ->> 7
    FROM json_array_elements(${JSON.stringify(rows)}::json) WITH ORDINALITY AS entries (entry, number),
      LATERAL (SELECT (entry ->> 0)::int AS chain) AS chains
    ORDER BY number`;
}

function isConflict(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  // A raw statement reports the code of PostgreSQL: unique_violation.
  return error.code === 'P2002' || JSON.stringify(error.meta ?? {}).includes('23505');
}

/** What is put at the end of one account's chain. */
interface Chain {
  readonly accountId: string;
  /** What the first entry follows. */
  readonly previousHash: string;
  readonly entries: ChainedAccess[];
}

/** Accounts in order, so that the unique key makes no two gateways wait for each other either. */
function chain(accesses: readonly Access[], ends: ReadonlyMap<string, string>): readonly Chain[] {
  const chains = new Map<string, Chain>();
  for (const accountId of [...ends.keys()].sort())
    chains.set(accountId, { accountId, previousHash: ends.get(accountId) as string, entries: [] });
  for (const access of accesses) {
    const { previousHash, entries } = chains.get(access.accountId) as Chain;
    entries.push(chained(access, entries.at(-1)?.hash ?? previousHash));
  }
  return [...chains.values()];
}
