import { type Database, type DatabaseTransaction, type Driver, driverOf } from '@perennial/prisma/client.ts';
import { LRUCache } from 'lru-cache';
import { type Access, type ChainedAccess, chained, GENESIS, type Head, macOfHead } from './entry.ts';
import type { AuditKey, AuditKeys } from './keys.ts';

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

/** Where a chain ends, as far as a gateway knows. */
interface End extends Head {
  /** Whether it is where the last writer left it. Once it is not, it is never called sound again. */
  readonly isSound: boolean;
}

/** Called for an account whose chain does not end where its last writer left it. */
export type ReportTampering = (accountId: string) => void;

/**
 * Two ways. A gateway that has the accounts for itself knows where their chains end and writes with one statement:
 * had another one written meanwhile, the unique key on account and previous hash would refuse it. Then, and for a
 * while afterwards, it takes a lock for each account, reads where the chains end and writes behind that.
 */
export function createAppender(
  database: Database,
  keys: AuditKeys,
  report: ReportTampering = () => undefined,
  driver: Driver = driverOf(database),
): AppendBatch {
  const heads = new LRUCache<string, End>({ max: HEADS_MAX });
  let sharedUntil = 0;

  /** @param ends of the chains, which are moved on. */
  const insert = async (run: Driver, batch: Batch, ends: Map<string, End>): Promise<void> => {
    const entries = chain(batch.accesses, ends, keys.current);
    batch.attempted = entries[0];
    await run.query(INSERT, [parameterOf(entries), parameterOfHeads(ends, keys.current)]);
    for (const [account, end] of ends) heads.set(account, end);
  };
  const insertLocked = async (batch: Batch, accounts: readonly string[]): Promise<void> => {
    const { attempted } = batch;
    await database.$transaction(
      async (tx) => {
        await lock(tx, accounts);
        if (attempted && (await isWritten(tx, attempted))) return;
        const run = { query: (sql: string, values: readonly unknown[]) => tx.$executeRawUnsafe(sql, ...values) };
        const ends = await readEnds(tx, accounts, keys);
        for (const [account, { isSound }] of ends) if (!isSound) report(account);
        await insert(run, batch, ends);
      },
      { maxWait: LOCK_WAIT_MS, timeout: WRITE_MS },
    );
  };

  return async (batch) => {
    const accounts = [...new Set(batch.accesses.map(({ accountId }) => accountId))].sort();
    const ends = new Map<string, End>();
    for (const account of accounts) {
      const end = heads.get(account);
      if (end !== undefined) ends.set(account, end);
      // The ends of the chains are unknown until the batch is committed.
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

interface EndRow {
  readonly id: string;
  readonly hash: string | null;
  readonly signingKey: string | null;
  readonly headHash: string | null;
  readonly headKey: string | null;
  readonly entries: number | null;
  readonly mac: string | null;
}

/** Reads where the chains end: what their last entries say, and what the last writer left word of. */
async function readEnds(
  tx: DatabaseTransaction,
  accounts: readonly string[],
  keys: AuditKeys,
): Promise<Map<string, End>> {
  const rows = await tx.$queryRaw<EndRow[]>`
    SELECT id, last.hash, last.signing_key AS "signingKey", h.hash AS "headHash", h.signing_key AS "headKey",
      h.entries::float8 AS entries, h.mac
    FROM unnest(${accounts}::text[]) AS account (id)
    LEFT JOIN edge.audit_heads h ON h.account_id = id
    LEFT JOIN LATERAL (
      SELECT hash, signing_key FROM edge.audit_entries WHERE account_id = id ORDER BY seq DESC LIMIT 1
    ) AS last ON true`;
  const ends = new Map<string, End>();
  for (const row of rows)
    ends.set(
      row.id,
      endOf(row, keys) ?? { ...(await countOf(tx, row)), isSound: row.hash === null || row.signingKey === null },
    );
  return ends;
}

/** The end that the last writer left word of. */
function endOf({ id, hash, headHash, headKey, entries, mac }: EndRow, keys: AuditKeys): End | undefined {
  if (headHash === null || entries === null || headKey === null) return undefined;
  const head = { hash: headHash, entries };
  const key = keys.find(headKey);
  return { ...head, isSound: hash === headHash && key !== undefined && macOfHead(id, head, key) === mac };
}

/** A chain without a stored head: a new one, or one from before there were keys. */
async function countOf(tx: DatabaseTransaction, { id, hash }: EndRow): Promise<Head> {
  return hash === null
    ? { hash: GENESIS, entries: 0 }
    : { hash, entries: await tx.auditEntry.count({ where: { accountId: id } }) };
}

/**
 * Rows keep the order of the list, and with it of `seq`. One parameter holds them all: for each the text that was hashed,
 * from which PostgreSQL reads the columns, and the hash. It is jsonb, for of json each reading of a column would parse
 * the entry anew. The other holds where the chains end then. Both are written by one statement, or neither.
 */
const INSERT = `
  WITH written AS (
    INSERT INTO edge.audit_entries
      (account_id, at, request_id, key_id, operation, resource_ids, status, previous_hash, signing_key, address, client,
       purpose, hash)
    SELECT access ->> 0, (access ->> 1)::timestamptz, access ->> 2, access ->> 3, access ->> 4,
      ARRAY(SELECT jsonb_array_elements_text(access -> 5)), (access ->> 6)::int, access ->> 7, access ->> 8, access ->> 9,
      access ->> 10, access ->> 11, entry ->> 1
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS entries (entry, number),
      LATERAL (SELECT entry -> 0 AS access) AS accesses
    ORDER BY number
  )
  INSERT INTO edge.audit_heads (account_id, entries, hash, signing_key, mac)
  SELECT head ->> 0, (head ->> 1)::bigint, head ->> 2, head ->> 3, head ->> 4
  FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS heads (head, number)
  ORDER BY number
  ON CONFLICT (account_id) DO UPDATE SET
    entries = EXCLUDED.entries, hash = EXCLUDED.hash, signing_key = EXCLUDED.signing_key, mac = EXCLUDED.mac`;

function parameterOf(entries: readonly ChainedAccess[]): string {
  return `[${entries.map(({ text, hash }) => `[${text},"${hash}"]`).join(',')}]`;
}

/** In the order of the accounts, so that no two gateways wait for each other. */
function parameterOfHeads(ends: ReadonlyMap<string, End>, key: AuditKey): string {
  const rows = [...ends].map(([account, end]) => [
    ...[account, end.entries, end.hash, key.id],
    // A chain that was cut gets no new proof of completeness.
    end.isSound ? macOfHead(account, end, key) : '',
  ]);
  return JSON.stringify(rows.sort(([a], [b]) => compare(String(a), String(b))));
}

/** unique_violation */
function isConflict(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === '23505';
}

/**
 * The entries in the order in which they are put at the ends of their chains: account by account, so that the unique
 * key makes no two gateways wait for each other either.
 */
function chain(accesses: readonly Access[], ends: Map<string, End>, key: AuditKey): readonly ChainedAccess[] {
  const sorted = ends.size === 1 ? accesses : accesses.toSorted((a, b) => compare(a.accountId, b.accountId));
  return sorted.map((access) => {
    const end = ends.get(access.accountId) as End;
    const entry = chained(access, end.hash, key);
    ends.set(access.accountId, { hash: entry.hash, entries: end.entries + 1, isSound: end.isSound });
    return entry;
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
