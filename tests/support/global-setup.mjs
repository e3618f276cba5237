import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDatabase } from '@perennial/prisma/server.ts';
import { prepareTemplate } from './database.ts';

/** One real PostgreSQL for the whole run. It ends with the run however that ends; its files go in the teardown. */
export default async function setUp() {
  await clearOldRuns();
  const dataDir = await mkdtemp(join(tmpdir(), 'perennial-test-'));
  const server = await startDatabase({ dataDir, durable: false });
  globalThis.perennialTestServer = { dataDir, server };
  // Read by database.ts in the workers, which inherit it.
  process.env.PERENNIAL_TEST_SERVER = server.url;
  process.env.PERENNIAL_TEST_DIR = dataDir;
  await prepareTemplate();
}

/** A run that was killed could not remove its files. */
async function clearOldRuns() {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith('perennial-test-')) continue;
    const path = join(tmpdir(), name);
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    if (age > 6 * 3_600_000) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
