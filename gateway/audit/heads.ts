import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { type Head, macOfHead } from './entry.ts';
import { appendHeads, type KnownHeads, readHeads } from './heads-file.ts';
import { createHeadsPost } from './heads-post.ts';
import type { AuditKeys } from './keys.ts';
import type { AuditTrail } from './trail.ts';

/** Where and how often the ends of the chains are signed. */
export interface HeadsOptions {
  readonly file: string;
  /** Where a copy of each line is posted to. */
  readonly url: string | undefined;
  readonly intervalMs: number;
}

/** The schedule on which the ends of the chains are signed. */
export interface Heads {
  /** Signs the heads of chains that have grown. @throws when it cannot. */
  sign(): Promise<void>;
  /** Signs once more and ends. */
  stop(): Promise<void>;
}

/** Entries of one statement become visible together, but those of two gateways not in the order of their numbers. */
const OVERLAP = 20_000n;
const HEADS_PER_LINE_MAX = 1_000;
const WRITE_MS = 30_000;
const STOP_MS_MAX = 5_000;

/**
 * Signs the ends of all chains to a file, on a schedule. Any number of gateways may share the file; each looks up what
 * others have appended to it before it does so itself.
 */
export function startHeads(
  database: Database,
  keys: AuditKeys,
  trail: AuditTrail,
  options: HeadsOptions,
  logger: Logger,
): Heads {
  const { file, url, intervalMs } = options;
  const post = url === undefined ? undefined : createHeadsPost(url, logger);
  let known: KnownHeads | undefined;
  let bytes = -1;
  let running: Promise<void> = Promise.resolve();
  /** Accounts that were complained of: once is enough. */
  const refused = new Set<string>();

  const sizeOf = async (): Promise<number> => (await stat(file).catch(() => ({ size: 0 }))).size;
  const append = async (transaction: DatabaseTransaction): Promise<void> => {
    if (!(await isOurs(transaction, file))) return;
    if (!known || bytes !== (await sizeOf())) known = await readHeads(file, keys);
    const { heads, seq } = await readGrown(transaction, known);
    const grown = [...heads].filter(([account, head]) => isProven(account, head, known?.heads.get(account)));
    // The first line is written even without entries, so that a missing file always means tampering.
    for (let from = 0; from < grown.length || known.lines === 0; from += HEADS_PER_LINE_MAX) {
      const part = new Map(grown.slice(from, from + HEADS_PER_LINE_MAX));
      const written = await appendHeads(file, known, part, seq, keys);
      known = written.known;
      post?.add(written.text);
    }
    bytes = await sizeOf();
  };
  /** A head that cannot be verified is not signed; the previous line still proves the earlier state. */
  const isProven = (account: string, head: StoredHead, before: Head | undefined): boolean => {
    if (before && before.hash === head.hash) return false;
    const key = keys.find(head.signingKey);
    const holds = key !== undefined && macOfHead(account, head, key) === head.mac;
    if (holds && (before === undefined || head.entries > before.entries)) return true;
    if (!refused.has(account))
      logger.error('a chain of the audit trail is not as it was signed; run audit:verify', { account });
    refused.add(account);
    return false;
  };
  /** Chains from before there were keys end with an entry that has one. Only before the first line: later ones are forged. */
  const seal = async (): Promise<void> => {
    if ((await sizeOf()) > 0) return;
    for (const accountId of await unsealed(database)) {
      logger.info('a chain of the audit trail is continued with a key', { account: accountId });
      await trail.commit({
        ...{ accountId, at: new Date(), requestId: 'audit', keyId: 'gateway', operation: 'audit.seal' },
        ...{ resourceIds: [], status: 200 },
      });
    }
  };
  const signNow = async (): Promise<void> => {
    await seal();
    await database.$transaction(append, { timeout: WRITE_MS, maxWait: WRITE_MS });
  };
  const sign = (): Promise<void> => {
    const next = running.then(signNow, signNow);
    running = next.catch(() => undefined);
    return next;
  };
  const tick = (): void => {
    sign().catch((error: unknown) => {
      const { name, message } = error as Error;
      // Only faults of the file are logged in words; a message of the database could contain data.
      logger.error('the ends of the audit trail could not be signed', {
        error: name,
        ...(name === 'HeadsBroken' ? { reason: message } : {}),
      });
    });
  };
  const timer = setInterval(tick, intervalMs);
  tick();
  return {
    sign,
    async stop() {
      clearInterval(timer);
      const last = sign().catch((error: unknown) =>
        logger.error('the ends of the audit trail could not be signed', { error: (error as Error).name }),
      );
      await Promise.race([last, sleep(STOP_MS_MAX, undefined, { ref: false })]);
      await post?.stop();
    },
  };
}

interface StoredHead extends Head {
  readonly signingKey: string;
  readonly mac: string;
}

/** One process at a time appends; another one's turn comes with its next tick. */
async function isOurs(transaction: DatabaseTransaction, file: string): Promise<boolean> {
  const [row] = await transaction.$queryRaw<{ locked: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`perennial audit heads ${file}`}, 0)) AS locked`;
  return row?.locked === true;
}

/** The ends of all chains that may have grown since the last line. */
async function readGrown(
  transaction: DatabaseTransaction,
  { lines, seq }: KnownHeads,
): Promise<{ readonly heads: ReadonlyMap<string, StoredHead>; readonly seq: bigint }> {
  const from = lines === 0 || seq < OVERLAP ? -1n : seq - OVERLAP;
  const [newest] = await transaction.$queryRaw<
    { seq: bigint | null }[]
  >`SELECT max(seq) AS seq FROM edge.audit_entries`;
  const rows = await transaction.$queryRaw<(StoredHead & { readonly accountId: string })[]>`
    SELECT h.account_id AS "accountId", h.entries::float8 AS entries, h.hash, h.signing_key AS "signingKey", h.mac
    FROM edge.audit_heads h
    WHERE ${from}::bigint < 0
      OR h.account_id IN (SELECT e.account_id FROM edge.audit_entries e WHERE e.seq > ${from}::bigint)
    ORDER BY h.account_id`;
  return { heads: new Map(rows.map(({ accountId, ...head }) => [accountId, head])), seq: newest?.seq ?? 0n };
}

/** Accounts whose chain has entries but no word of its end: all of it is from before there were keys. */
async function unsealed(database: Database): Promise<readonly string[]> {
  const rows = await database.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE account (id) AS (
      (SELECT account_id FROM edge.audit_entries ORDER BY account_id LIMIT 1)
      UNION ALL
      SELECT (SELECT account_id FROM edge.audit_entries WHERE account_id > id ORDER BY account_id LIMIT 1)
      FROM account WHERE id IS NOT NULL
    )
    SELECT id FROM account
    WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM edge.audit_heads h WHERE h.account_id = id)`;
  return rows.map(({ id }) => id);
}
