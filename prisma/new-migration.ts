import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS_DIR, migrate } from './migrate.ts';
import { diffToSchema } from './schema-engine.ts';
import { startDatabase } from './server.ts';

/*
 * `npm run migration:new -- <what>`: writes the SQL that leads from the existing migrations to schema.prisma. Read it
 * before it is committed: Prisma sees a renamed column as one dropped and one added.
 */

const [what = ''] = process.argv.slice(2);
if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(what)) {
  process.stderr.write('usage: npm run migration:new -- what_it_does   (small letters, digits and underscores)\n');
  process.exit(2);
}

const dataDir = await mkdtemp(join(tmpdir(), 'perennial-migration-'));
try {
  const server = await startDatabase({ dataDir, durable: false });
  try {
    await migrate(server.url);
    const sql = await diffToSchema(server.url);
    if (sql === '') process.stdout.write('schema.prisma and the migrations agree; nothing to write\n');
    else process.stdout.write(`wrote ${await write(what, sql)}\n`);
  } finally {
    await server.stop();
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

async function write(name: string, sql: string): Promise<string> {
  const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const dir = join(MIGRATIONS_DIR, `${timestamp}_${name}`);
  await mkdir(dir);
  await writeFile(join(dir, 'migration.sql'), `${sql}\n`);
  return join(dir, 'migration.sql');
}
