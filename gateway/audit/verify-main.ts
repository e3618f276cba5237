import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createDatabase } from '@perennial/prisma/client.ts';
import { runningServer } from '@perennial/prisma/running-server.ts';
import { startDatabase } from '@perennial/prisma/server.ts';
import { verifyChains } from './verify.ts';

/*
 * `npm run audit:verify`: reads the audit trail of every account from its beginning and says whether each chain holds.
 * Exit code 0 when all do, 1 when one is broken, 2 when it could not be read. Reads DATABASE_URL, or the embedded
 * server of DATA_DIR, which may be running.
 *
 * What a chain shows: an entry that was altered, removed, inserted or moved, anywhere before the end. Entries cut off
 * the end, or a whole chain computed anew by someone who may write to the table, are shown only by comparing the
 * heads printed here with those of an earlier run, kept where that someone cannot write.
 */

const databaseUrl = process.env['DATABASE_URL'] || undefined;
const dataDir = resolve(process.env['DATA_DIR'] || '.data');

async function main(): Promise<number> {
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres'))) {
    process.stderr.write(`audit: there is no database in ${dataDir}; set DATABASE_URL or DATA_DIR\n`);
    return 2;
  }
  const url = databaseUrl ?? (await runningServer(dataDir));
  const server = await startDatabase({ dataDir, databaseUrl: url });
  const database = createDatabase(server.url, { poolMax: 1, applicationName: 'perennial-audit-verify' });
  let accounts = 0;
  let entries = 0;
  let broken = 0;
  try {
    for await (const report of verifyChains(database)) {
      accounts += 1;
      entries += report.entries;
      if (report.broken === undefined) {
        process.stdout.write(`${report.accountId}  ${report.entries} entries hold; head ${report.head}\n`);
        continue;
      }
      broken += 1;
      const { seq, requestId, at, fault } = report.broken;
      const what =
        fault === 'altered'
          ? 'is not what was written'
          : 'does not follow the entry before it: one is missing or moved';
      process.stdout.write(
        `${report.accountId}  BROKEN at entry ${report.entries} (seq ${seq}, ${requestId}, ${at.toISOString()}): it ${what}; last sound head ${report.head}\n`,
      );
    }
  } finally {
    await database.$disconnect();
    await server.stop();
  }
  process.stdout.write(
    `${accounts} accounts, ${entries} entries: ${broken === 0 ? 'every chain holds' : `${broken} BROKEN`}\n`,
  );
  return broken === 0 ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`audit: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);
