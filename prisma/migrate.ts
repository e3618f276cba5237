import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Where this repository's migrations are. */
export const MIGRATIONS_DIR: string = join(import.meta.dirname, 'migrations');

/** The number Prisma's own `migrate deploy` locks by, so that it and this runner exclude each other. */
const PRISMA_LOCK = 72_707_369;

/** Prisma's own table, in its own shape, so that `prisma migrate` stays usable where its engine is present. */
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS public._prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

export interface Migration {
  /** The folder's name, `<timestamp>_<what>`. */
  name: string;
  sql: string;
  /** SHA-256 of the file in hex, as Prisma records it. */
  checksum: string;
}

export interface MigrationReport {
  /** Applied now, in order. */
  applied: string[];
  /** Applied earlier by a newer release of this code, which a rolling deployment makes normal. */
  unknown: string[];
}

/** A database that this code must not run on: its history is not the one in the migrations folder. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** The migrations of a folder, oldest first. */
export async function readMigrations(dir: string = MIGRATIONS_DIR): Promise<Migration[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      // A checkout with CRLF line ends holds the same migration.
      const sql = (await readFile(join(dir, name, 'migration.sql'), 'utf8')).replaceAll('\r\n', '\n');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Brings a database up to date. Processes that start together wait for each other, and each migration is one
 * transaction with its own entry in the history: killed anywhere, the next start continues from a whole state.
 *
 * @throws MigrationError when an applied migration has been edited, or one has failed under `prisma migrate`.
 */
export async function migrate(
  url: string,
  dir: string = MIGRATIONS_DIR,
  progress: (done: number, all: number, next: string) => void = () => undefined,
): Promise<MigrationReport> {
  const migrations = await readMigrations(dir);
  const client = new pg.Client({ connectionString: url, application_name: 'perennial-migrate' });
  // A broken connection also rejects the running query; without a listener the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const known = new Set(migrations.map(({ name }) => name));
    const unknown = (history: ReadonlyMap<string, string>): string[] =>
      [...history.keys()].filter((name) => !known.has(name));
    // The login of a service may read the history; if it is up to date there is nothing to do.
    const before = await readHistory(client).catch((error: { code?: string }) => {
      if (error.code !== UNDEFINED_TABLE) throw error;
      return new Map<string, string>();
    });
    refuseChanged(migrations, before);
    if (migrations.every(({ name }) => before.has(name))) return { applied: [], unknown: unknown(before) };
    await refuseStranger(client);
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK]);
    await client.query(MIGRATIONS_TABLE);
    const history = await readHistory(client);
    refuseChanged(migrations, history);
    const applied: string[] = [];
    const pending = migrations.filter(({ name }) => !history.has(name));
    for (const migration of pending) {
      progress(applied.length, pending.length, migration.name);
      await applyWhenFree(client, migration);
      applied.push(migration.name);
    }
    return { applied, unknown: unknown(history) };
  } finally {
    // Closing the session gives the lock back as well.
    await client.end();
  }
}

const UNDEFINED_TABLE = '42P01';

/** A login that may not make tables is told what to do, before it fails half way through. */
async function refuseStranger(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(`SELECT CASE
    WHEN to_regclass('public._prisma_migrations') IS NULL THEN has_schema_privilege('public', 'CREATE')
    ELSE has_table_privilege('public._prisma_migrations', 'INSERT') END AS may`);
  if (rows[0]?.may !== true)
    throw new MigrationError(
      'the database must be migrated and this login may not do it; run `npm run database` with DATABASE_ADMIN_URL',
    );
}

async function readHistory(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    `SELECT migration_name, checksum, finished_at FROM public._prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name`,
  );
  const failed = rows.find((row) => row.finished_at === null);
  if (failed !== undefined) {
    throw new MigrationError(
      `migration ${failed.migration_name} failed half way under \`prisma migrate\`; repair the database and mark it with \`prisma migrate resolve\``,
    );
  }
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

function refuseChanged(migrations: Migration[], history: Map<string, string>): void {
  for (const { name, checksum } of migrations) {
    const recorded = history.get(name);
    if (recorded !== undefined && recorded !== checksum) {
      throw new MigrationError(
        `migration ${name} was changed after it had been applied to this database; restore its file and put the change into a new migration`,
      );
    }
  }
}

/** What is to be done, without doing it. @throws MigrationError as `migrate` does. */
export async function pendingMigrations(
  url: string,
  dir: string = MIGRATIONS_DIR,
): Promise<{ readonly pending: readonly string[]; readonly unknown: readonly string[] }> {
  const migrations = await readMigrations(dir);
  const client = new pg.Client({ connectionString: url, application_name: 'perennial-migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const history = await readHistory(client).catch((error: { code?: string }) => {
      if (error.code !== UNDEFINED_TABLE) throw error;
      return new Map<string, string>();
    });
    refuseChanged(migrations, history);
    const known = new Set(migrations.map(({ name }) => name));
    return {
      pending: migrations.map(({ name }) => name).filter((name) => !history.has(name)),
      unknown: [...history.keys()].filter((name) => !known.has(name)),
    };
  } finally {
    await client.end();
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
const LOCK_TRIES = 10;

/**
 * Whoever waits for a table's lock has everybody behind it wait as well, so a migration waits for a few seconds only,
 * lets the others by, and begins anew.
 */
async function applyWhenFree(client: pg.Client, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await apply(client, migration);
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      if (code !== LOCK_NOT_AVAILABLE || tries === LOCK_TRIES) throw error;
      await sleep(tries * 500);
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '5s'`);
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO public._prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query('COMMIT');
  } catch (error) {
    // A lost session has rolled back already; the first error is the one to report.
    await client.query('ROLLBACK').catch(() => undefined);
    throw new MigrationError(`migration ${migration.name} failed and was rolled back: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
