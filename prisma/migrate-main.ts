import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createProgress } from '@perennial/schemas/platform/progress.ts';
import { Settings } from '@perennial/schemas/platform/settings.ts';
import pg from 'pg';
import { MIGRATIONS_DIR, migrate, pendingMigrations } from './migrate.ts';
import { prepareDatabase } from './roles.ts';
import { runningServer } from './running-server.ts';
import { startDatabase } from './server.ts';

/*
 * `npm run migrate`: a step of its own, before the services of a new release are started. It waits for a database that
 * is not there yet, and for whoever else migrates; with DATABASE_ADMIN_URL it grants the logins of the services what new
 * tables need. `--check` changes nothing.
 */

const NOT_IN_TIME = 75;
const WAIT_SECONDS = 60;
const WAIT_SECONDS_MAX = 3_600;
const AGAIN_MS = 500;

const { values: options } = parseArgs({
  options: { check: { type: 'boolean' }, wait: { type: 'string' }, json: { type: 'boolean' } },
});

/** What is printed. */
interface Report {
  readonly state: 'up_to_date' | 'migrated' | 'pending';
  /** Applied now. */
  readonly applied: readonly string[];
  /** To be applied; only with `--check`. */
  readonly pending: readonly string[];
  /** Applied by a newer release, which may run beside this one. */
  readonly unknown: readonly string[];
}

/** The database did not answer in time. */
class NotInTime extends Error {
  override readonly name = 'NotInTime';
}

async function main(): Promise<number> {
  const settings = new Settings(process.env);
  const adminUrl = settings.get('DATABASE_ADMIN_URL');
  const coreUrl = settings.get('DATABASE_URL');
  const gatewayUrl = settings.get('DATABASE_GATEWAY_URL');
  const dataDir = resolve(settings.get('DATA_DIR'));
  settings.check();
  const seconds = Number(options.wait ?? WAIT_SECONDS);
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > WAIT_SECONDS_MAX) {
    process.stderr.write(`migrate: --wait is a whole number of seconds from 0 to ${WAIT_SECONDS_MAX}\n`);
    return 2;
  }
  const given = adminUrl ?? coreUrl;
  if (given === undefined && !existsSync(join(dataDir, 'postgres')))
    throw new Error(`there is no database in ${dataDir}; set DATABASE_URL or DATA_DIR, or run npm start once`);
  if (given !== undefined) await answering(given, seconds);
  const server = await startDatabase({ dataDir, databaseUrl: given ?? (await runningServer(dataDir)) });
  try {
    if (options.check === true) {
      const { pending, unknown } = await pendingMigrations(server.url);
      tell({ state: pending.length === 0 ? 'up_to_date' : 'pending', applied: [], pending, unknown });
      return pending.length === 0 ? 0 : 1;
    }
    const progress = createProgress('migrate', process.stderr);
    const report = await migrate(server.url, MIGRATIONS_DIR, (done, all, next) => progress.at(done, all, next));
    progress.end();
    // Also where nothing was applied: grants may have changed without a table.
    if (adminUrl !== undefined || given === undefined)
      await prepareDatabase({ adminUrl: server.url, coreUrl, gatewayUrl });
    tell({ state: report.applied.length === 0 ? 'up_to_date' : 'migrated', pending: [], ...report });
    return 0;
  } finally {
    await server.stop();
  }
}

/** Resolves when the database answers. A wrong password or name is refused at once: waiting mends neither. */
async function answering(url: string, seconds: number): Promise<void> {
  for (const until = Date.now() + seconds * 1_000; ; await sleep(AGAIN_MS)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return;
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string };
      // Cannot connect now: it starts or stops. Everything else with a code of SQL is an answer.
      if (/^[0-9A-Z]{5}$/.test(code) && code !== '57P03') throw error;
      if (Date.now() >= until)
        throw new NotInTime(`the database did not answer within ${seconds} s (${code || message})`);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function tell(report: Report): void {
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(report)}\n`);
    return;
  }
  const { state, applied, pending, unknown } = report;
  for (const name of applied) process.stdout.write(`applied  ${name}\n`);
  for (const name of pending) process.stdout.write(`pending  ${name}\n`);
  for (const name of unknown) process.stdout.write(`newer    ${name} (applied by a newer release)\n`);
  process.stdout.write(state === 'pending' ? `${pending.length} to be applied\n` : 'the database is up to date\n');
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`migrate: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(error instanceof NotInTime ? NOT_IN_TIME : 1);
  },
);
