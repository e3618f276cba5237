import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Release } from '@perennial/schemas/history.ts';
import type { Catalogue } from '../engine/catalogue.ts';
import type { Translator } from '../engine/translator.ts';
import type { Difference } from './difference.ts';
import { compareContracts } from './differences.ts';
import { documentText, type OpenApiDocument } from './document.ts';
import { appended, digestOf, readLedger, sentencesOf, writeLedger } from './ledger.ts';
import { openApiOf } from './openapi.ts';

/*
 * Locked contracts: `schemas/released/<date>/openapi.json`. Whatever the derived contract of a release
 * says must be what was committed when it was locked.
 */

/** A file of a locked contract cannot be read. */
export class LockUnreadable extends Error {
  override readonly name = 'LockUnreadable';
}

/** How a release's derived contract stands to its locked one. */
export interface LockState {
  readonly release: Release;
  readonly state: 'locked' | 'missing' | 'differs';
  readonly differences: readonly Difference[];
  /** The derived contract, as it would be locked. */
  readonly document: OpenApiDocument;
}

/** A breaking difference that was locked all the same. */
export interface LockWaiver {
  readonly reason: string;
  readonly differences: readonly string[];
}

/** Compares the derived contract of a release with the locked one under `root`. */
export function lockStateOf(translator: Translator, release: Release, root: string): LockState {
  const document = openApiOf(translator, release);
  const text = read(fileOf(root, release.id, 'openapi.json'));
  if (text === undefined) return { release, state: 'missing', differences: [], document };
  const locked = parse(text, fileOf(root, release.id, 'openapi.json')) as OpenApiDocument;
  if (isDeepStrictEqual(locked, JSON.parse(documentText(document))))
    return { release, state: 'locked', differences: [], document };
  return { release, state: 'differs', differences: compareContracts(locked, document), document };
}

/** Writes the derived contract as the locked one. `waiver` records why breaking differences were let through. */
export function writeLock(
  state: LockState,
  catalogue: Catalogue,
  root: string,
  waiver?: LockWaiver,
): readonly string[] {
  const id = state.release.id;
  const path = fileOf(root, id, 'openapi.json');
  const text = documentText(state.document);
  if (waiver) {
    const waivers = fileOf(root, id, 'waivers.json');
    const earlier = parse(read(waivers) ?? '[]', waivers) as readonly LockWaiver[];
    writeAtomically(waivers, `${JSON.stringify([...earlier, waiver], null, 2)}\n`);
  }
  writeAtomically(path, text);
  const locked = { release: id, contract: digestOf(text), sentences: sentencesOf(catalogue, id) };
  writeLedger(root, appended(readLedger(root), waiver ? { ...locked, reason: waiver.reason } : locked));
  return [path];
}

/** The text of a release's locked contract, or undefined. */
export function lockedText(root: string, release: string): string | undefined {
  return read(fileOf(root, release, 'openapi.json'));
}

/** Replaces a file so that a reader sees the old text or the new, never a part. */
export function writeAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

function fileOf(root: string, release: string, name: string): string {
  return join(root, 'schemas', 'released', release, name);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new LockUnreadable(`${path}: ${(error as Error).message}`);
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LockUnreadable(`${path}: ${(error as Error).message}`);
  }
}
