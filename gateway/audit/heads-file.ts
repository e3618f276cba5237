import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Head } from './entry.ts';
import { type AuditKeys, digest, isSignedBy } from './keys.ts';

/*
 * Where the chains ended, and when, outside of the database: a file that is only ever appended to, one JSON line at a
 * time. Each line names the chains that have grown since the line before, is signed, and has the digest of the line
 * before in it, so that none can be altered, removed from the middle or moved. Keep it where those who administer the
 * database cannot write; that lines are missing at its end shows only beside a copy (AUDIT_HEADS_URL).
 */

/** A line as it is signed. */
interface Line {
  readonly at: string;
  /** From 1. */
  readonly number: number;
  /** SHA-256 of the line before, in hex; empty in the first. */
  readonly previous: string;
  readonly key: string;
  readonly public_key: string;
  /** `seq` of the newest entry that was looked at. */
  readonly seq: string;
  /** Account, entries, hash of the last one. */
  readonly heads: readonly (readonly [string, number, string])[];
}

/** What the lines of a file say together. */
export interface KnownHeads {
  readonly lines: number;
  /** SHA-256 of the last line. */
  readonly last: string;
  readonly seq: bigint;
  readonly heads: ReadonlyMap<string, Head & { readonly at: string }>;
}

/** The file has been changed. The message names the line. */
export class HeadsBroken extends Error {
  override readonly name = 'HeadsBroken';
}

/** Reads a file of heads; one that is not there has no lines. @throws HeadsBroken */
export async function readHeads(path: string, keys: AuditKeys): Promise<KnownHeads> {
  const heads = new Map<string, Head & { readonly at: string }>();
  const known = { lines: 0, last: '', seq: 0n, heads };
  try {
    for await (const text of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })) {
      const line = readLine(text, known, keys);
      known.lines += 1;
      known.last = digest(text);
      known.seq = BigInt(line.seq);
      for (const [account, entries, hash] of line.heads) heads.set(account, { entries, hash, at: line.at });
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return known;
}

function readLine(text: string, { lines, last }: KnownHeads, keys: AuditKeys): Line {
  const broken = (what: string): HeadsBroken => new HeadsBroken(`line ${lines + 1} of the heads ${what}`);
  let line: Line & { readonly signature?: unknown };
  try {
    line = JSON.parse(text) as Line;
  } catch {
    throw broken('cannot be read');
  }
  const { signature, ...signed } = line;
  // The key id selects the key; a signature by any other key proves nothing.
  const key = keys.find(line.key);
  if (!key) throw broken(`is signed with the key ${line.key}, which is not among those given`);
  if (typeof signature !== 'string' || !isSignedBy(key.publicKey, JSON.stringify(signed), signature))
    throw broken('is not what was signed');
  if (line.number !== lines + 1 || line.previous !== last) throw broken('does not follow the one before');
  return line;
}

/**
 * Appends one line and makes it durable.
 * @returns the line, and what the file says with it.
 */
export async function appendHeads(
  path: string,
  known: KnownHeads,
  grown: ReadonlyMap<string, Head>,
  seq: bigint,
  { current }: AuditKeys,
): Promise<{ readonly text: string; readonly known: KnownHeads }> {
  const at = new Date().toISOString();
  const line: Line = {
    at,
    number: known.lines + 1,
    previous: known.last,
    key: current.id,
    public_key: current.publicKey,
    seq: String(seq),
    heads: [...grown].map(([account, { entries, hash }]) => [account, entries, hash]),
  };
  const text = JSON.stringify({ ...line, signature: current.sign(JSON.stringify(line)) });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  const heads = new Map([...known.heads, ...[...grown].map(([account, head]) => [account, { ...head, at }] as const)]);
  return { text, known: { lines: line.number, last: digest(text), seq, heads } };
}
