import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** A disk with less than this left is as good as full: the next file or the next page of the database fails. */
const FREE_BYTES_MIN = 4_194_304;
const PROBE = Buffer.alloc(4_096, 1);

/** Whether files can be stored: there is room, and a small file can be written. */
export async function hasRoom(dir: string): Promise<boolean> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(dir);
    if (bavail * bsize < FREE_BYTES_MIN) return false;
    const path = join(dir, `.ready-${randomUUID()}`);
    try {
      const file = await open(path, 'wx', 0o600);
      try {
        await file.write(PROBE);
      } finally {
        await file.close();
      }
    } finally {
      await rm(path, { force: true });
    }
    return true;
  } catch {
    return false;
  }
}
