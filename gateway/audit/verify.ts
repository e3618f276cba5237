import type { Database } from '@perennial/prisma/client.ts';
import { GENESIS, hashOf } from './entry.ts';

/** What was found in the chain of one account. */
export interface ChainReport {
  readonly accountId: string;
  /** Entries that were read; in a broken chain, those up to and with the broken one. */
  readonly entries: number;
  /** The hash of the last sound entry. Kept elsewhere, it shows later that nothing was cut off the end. */
  readonly head: string;
  readonly broken: BrokenEntry | undefined;
}

/** The first entry of a chain that does not hold. */
export interface BrokenEntry {
  readonly seq: bigint;
  readonly requestId: string;
  readonly at: Date;
  /** `altered`: its own hash is not that of what it says. `misplaced`: it does not follow the entry before it. */
  readonly fault: 'altered' | 'misplaced';
}

const PAGE = 2_000;

/** Reads every chain from its beginning, one account after the other, with bounded memory. */
export async function* verifyChains(database: Database): AsyncGenerator<ChainReport> {
  let accountId = '';
  for (;;) {
    // The next account by the index, rather than all accounts at once.
    const next = await database.auditEntry.findFirst({
      where: { accountId: { gt: accountId } },
      orderBy: { accountId: 'asc' },
      select: { accountId: true },
    });
    if (!next) return;
    accountId = next.accountId;
    yield await verifyChain(database, accountId);
  }
}

/** Reads one account's chain. What is appended meanwhile is read as well, for it comes after. */
export async function verifyChain(database: Database, accountId: string): Promise<ChainReport> {
  let head = GENESIS;
  let entries = 0;
  let seq = -1n;
  for (;;) {
    const page = await database.auditEntry.findMany({
      where: { accountId, seq: { gt: seq } },
      orderBy: { seq: 'asc' },
      take: PAGE,
    });
    for (const entry of page) {
      entries += 1;
      const isSound = hashOf(entry, entry.previousHash) === entry.hash;
      if (!isSound || entry.previousHash !== head) {
        const { requestId, at } = entry;
        const fault = isSound ? 'misplaced' : 'altered';
        return { accountId, entries, head, broken: { seq: entry.seq, requestId, at, fault } };
      }
      head = entry.hash;
      seq = entry.seq;
    }
    if (page.length < PAGE) return { accountId, entries, head, broken: undefined };
  }
}
