import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { history } from '@perennial/schemas/history.ts';
import { Settings } from '@perennial/schemas/platform/settings.ts';
import { atRest } from './at-rest.ts';
import { runningServer } from './running-server.ts';
import { startDatabase } from './server.ts';

/* npm run perennial -- at-rest: before old releases are deleted */

const USAGE = `usage: npm run perennial -- at-rest --oldest YYYY-MM-DD [--apply] [--json]

Counts what rests in the shape of releases before the one named, which is to be the oldest that stays: idempotent answers,
events, results of jobs, deliveries, subscriptions, diagnoses, pins. --apply rewrites or expires what may be, and counts again.
Cursors are not among them: each is in the words of the newest release, whatever version it was given to.
Reads DATABASE_ADMIN_URL or DATABASE_URL, or the embedded server of DATA_DIR, which may be running.

Exit code: 0 nothing is left, 1 something is, or it could not be done, 2 not understood.
`;

/** @returns exit code, as the usage says. */
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
    process.stderr.write(`at-rest: there is no database in ${dataDir}; set DATABASE_URL or DATA_DIR\n`);
    return 1;
  }
  const server = await startDatabase({ dataDir, databaseUrl: given ?? (await runningServer(dataDir)) });
  try {
    const kinds = await atRest(server.url, asked.oldest, asked.apply);
    const left = kinds.filter((kind) => kind.left > 0);
    if (asked.json) process.stdout.write(`${JSON.stringify({ oldest: asked.oldest, kinds })}\n`);
    else {
      for (const { name, found, left: rest, advice } of kinds)
        process.stdout.write(`${name}: ${found} found, ${rest} left${found > 0 ? `; ${advice}` : ''}\n`);
      process.stdout.write(
        left.length === 0 ? 'nothing is left\n' : `left: ${left.map(({ name }) => name).join(', ')}\n`,
      );
    }
    return left.length === 0 ? 0 : 1;
  } finally {
    await server.stop();
  }
}

interface Asked {
  readonly oldest: string;
  readonly apply: boolean;
  readonly json: boolean;
}

function read(args: readonly string[]): Asked | 'help' | undefined {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const { values } = parseArgs({
      args: [...args],
      options: { oldest: { type: 'string' }, apply: flag, json: flag, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) return 'help';
    const { oldest, apply, json } = values;
    return history.releases.some(({ id }) => id === oldest) ? { oldest: oldest as string, apply, json } : undefined;
  } catch {
    return undefined;
  }
}
