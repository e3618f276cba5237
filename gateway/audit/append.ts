import { type Database, type DatabaseTransaction, type Driver, driverOf } from '@perennial/prisma/client.ts';
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
export function createAppender(database: Database, driver: Driver = driverOf(database)): AppendBatch {
  const heads = new LRUCache<string, string>({ max: HEADS_MAX });
  let sharedUntil = 0;

  /** @param ends of the chains, which are moved on. */
  const insert = async (run: Driver, batch: Batch, ends: Map<string, string>): Promise<void> => {
    const entries = chain(batch.accesses, ends);
    batch.attempted = entries[0];
    await run.query(INSERT, [parameterOf(entries)]);
    for (const [account, end] of ends) heads.set(account, end);
  };
  const insertLocked = async (batch: Batch, accounts: readonly string[]): Promise<void> => {
    const { attempted } = batch;
    await database.$transaction(
      async (tx) => {
        await lock(tx, accounts);
        if (attempted && (await isWritten(tx, attempted))) return;
        const run = { query: (sql: string, values: readonly unknown[]) => tx.$executeRawUnsafe(sql, ...values) };
        await insert(run, batch, await readEnds(tx, accounts));
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
      await insert(driver, batch, ends);
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

async function readEnds(tx: DatabaseTransaction, accounts: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.$queryRaw<{ id: string; hash: string | null }[]>`
    SELECT id, (SELECT hash FROM edge.audit_entries WHERE account_id = id ORDER BY seq DESC LIMIT 1)
    FROM unnest(${accounts}::text[]) AS account (id)`;
  return new Map(rows.map(({ id, hash }) => [id, hash ?? GENESIS]));
}

/**
 * Rows keep the order of the list, and with it of `seq`. One parameter holds them all: for each the text that was hashed,
 * from which PostgreSQL reads the columns, and the hash. It is jsonb, for of json each reading of a column would parse
 * the entry anew.
 */
const INSERT = `
  INSERT INTO edge.audit_entries
    (account_id, at, request_id, key_id, operation, resource_ids, status, previous_hash, hash)
  SELECT access ->> 0, (access ->> 1)::timestamptz, access ->> 2, access ->> 3, access ->> 4,
    ARRAY(SELECT jsonb_array_elements_text(access -> 5)), (access ->> 6)::int, access ->> 7, entry ->> 1
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS entries (entry, number),
    LATERAL (SELECT entry -> 0 AS access) AS accesses
  ORDER BY number`;

function parameterOf(entries: readonly ChainedAccess[]): string {
  return `[${entries.map(({ text, hash }) => `[${text},"${hash}"]`).join(',')}]`;
}

/** unique_violation */
function isConflict(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === '23505';
}

/**
 * The entries in the order in which they are put at the ends of their chains: account by account, so that the unique
 * key makes no two gateways wait for each other either.
 */
function chain(accesses: readonly Access[], ends: Map<string, string>): readonly ChainedAccess[] {
  const sorted = ends.size === 1 ? accesses : accesses.toSorted((a, b) => compare(a.accountId, b.accountId));
  return sorted.map((access) => {
    const entry = chained(access, ends.get(access.accountId) as string);
    ends.set(access.accountId, entry.hash);
    return entry;
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
