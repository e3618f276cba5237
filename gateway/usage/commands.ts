import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase, type Database } from '@perennial/prisma/client.ts';
import { runningServer } from '@perennial/prisma/running-server.ts';
import { startDatabase } from '@perennial/prisma/server.ts';
import { addDays, dayOf } from '@perennial/schemas/platform/calendar.ts';
import { Settings } from '@perennial/schemas/platform/settings.ts';
import type { RecordedUse } from '@perennial/translators/contract/use.ts';

/* npm run perennial -- use: who called what in which version, for `npm run release -- impact` and `migrate-guide` */

const USAGE = `usage: npm run perennial -- use [--days N] [--account ID]

Who called which operation in which version in the last N days (1), a JSON object a line: counts, and no value of anything.
Reads DATABASE_ADMIN_URL or DATABASE_URL, or the embedded server of DATA_DIR, which may be running.
`;
const DAYS_MAX = 3_660;

/** @returns exit code: 0 done, 1 not possible, 2 not understood. */
export async function run(args: readonly string[]): Promise<number> {
  const asked = read(args);
  if (asked === 'help' || asked === undefined) {
    (asked ? process.stdout : process.stderr).write(USAGE);
    return asked ? 0 : 2;
  }
  const settings = new Settings(process.env);
  const dataDir = resolve(settings.get('DATA_DIR'));
  const given = settings.get('DATABASE_ADMIN_URL') ?? settings.get('DATABASE_URL');
  settings.check();
  if (given === undefined && !existsSync(join(dataDir, 'postgres'))) {
    process.stderr.write(`use: there is no database in ${dataDir}; set DATABASE_URL or DATA_DIR\n`);
    return 1;
  }
  const server = await startDatabase({ dataDir, databaseUrl: given ?? (await runningServer(dataDir)) });
  const database = createDatabase(server.url, { poolMax: 1, applicationName: 'perennial-use' });
  try {
    for (const use of await recordedUse(database, asked)) process.stdout.write(`${JSON.stringify(use)}\n`);
    return 0;
  } finally {
    await database.$disconnect();
    await server.stop();
  }
}

interface Asked {
  readonly days: number;
  readonly account: string | undefined;
}

function read(args: readonly string[]): Asked | 'help' | undefined {
  try {
    const text = { type: 'string' } as const;
    const options = { days: text, account: text, help: { type: 'boolean', short: 'h' } } as const;
    const { values } = parseArgs({ args: [...args], options });
    if (values.help) return 'help';
    const days = Number(values.days ?? 1);
    return Number.isInteger(days) && days >= 1 && days <= DAYS_MAX ? { days, account: values.account } : undefined;
  } catch {
    return undefined;
  }
}

/** What was counted, of every account or of one. */
export async function recordedUse(database: Database, { days, account }: Asked): Promise<readonly RecordedUse[]> {
  const since = addDays(dayOf(new Date()), 1 - days);
  return database.$queryRaw<RecordedUse[]>`
    SELECT account_id AS account, accounts.name AS name, accounts.pinned_release AS pinned, release, operation, client,
           sum(count)::float8 AS count, to_char(max(day), 'YYYY-MM-DD') AS last_day
    FROM edge.usage_counters LEFT JOIN edge.accounts ON accounts.id = account_id
    WHERE day >= ${since}::date AND (${account ?? null}::text IS NULL OR account_id = ${account ?? null})
    GROUP BY account_id, accounts.name, accounts.pinned_release, release, operation, client
    ORDER BY account_id, release, operation, client`;
}
