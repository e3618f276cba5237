import { randomUUID } from 'node:crypto';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkAuditKeys } from '@perennial/gateway/audit/installation.ts';
import { auditKeys } from '@perennial/gateway/audit/keys.ts';
import { forgetShared } from '@perennial/prisma/installation.ts';
import { freshDatabase, loginsOf, type TestDatabase } from '../support/database.ts';
import { TEST_AUDIT_KEY, TEST_SECRET } from '../support/secret.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let database: TestDatabase;
let first: string;
const running: ServiceProcess[] = [];

/** A machine's own folder. */
const folder = (): string => join(process.env['PERENNIAL_TEST_DIR'] ?? '', `machine-${randomUUID()}`);

async function startCore(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  const core = await startServiceProcess('core/main.ts', {
    DATABASE_URL: loginsOf(database.url).coreUrl,
    INTERNAL_SECRET: TEST_SECRET,
    DATA_DIR: dataDir,
    ...env,
  });
  running.push(core);
  return core;
}

async function startGateway(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const gateway = await startServiceProcess('gateway/main.ts', {
    DATABASE_URL: loginsOf(database.url).gatewayUrl,
    INTERNAL_SECRET: TEST_SECRET,
    CORE_URL: 'http://127.0.0.1:9',
    ...env,
  });
  running.push(gateway);
  return gateway;
}

beforeAll(async () => {
  database = await freshDatabase();
  first = folder();
  await (await startCore(first)).stop();
});

afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

afterAll(() => database.close());

describe('a second core of one database', () => {
  test('starts where it shares the folder, or the key and the files', async () => {
    await startCore(first);
    const other = folder();
    await mkdir(other);
    await cp(join(first, 'secrets.key'), join(other, 'secrets.key'));
    await cp(join(first, 'attachments'), join(other, 'attachments'), { recursive: true });
    await startCore(other);
  });

  test('with folders of its own is refused with a sentence for each', async () => {
    const refused = startCore(folder());
    await expect(refused).rejects.toThrow(/SECRETS_KEY is not the key that this database was used with.*secrets\.key/s);
    await expect(refused).rejects.toThrow(/the files that belong to this database are kept elsewhere/);
  });

  test('is taken once the owner of the database has forgotten the first', async () => {
    expect(await forgetShared(database.url, 'secrets_key')).toBe(true);
    expect(await forgetShared(database.url, 'blob_store')).toBe(true);
    expect(await forgetShared(database.url, 'nothing')).toBe(false);
    await startCore(folder());
    await rm(first, { recursive: true });
  });
});

describe('a second gateway', () => {
  const newer = 'a-newer-key-of-the-audit-trail-of-tests';
  const url = (): string => loginsOf(database.url).gatewayUrl;

  test('without the key that the audit trail is written with is refused', async () => {
    await (await startGateway({ AUDIT_KEY: TEST_AUDIT_KEY })).stop();
    await expect(startGateway({})).rejects.toThrow('AUDIT_KEY does not hold the key');
  });

  test('may have a newer one before it; whoever lacks that one is refused from then on', async () => {
    await checkAuditKeys(url(), auditKeys([TEST_AUDIT_KEY]));
    await checkAuditKeys(url(), auditKeys([newer, TEST_AUDIT_KEY]));
    await expect(checkAuditKeys(url(), auditKeys([TEST_AUDIT_KEY]))).rejects.toThrow('AUDIT_KEY does not hold the key');
    await checkAuditKeys(url(), auditKeys([newer]));
  });
});
