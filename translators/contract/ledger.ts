import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { History } from '@perennial/schemas/history.ts';
import type { Catalogue } from '../engine/catalogue.ts';

/*
 * `schemas/released/ledger.json`: every lock that was ever written, oldest first. Each entry has the digest of the one
 * before it, so that nothing that was locked can be taken back, narrowed and locked again without a trace.
 */

export const LEDGER_FILE: string = join('schemas', 'released', 'ledger.json');

/** One lock of one release. */
export interface LedgerEntry {
  readonly release: string;
  /** SHA-256 of the locked document. */
  readonly contract: string;
  /** SHA-256 of the sentence of each change of the release: clients read them in the changelog. */
  readonly sentences: Readonly<Record<string, string>>;
  /** Why a breaking difference was let through. */
  readonly reason?: string;
  /** `hash` of the entry before, or nothing. */
  readonly after: string;
  /** SHA-256 of all of the above. */
  readonly hash: string;
}

/** A lock to be recorded. */
export type Locked = Pick<LedgerEntry, 'release' | 'contract' | 'sentences' | 'reason'>;

/** SHA-256, in hexadecimal. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The digests of the sentences of a release's changes. */
export function sentencesOf(catalogue: Catalogue, release: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    catalogue.steps
      .filter((step) => step.release === release)
      .map(({ change }) => [change.id, digestOf(change.sentence.trim())]),
  );
}

/** The ledger of a repository; empty where there is none. */
export function readLedger(root: string): readonly LedgerEntry[] {
  let text: string;
  try {
    text = readFileSync(join(root, LEDGER_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return parseLedger(text);
}

/** A ledger as it is written: one entry a line. */
export function parseLedger(text: string): readonly LedgerEntry[] {
  return JSON.parse(text) as readonly LedgerEntry[];
}

/** The ledger with one entry more. */
export function appended(ledger: readonly LedgerEntry[], locked: Locked): readonly LedgerEntry[] {
  const after = ledger.at(-1)?.hash ?? '';
  return [...ledger, { ...locked, after, hash: hashOf({ ...locked, after }) }];
}

/** Writes a ledger. */
export function writeLedger(root: string, ledger: readonly LedgerEntry[]): void {
  const path = join(root, LEDGER_FILE);
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, `[\n${ledger.map((entry) => JSON.stringify(entry)).join(',\n')}\n]\n`);
  renameSync(temporary, path);
}

/** What a ledger is judged by. */
export interface LedgerSubject {
  readonly history: History;
  readonly catalogue: Catalogue;
  readonly ledger: readonly LedgerEntry[];
  /** The ledger of the last commit, where that is known. */
  readonly committed: readonly LedgerEntry[] | undefined;
  /** The text of a release's locked document, or undefined. */
  readonly lockedText: (release: string) => string | undefined;
}

/** Everything that was locked and is no longer what it was. Each says what to do. */
export function ledgerFaults(subject: LedgerSubject): readonly string[] {
  const { history, catalogue, ledger, committed, lockedText } = subject;
  const restore = `restore it: git checkout HEAD -- ${LEDGER_FILE}`;
  let after = '';
  for (const [index, { hash, ...entry }] of ledger.entries()) {
    if (entry.after !== after || hashOf(entry) !== hash)
      return [`${LEDGER_FILE}: entry ${index + 1}, of v${entry.release}, is not what was recorded; ${restore}`];
    after = hash;
  }
  if (committed?.some(({ hash }, index) => ledger[index]?.hash !== hash))
    return [`${LEDGER_FILE}: entries that were recorded are gone; ${restore}`];
  const faults: string[] = [];
  for (const { id, released } of history.releases) {
    const last = ledger.findLast(({ release }) => release === id);
    const text = lockedText(id);
    const place = join('schemas', 'released', id);
    if (released !== undefined && !last) {
      faults.push(`${place}: v${id} is released and no lock of it is recorded; ${restore}`);
      continue;
    }
    if (!last) continue;
    if (text === undefined)
      faults.push(`${place}: the contract that was locked is gone; restore it: git checkout HEAD -- ${place}`);
    else if (digestOf(text) !== last.contract)
      faults.push(`${place}: openapi.json is not the contract that was locked; git checkout HEAD -- ${place}`);
    if (released === undefined) continue;
    const sentences = sentencesOf(catalogue, id);
    for (const [change, digest] of Object.entries(last.sentences))
      if (sentences[change] !== undefined && sentences[change] !== digest)
        faults.push(
          `translators/releases/${id}/${change}.ts: its sentence was edited after v${id} was released, and clients have read it; write it as it was`,
        );
  }
  return faults;
}

/** Whether the last lock of a release says what its changes say now. */
export function isRecorded(ledger: readonly LedgerEntry[], release: string, catalogue: Catalogue): boolean {
  const last = ledger.findLast((entry) => entry.release === release);
  return last !== undefined && JSON.stringify(last.sentences) === JSON.stringify(sentencesOf(catalogue, release));
}

function hashOf({ release, contract, sentences, reason, after }: Omit<LedgerEntry, 'hash'>): string {
  return digestOf(JSON.stringify([release, contract, Object.entries(sentences), reason ?? null, after]));
}
