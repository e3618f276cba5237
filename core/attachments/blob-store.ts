import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** Where the bytes of attachments are kept: on disk here, in an object store elsewhere. Keys are identifiers of ours. */
export interface BlobStore {
  /**
   * Keeps the bytes under the key. When it resolves they survive a loss of power; when it rejects nothing is left.
   * @throws StorageFull when there is no room.
   */
  write(key: string, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** The bytes, or those from `start` to `end`, both included. */
  read(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable>;
  /** Removes the bytes; none being there is no fault. */
  remove(key: string): Promise<void>;
  /** Identifies the store: the same for every process that uses it. Created on first use. */
  identity(): Promise<string>;
  /** Removes what writes that were killed left behind. @param before only what is older. */
  sweep(before: Date): Promise<number>;
}

/** Raised when there is no room for more bytes. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
}

/** Raised when bytes that should be there cannot be read. */
export class BlobUnreadable extends Error {
  override readonly name = 'BlobUnreadable';
}

const KEY = /^[a-z]{2,6}_[0-9A-Za-z]{8,64}$/;
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const PARTIAL = '.partial';
const IDENTITY = '.store';

/**
 * Files below one folder. Bytes are written beside their place, made durable, and only then moved there, so that what
 * has its name is whole. The file's name is made of the key alone: nothing that a caller sends becomes a path.
 */
export class DiskBlobStore implements BlobStore {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async write(key: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    const path = this.#path(key);
    const partial = join(this.#dir, PARTIAL, key);
    try {
      await mkdir(join(this.#dir, PARTIAL), { recursive: true, mode: 0o700 });
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
      const file = await open(partial, 'wx', 0o600);
      try {
        for await (const chunk of bytes) await this.append(file, chunk);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(partial, path);
      await syncFolder(join(path, '..'));
    } catch (error) {
      await rm(partial, { force: true });
      await rm(path, { force: true });
      throw FULL.has((error as NodeJS.ErrnoException).code ?? '')
        ? new StorageFull('no room', { cause: error })
        : error;
    }
  }

  async read(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable> {
    const file = await open(this.#path(key), 'r').catch((error: NodeJS.ErrnoException) => {
      // Not set as the cause: a missing file must not be classified as a missing database.
      throw new BlobUnreadable(`the bytes cannot be read: ${error.code}`);
    });
    return file.createReadStream(range ?? {});
  }

  async remove(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  async identity(): Promise<string> {
    const path = join(this.#dir, IDENTITY);
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    // Fails if the file exists: of two processes that start together, the second reads what the first wrote.
    await writeFile(path, `${randomUUID()}\n`, { flag: 'wx', flush: true, mode: 0o600 }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
    return (await readFile(path, 'utf8')).trim();
  }

  async sweep(before: Date): Promise<number> {
    const folder = join(this.#dir, PARTIAL);
    let removed = 0;
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      if (!found || found.mtime >= before) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }

  /** Writes all of the chunk. A seam for tests of a disk that is full. */
  protected async append(file: FileHandle, chunk: Buffer): Promise<void> {
    for (let written = 0; written < chunk.length; ) {
      written += (await file.write(chunk, written, chunk.length - written)).bytesWritten;
    }
  }

  #path(key: string): string {
    if (!KEY.test(key)) throw new Error('a blob key must be an identifier');
    return join(this.#dir, key.slice(-2).toLowerCase(), key);
  }
}

/** Syncs the folder, so that a new name in it survives a crash. Skipped where folders cannot be opened. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  try {
    await folder?.sync().catch(() => undefined);
  } finally {
    await folder?.close();
  }
}
