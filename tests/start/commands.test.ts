import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { COMMANDS, type Command, helpOf } from '../../.scripts/commands.mjs';
import { completionFor } from '../../.scripts/completion.mjs';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';

const ROOT = join(import.meta.dirname, '../..');
const scripts = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
  .scripts;

function perennial(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawnSync(process.execPath, [join(ROOT, '.scripts/perennial.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}

describe('every command', () => {
  const ours = Object.entries(scripts).filter(([, script]) => script.includes('bootstrap.mjs'));
  const known = new Set(COMMANDS.map(({ name }) => name));

  test('of package.json explains itself, and is one of perennial’s', () => {
    // One with arguments of its own in front: `npm test` explains it.
    expect(ours.map(([name]) => name).filter((name) => !known.has(name))).toEqual(['test:properties']);
    for (const { name, entry, fixed = [] } of COMMANDS) {
      // Modules, which only `perennial` runs.
      if (entry === '.scripts/perennial.ts') continue;
      expect(scripts[name]).toContain(['.scripts/bootstrap.mjs', entry, ...fixed].join(' '));
    }
  });

  test('is told of without doing anything, and without what must be installed', () => {
    for (const each of COMMANDS.filter(({ explainsItself }: Command) => !explainsItself))
      expect(helpOf(each)).toContain(`npm run ${each.name}`);
    const { status, stdout, stderr } = perennial(['test:faults', '--help']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('FAULT_ROUNDS');
  });

  test('that there is not, and an option that there is not, end with 2 and without a stack', () => {
    const unknown = perennial(['no-such']);
    expect([unknown.status, unknown.stdout]).toEqual([2, '']);
    const option = perennial(['bench', '--no-such']);
    expect(option.status).toBe(2);
    expect(option.stderr).toBe("Unknown option '--no-such'; --help tells what there is\n");
  });

  test('is completed by the shell', () => {
    const script = `${completionFor('bash')}\nCOMP_WORDS=(perennial migrate --ch); COMP_CWORD=2; _perennial; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['--check\n', '']);
  });
});

describe('npm run migrate', () => {
  let database: TestDatabase;
  let dir: string;
  beforeAll(async () => {
    database = await emptyDatabase();
    dir = mkdtempSync(join(tmpdir(), 'perennial-migrate-'));
  });
  afterAll(async () => {
    await database.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test('says what is to be done, does it, and then has nothing to do; each as JSON', () => {
    // As a file says it.
    const file = join(dir, 'perennial.env');
    writeFileSync(file, `DATABASE_URL="${database.url}"\n`);
    const migrate = (...args: string[]): [number | null, Record<string, unknown>] => {
      const { status, stdout } = perennial(['--config', file, 'migrate', '--json', ...args]);
      return [status, JSON.parse(stdout) as Record<string, unknown>];
    };
    const [before, { pending, ...rest }] = migrate('--check');
    expect([before, rest]).toEqual([1, { state: 'pending', applied: [], unknown: [] }]);
    expect((pending as string[])[0]).toBe('20261121033837_init');
    expect(migrate()).toEqual([0, { state: 'migrated', applied: pending, pending: [], unknown: [] }]);
    expect(migrate('--check')).toEqual([0, { state: 'up_to_date', applied: [], pending: [], unknown: [] }]);
  });

  test('says that a database does not answer', () => {
    const { status, stderr } = perennial(['migrate', '--wait', '0'], {
      DATABASE_URL: 'postgresql://nobody:secret@127.0.0.1:9/none',
    });
    expect([status, stderr]).toEqual([75, 'migrate: the database did not answer within 0 s (ECONNREFUSED)\n']);
  });
});
