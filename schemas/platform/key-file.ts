import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A key of this installation where the environment names none: it is made at the first start and read at every later
 * one, by this user only.
 * @returns what the file holds: one line of 64 characters, or more where somebody added to it.
 * @throws what the system says when the file can be neither read nor written.
 */
export function readOrCreateKeyFile(path: string): string {
  const made = newKey();
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Fails when it is there: of two processes that start together, the second reads what the first wrote.
    writeFileSync(path, `${made}\n`, { mode: 0o600, flag: 'wx', flush: true });
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const read = readFileSync(path, 'utf8').trim();
  if (read.length < 2 * KEY_BYTES)
    throw new Error(`${path} does not hold a key; restore it, or delete it to lose what it opens`);
  return read;
}

/** A new key: 32 random bytes in hex. */
export function newKey(): string {
  return randomBytes(KEY_BYTES).toString('hex');
}

const KEY_BYTES = 32;
