import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase, type Database } from '@perennial/prisma/client.ts';
import { prepareDatabase, type ServiceUrls, serviceUrls } from '@perennial/prisma/roles.ts';
import { type Demo, demoPath, seedDemo } from '@perennial/prisma/seed.ts';
import pg from 'pg';

/*
 * Databases for tests, all on the one real server that global-setup.mjs starts. Each is a copy of a template, which
 * takes some tens of milliseconds, so every test file has its own and none sees another's rows.
 */

export interface TestDatabase {
  url: string;
  db: Database;
  /** Closes the client and drops the database. */
  close(): Promise<void>;
}

export interface SeededDatabase extends TestDatabase {
  /** The demo account's keys and patient. `gateway` is a placeholder. */
  demo: Demo;
}

/** On a machine that is busy otherwise a connection takes its time. */
const patient = { connectionTimeoutMs: 60_000 };

const MIGRATED = 'template_migrated';
const SEEDED = 'template_seeded';

/** An empty database with every migration applied. */
export async function freshDatabase(): Promise<TestDatabase> {
  return copyOf(MIGRATED);
}

/** A database with the demo account, its keys and its patients. */
export async function seededDatabase(): Promise<SeededDatabase> {
  await onServer(async (client) => {
    // The first test file that asks makes the template; those that ask meanwhile wait for it.
    await client.query('SELECT pg_advisory_lock(1)');
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [SEEDED]);
    if (rowCount !== 0) return;
    await client.query('DROP DATABASE IF EXISTS seeding WITH (FORCE)');
    await client.query(`CREATE DATABASE seeding TEMPLATE ${MIGRATED}`);
    const db = createDatabase(urlOf('seeding'), patient);
    try {
      await seedDemo(db, { dataDir: serverDir(), gatewayUrl: 'http://127.0.0.1:0' });
    } finally {
      await db.$disconnect();
    }
    await client.query(`ALTER DATABASE seeding RENAME TO ${SEEDED}`);
  });
  const demo = JSON.parse(await readFile(demoPath(serverDir()), 'utf8')) as Demo;
  return { ...(await copyOf(SEEDED)), demo };
}

/** A database without even migrations, for tests of the migrations. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return copyOf('template0');
}

/** Called once by the global set-up. */
export async function prepareTemplate(): Promise<void> {
  await onServer(async (client) => {
    await client.query(`CREATE DATABASE ${MIGRATED}`);
  });
  await prepareDatabase({ adminUrl: urlOf(MIGRATED) });
}

/** Where the services connect to a copy of the template, each with its own login. Any other address is what it was. */
export function loginsOf(url: string): ServiceUrls {
  const owner = new URL(setting('PERENNIAL_TEST_SERVER'));
  const isOwners = new URL(url).username === owner.username && new URL(url).password === owner.password;
  return isOwners ? serviceUrls(url, MIGRATED) : { coreUrl: url, gatewayUrl: url };
}

async function copyOf(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(async (client) => {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  const url = urlOf(name);
  const db = createDatabase(url, patient);
  return {
    url,
    db,
    close: async () => {
      await db.$disconnect();
      await onServer(async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      });
    },
  };
}

async function onServer<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(setting('PERENNIAL_TEST_SERVER'));
  url.pathname = `/${database}`;
  return url.href;
}

function serverDir(): string {
  return join(setting('PERENNIAL_TEST_DIR'), 'demo');
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run the tests with jest's configuration`);
  return value;
}
