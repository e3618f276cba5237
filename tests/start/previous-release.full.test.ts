import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAccount } from '@perennial/prisma/accounts.ts';
import { readMigrations } from '@perennial/prisma/migrate.ts';
import { freshDatabase, loginsOf, type TestDatabase } from '../support/database.ts';
import { sendTo } from '../support/gateway.ts';
import { TEST_AUDIT_KEY, TEST_SECRET } from '../support/secret.ts';

/*
 * While a release is rolled out, the one before it runs on the new schema. Here it does: the code from just before the newest
 * migration, on a database that has it. The repository's history is needed.
 */

const ROOT = join(import.meta.dirname, '../..');
let dir: string;
let app: string;
let database: TestDatabase;
const started: ChildProcess[] = [];

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

beforeAll(async () => {
  const newest = (await readMigrations()).at(-1)?.name as string;
  const [commit] = git('log', '--diff-filter=A', '--format=%H', '--', `prisma/migrations/${newest}`).split('\n');
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  dir = mkdtempSync(join(tmpdir(), 'perennial-previous-'));
  app = join(dir, 'app');
  mkdirSync(app);
  execFileSync('sh', ['-c', `git archive ${commit}~1 | tar -xf - -C "${app}"`], { cwd: ROOT });
  // Its workspaces are links to the folders beside them, and so are these.
  try {
    execFileSync('cp', ['-al', join(ROOT, 'node_modules'), join(app, 'node_modules')], { stdio: 'ignore' });
  } catch {
    cpSync(join(ROOT, 'node_modules'), join(app, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  }
  for (const workspace of ['gateway', 'core', 'schemas', 'translators', 'prisma']) {
    const own = join(ROOT, workspace, 'node_modules');
    if (!existsSync(own)) continue;
    cpSync(own, join(app, workspace, 'node_modules'), { recursive: true, verbatimSymlinks: true, force: true });
  }
  const stamp = join(app, 'node_modules', '.perennial-install');
  rmSync(stamp, { force: true });
  writeFileSync(
    stamp,
    createHash('sha256')
      .update(readFileSync(join(app, 'package-lock.json')))
      .digest('hex'),
  );
  // Generates its own client of the database.
  execFileSync(process.execPath, [join(app, '.scripts/bootstrap.mjs'), 'core/knowledge/lacks-main.ts', 'en']);
  database = await freshDatabase();
});

afterAll(async () => {
  for (const child of started) child.kill('SIGTERM');
  await Promise.all(started.map((child) => new Promise((resolve) => child.once('exit', resolve))));
  await database.close();
  rmSync(dir, { recursive: true, force: true });
});

function start(entry: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = fork(join(app, entry), [], {
    cwd: app,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', DATA_DIR: join(dir, 'data'), ...env },
  });
  started.push(child);
  return new Promise((resolve, reject) => {
    child.on(
      'message',
      (said: { type?: string; url?: string }) => said.type === 'ready' && resolve(said.url as string),
    );
    child.once('exit', (code) => reject(new Error(`${entry} ended with ${code}`)));
  });
}

test('the release before runs on the schema of this one', async () => {
  const { coreUrl, gatewayUrl } = loginsOf(database.url);
  const common = { INTERNAL_SECRET: TEST_SECRET, SECRETS_KEY: TEST_SECRET, AUDIT_KEY: TEST_AUDIT_KEY };
  const core = await start('core/main.ts', { ...common, DATABASE_URL: coreUrl, CORE_PORT: '0' });
  const url = await start('gateway/main.ts', { ...common, DATABASE_URL: gatewayUrl, CORE_URL: core, PORT: '0' });
  const { legacyApiKey: key } = await createAccount(database.db, { name: 'Both' });
  const body = { name: 'Ada Example', dob: '1980-01-02' };
  const made = await sendTo<{ id: string }>(url, 'POST', '/v2022-11-15/patients', { key, body });
  expect(made.status).toBe(201);
  const read = await sendTo(url, 'GET', `/v2022-11-15/patients/${made.data.id}`, { key });
  expect(read.status).toBe(200);
  const erased = await sendTo(url, 'DELETE', `/v2022-11-15/patients/${made.data.id}`, { key });
  expect(erased.status).toBe(204);
});
