import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@perennial/prisma/client.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { Access } from './entry.ts';

/** Keeps entries that the database did not take before the gateway had to end. */
export interface Spool {
  /** Resolves when they survive a loss of power. */
  keep(accesses: readonly Access[]): Promise<void>;
  /**
   * Puts what earlier gateways kept on record, through `commit`, and forgets it. What cannot be put there now is for
   * the next start.
   */
  recover(commit: (access: Access) => Promise<void>): Promise<void>;
}

const WAITING = /^waiting-[\w-]+\.ndjson$/;

/**
 * A folder of files with an entry a line. They hold what the database holds of an access, identifiers and nothing else.
 * @param dir made at first use. Gateways may share it: each file is taken by one of them.
 */
export function createSpool(dir: string, database: Database, logger: Logger): Spool {
  const restore = async (name: string, commit: (access: Access) => Promise<void>): Promise<void> => {
    // Of several gateways one gets it; a name that comes back is tried at the next start.
    const taken = join(dir, `taken-${randomUUID()}.ndjson`);
    const path = join(dir, name);
    if (
      !(await rename(path, taken).then(
        () => true,
        () => false,
      ))
    )
      return;
    try {
      const accesses = parse(await readFile(taken, 'utf8'));
      const written = await writtenOf(database, accesses);
      await Promise.all(accesses.filter((access) => !written.has(identityOf(access))).map(commit));
      await rm(taken, { force: true });
      logger.info('entries of the audit trail were put on record that an earlier gateway had kept', {
        entries: accesses.length,
      });
    } catch (error) {
      await rename(taken, path).catch(() => undefined);
      throw error;
    }
  };
  return {
    async keep(accesses) {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const name = randomUUID();
      const draft = join(dir, `draft-${name}`);
      try {
        const file = await open(draft, 'wx', 0o600);
        try {
          await file.writeFile(accesses.map((access) => `${JSON.stringify(access)}\n`).join(''));
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, join(dir, `waiting-${name}.ndjson`));
      } catch (error) {
        // On a full disk half of them would only be in the way.
        await rm(draft, { force: true });
        throw error;
      }
    },
    async recover(commit) {
      const names = await readdir(dir).catch(() => []);
      for (const name of names.filter((each) => WAITING.test(each)))
        await restore(name, commit).catch((error: unknown) =>
          logger.error('kept entries of the audit trail could not be put on record', {
            error: (error as Error).name,
          }),
        );
    },
  };
}

function parse(text: string): readonly Access[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const access = JSON.parse(line) as Access & { at: string };
      return { ...access, at: new Date(access.at) };
    });
}

/** Those that were committed after all, in the moment in which their gateway gave up. */
async function writtenOf(database: Database, accesses: readonly Access[]): Promise<ReadonlySet<string>> {
  const found = await database.auditEntry.findMany({
    where: { requestId: { in: [...new Set(accesses.map(({ requestId }) => requestId))] } },
    select: { requestId: true, operation: true, status: true },
  });
  return new Set(found.map(identityOf));
}

function identityOf({ requestId, operation, status }: Pick<Access, 'requestId' | 'operation' | 'status'>): string {
  return `${requestId} ${operation} ${status}`;
}
