import type { Database } from '@perennial/prisma/client.ts';
import { GENESIS, type Head, hashOf, type KeptEntry, macOfHead } from './entry.ts';
import type { AuditKeys } from './keys.ts';

/** The result for the chain of one account. */
export interface ChainReport {
  readonly accountId: string;
  /** Entries that were read; in a broken chain, those up to and with the broken one. */
  readonly entries: number;
  /** The hash of the last sound entry. */
  readonly head: string;
  /** How many of them are from before there were keys: they hold because the first entry with a key follows them. */
  readonly unkeyed: number;
  readonly broken: Broken | undefined;
}

/** Why a chain does not hold. */
export type ChainFault =
  /** The stored hash does not match the entry. */
  | 'altered'
  /** It does not follow the entry before it. */
  | 'misplaced'
  /** It has no key, though one before it has. */
  | 'unkeyed'
  /** It was made with a key that was not given. */
  | 'key_unknown'
  /** The chain does not end where its last writer left it: entries are missing at its end, or all of them. */
  | 'cut'
  /** It does not hold what was signed outside of the database: it was cut, removed or made anew. */
  | 'not_as_signed'
  /** The whole chain is from before there were keys, so nothing proves that it was not rewritten. */
  | 'unsealed';

/** The first thing in a chain that does not hold. */
export interface Broken {
  readonly fault: ChainFault;
  /** The entry, where it is one. */
  readonly entry: { readonly seq: bigint; readonly requestId: string; readonly at: Date } | undefined;
  /** When the end that is missing was signed. */
  readonly signedAt?: string;
}

/** Where a chain ended when it was signed. */
export type SignedHead = Head & { readonly at: string };

const PAGE = 2_000;

/**
 * Reads every chain from its beginning, one account after the other, with bounded memory.
 * @param signed by account, from outside of the database; without it nothing shows that a whole chain is gone.
 */
export async function* verifyChains(
  database: Database,
  keys: AuditKeys,
  signed: ReadonlyMap<string, SignedHead> = new Map(),
): AsyncGenerator<ChainReport> {
  for await (const accountId of accountsOf(database, signed))
    yield await verifyChain(database, keys, accountId, signed.get(accountId));
}

/** Every account of which there are entries, word of an end, or a signed one; in their order. */
async function* accountsOf(database: Database, signed: ReadonlyMap<string, SignedHead>): AsyncGenerator<string> {
  const fromFile = [...signed.keys()].sort();
  let index = 0;
  let accountId = '';
  for (;;) {
    const where = { accountId: { gt: accountId } };
    const order = { orderBy: { accountId: 'asc' }, select: { accountId: true } } as const;
    const [entry, head] = await Promise.all([
      // The next account by the index, rather than all accounts at once.
      database.auditEntry.findFirst({ where, ...order }),
      database.auditHead.findFirst({ where, ...order }),
    ]);
    while (index < fromFile.length && (fromFile[index] as string) <= accountId) index += 1;
    const [next] = [entry?.accountId, head?.accountId, fromFile[index]].filter((each) => each !== undefined).sort();
    if (next === undefined) return;
    accountId = next;
    yield accountId;
  }
}

/** Reads one account's chain. What is appended meanwhile is read as well, for it comes after. */
export async function verifyChain(
  database: Database,
  keys: AuditKeys,
  accountId: string,
  signed?: SignedHead,
): Promise<ChainReport> {
  // Before the entries: those that come after it are read, and it names one of them.
  const kept = await database.auditHead.findUnique({ where: { accountId } });
  let head = GENESIS;
  let entries = 0;
  let unkeyed = 0;
  let seq = -1n;
  let sawKept = false;
  let sawSigned = signed === undefined;
  const report = (broken: Broken | undefined): ChainReport => ({ accountId, entries, head, unkeyed, broken });
  for (;;) {
    const page = await database.auditEntry.findMany({
      where: { accountId, seq: { gt: seq } },
      orderBy: { seq: 'asc' },
      take: PAGE,
    });
    for (const entry of page) {
      entries += 1;
      const fault = faultOf(entry, head, unkeyed === entries - 1, keys);
      if (fault) return report({ fault, entry });
      if (entry.signingKey === null) unkeyed += 1;
      head = entry.hash;
      seq = entry.seq;
      sawKept ||= kept?.hash === head && Number(kept.entries) === entries;
      sawSigned ||= signed?.hash === head && signed.entries === entries;
    }
    if (page.length < PAGE) break;
  }
  if (!sawSigned)
    return report({ fault: 'not_as_signed', entry: undefined, ...(signed ? { signedAt: signed.at } : {}) });
  if (entries > 0 && unkeyed === entries) return report({ fault: 'unsealed', entry: undefined });
  if (!kept || !sawKept || !isProven(accountId, kept, keys)) return report({ fault: 'cut', entry: undefined });
  return report(undefined);
}

/** @param mayBeUnkeyed while no entry before it had a key. */
function faultOf(entry: KeptEntry, previous: string, mayBeUnkeyed: boolean, keys: AuditKeys): ChainFault | undefined {
  if (entry.signingKey === null && !mayBeUnkeyed) return 'unkeyed';
  const hash = hashOf(entry, keys);
  if (hash === undefined) return 'key_unknown';
  if (hash !== entry.hash) return 'altered';
  return entry.previousHash === previous ? undefined : 'misplaced';
}

interface KeptHead {
  readonly hash: string;
  readonly entries: bigint;
  readonly signingKey: string;
  readonly mac: string;
}

function isProven(accountId: string, { hash, entries, signingKey, mac }: KeptHead, keys: AuditKeys): boolean {
  const key = keys.find(signingKey);
  return key !== undefined && macOfHead(accountId, { hash, entries: Number(entries) }, key) === mac;
}
