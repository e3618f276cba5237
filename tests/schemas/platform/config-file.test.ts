import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '@perennial/gateway/config.ts';
import { ConfigInvalid, Settings } from '@perennial/schemas/platform/settings.ts';
import { readStartConfig } from '../../../.scripts/start-config.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'perennial-config-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function file(text: string): string {
  const path = join(dir, 'settings.env');
  writeFileSync(path, text);
  return path;
}

function mistakesOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.mistakes;
    throw error;
  }
}

test('what the environment says goes before what CONFIG_FILE says, and an empty variable says nothing', () => {
  const path = file('# ours\nexport PORT=9000\nHOST="0.0.0.0"\nWORKERS=2\n');
  const settings = new Settings({ CONFIG_FILE: path, PORT: '9100', WORKERS: '' });
  expect([settings.get('PORT'), settings.get('HOST'), settings.get('WORKERS')]).toEqual([9100, '0.0.0.0', 2]);
});

test('a name in CONFIG_FILE that is no variable is refused with every other mistake, and no value is repeated', () => {
  const path = file('DATABSE_URL=postgresql://u:hunter2@db/x\nOTEL_SERVICE_NAME=gateway\n');
  const mistakes = mistakesOf(() => readStartConfig({ CONFIG_FILE: path }));
  expect(mistakes).toEqual(['CONFIG_FILE names the variable DATABSE_URL, which there is none of']);
  expect(mistakesOf(() => readStartConfig({ CONFIG_FILE: join(dir, 'none') }))).toEqual([
    'CONFIG_FILE must name a file that can be read',
  ]);
});

test('the owner’s address in CONFIG_FILE is not handed on to the services', () => {
  const path = file('DATABASE_ADMIN_URL=postgresql://owner:secret@db/x\n');
  const { environment, databaseAdminUrl, isDemo } = readStartConfig({ CONFIG_FILE: path });
  expect(databaseAdminUrl).toBe('postgresql://owner:secret@db/x');
  // What start.ts takes out of it, no service finds in the file.
  expect(environment['CONFIG_FILE']).toBeUndefined();
  expect(isDemo).toBe(false);
});

test('demo data are made in the embedded database, or when they are asked for', () => {
  expect(readStartConfig({}).isDemo).toBe(true);
  expect(readStartConfig({ DEMO_DATA: 'false' }).isDemo).toBe(false);
  const own = { DATABASE_URL: 'postgresql://u:p@db/x' };
  expect(readStartConfig(own).isDemo).toBe(false);
  expect(readStartConfig({ ...own, DEMO_DATA: 'true' }).isDemo).toBe(true);
});

test('a day in SERVICE_DATE beside an own PostgreSQL must be confirmed', () => {
  const own = { DATABASE_URL: 'postgresql://u:p@db/x', SERVICE_DATE: '2023-11-20' };
  const gateway = { ...own, CORE_URL: 'http://core:1', INTERNAL_SECRET: 's'.repeat(32) };
  for (const read of [() => readStartConfig(own), () => readConfig(gateway)])
    expect(mistakesOf(read)).toEqual([expect.stringMatching(/^SERVICE_DATE names a day beside a PostgreSQL/)]);
  expect(mistakesOf(() => readConfig({ ...gateway, SERVICE_DATE_CONFIRMED: 'true' }))).toEqual([]);
  expect(mistakesOf(() => readConfig({ ...gateway, SERVICE_DATE: 'system' }))).toEqual([]);
  expect(mistakesOf(() => readStartConfig({ SERVICE_DATE: '2023-11-20' }))).toEqual([]);
});
