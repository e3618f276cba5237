import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase, type Database } from '@perennial/prisma/client.ts';
import { runningServer } from '@perennial/prisma/running-server.ts';
import { startDatabase } from '@perennial/prisma/server.ts';
import { createProgress } from '@perennial/schemas/platform/progress.ts';
import { Settings } from '@perennial/schemas/platform/settings.ts';
import { HeadsBroken, type KnownHeads, readHeads } from './heads-file.ts';
import { type AuditKeys, readAuditKeys } from './keys.ts';
import { type ChainFault, type ChainReport, verifyChains } from './verify.ts';

/*
 * `npm run audit:verify`: reads the audit trail of every account from its beginning and says whether each chain holds.
 * Exit code 0 when all do, 1 when one is broken, 2 when it could not be read. It reads DATABASE_ADMIN_URL or
 * DATABASE_URL, or the embedded server of DATA_DIR, which may be running; AUDIT_KEY, or the file in DATA_DIR; and
 * AUDIT_HEADS_FILE, by default the one in DATA_DIR, without which nobody can tell that a whole chain is gone
 * (`--without-heads` goes on all the same).
 */

const { values: options } = parseArgs({
  options: { 'without-heads': { type: 'boolean' }, json: { type: 'boolean' } },
});
const settings = new Settings(process.env);
const databaseUrl = settings.get('DATABASE_ADMIN_URL') ?? settings.get('DATABASE_URL');
const dataDir = resolve(settings.get('DATA_DIR'));
const headsFile = resolve(settings.get('AUDIT_HEADS_FILE') ?? join(dataDir, 'audit-heads.jsonl'));
const givenAuditKey = settings.get('AUDIT_KEY');

const isJson = options.json === true;

const meanings: Readonly<Record<ChainFault, string>> = {
  altered: 'it is not what was written',
  misplaced: 'it does not follow the entry before it: one is missing or moved',
  unkeyed: 'it was made without the key, though those before it were made with it',
  key_unknown: 'it was made with a key that is not given; AUDIT_KEY takes earlier ones behind the current one',
  cut: 'entries are missing at its end',
  not_as_signed: 'it was cut, removed or made anew since its end was signed',
  unsealed: 'all of it is from before there were keys; start the gateway once, which continues it with one',
};

async function main(): Promise<number> {
  settings.check();
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres'))) {
    process.stderr.write(`audit: there is no database in ${dataDir}; set DATABASE_URL or DATA_DIR\n`);
    return 2;
  }
  const keys = givenKeys();
  const { heads, isBroken } = await givenHeads(keys);
  const server = await startDatabase({ dataDir, databaseUrl: databaseUrl ?? (await runningServer(dataDir)) });
  const database = createDatabase(server.url, { poolMax: 2, applicationName: 'perennial-audit-verify' });
  try {
    const broken = await verifyAll(database, keys, heads);
    return broken === 0 && !isBroken ? 0 : 1;
  } finally {
    await database.$disconnect();
    await server.stop();
  }
}

function givenKeys(): AuditKeys {
  const file = join(dataDir, 'audit.key');
  if (givenAuditKey === undefined && !existsSync(file))
    throw new Error(`there is no key in ${file}; set AUDIT_KEY or DATA_DIR`);
  return readAuditKeys(givenAuditKey, file);
}

interface GivenHeads {
  readonly heads: KnownHeads['heads'] | undefined;
  readonly isBroken: boolean;
}

async function givenHeads(keys: AuditKeys): Promise<GivenHeads> {
  if (options['without-heads'] === true) return { heads: undefined, isBroken: false };
  if (!existsSync(headsFile))
    throw new Error(
      `there are no signed ends in ${headsFile}; set AUDIT_HEADS_FILE, or give --without-heads and learn nothing of chains that are gone`,
    );
  try {
    return { heads: (await readHeads(headsFile, keys)).heads, isBroken: false };
  } catch (error) {
    if (!(error instanceof HeadsBroken)) throw error;
    (isJson ? process.stderr : process.stdout).write(`BROKEN: ${error.message}\n`);
    return { heads: undefined, isBroken: true };
  }
}

async function verifyAll(
  database: Database,
  keys: AuditKeys,
  signed: KnownHeads['heads'] | undefined,
): Promise<number> {
  let accounts = 0;
  let entries = 0;
  let broken = 0;
  const all = isJson ? 0 : await database.auditHead.count().catch(() => 0);
  const progress = createProgress('audit:verify', process.stderr);
  for await (const report of verifyChains(database, keys, signed)) {
    accounts += 1;
    entries += report.entries;
    if (report.broken !== undefined) broken += 1;
    progress.end();
    process.stdout.write(`${isJson ? JSON.stringify(documentOf(report)) : sentenceOf(report)}\n`);
    progress.at(accounts, all, report.accountId);
  }
  progress.end();
  if (isJson) process.stdout.write(`${JSON.stringify({ accounts, entries, broken })}\n`);
  else
    process.stdout.write(
      `${accounts} accounts, ${entries} entries: ${broken === 0 ? 'every chain holds' : `${broken} BROKEN`}\n`,
    );
  return broken;
}

/** As programs read it. */
function documentOf({ accountId, entries, head, broken }: ChainReport): object {
  const { entry, fault, signedAt } = broken ?? {};
  return {
    accountId,
    entries,
    head,
    holds: broken === undefined,
    ...(fault === undefined ? {} : { fault }),
    ...(entry === undefined ? {} : { requestId: entry.requestId, at: entry.at.toISOString() }),
    ...(signedAt === undefined ? {} : { signedAt }),
  };
}

function sentenceOf({ accountId, entries, head, unkeyed, broken }: ChainReport): string {
  const early = unkeyed === 0 ? '' : `, ${unkeyed} of them from before there were keys`;
  if (broken === undefined) return `${accountId}  ${entries} entries hold${early}; head ${head}`;
  const { entry, fault, signedAt } = broken;
  const place =
    entry === undefined
      ? `after ${entries} entries`
      : `at entry ${entries} (seq ${entry.seq}, ${entry.requestId}, ${entry.at.toISOString()})`;
  const since = signedAt === undefined ? '' : ` at ${signedAt}`;
  return `${accountId}  BROKEN ${place}: ${meanings[fault]}${since}; last sound head ${head}`;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`audit: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);
