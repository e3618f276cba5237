import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAccount } from '@perennial/prisma/accounts.ts';
import { CONDITIONS } from '@perennial/prisma/demo/conditions.ts';
import { ageAt } from '@perennial/prisma/demo/history.ts';
import { demoData } from '@perennial/prisma/demo/patients.ts';
import { DEMO_ACCOUNT_ID, demoPath, seedDemo } from '@perennial/prisma/seed.ts';
import { hashApiKey, parseApiKey } from '@perennial/schemas/platform/credentials.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';

const gatewayUrl = 'http://127.0.0.1:8080';

describe('the seed', () => {
  let database: TestDatabase;
  let dataDir: string;

  beforeAll(async () => {
    database = await freshDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'perennial-seed-'));
  });

  afterAll(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const counts = async (): Promise<number[]> => {
    const { db } = database;
    return [
      await db.account.count(),
      await db.apiKey.count(),
      await db.patient.count(),
      await db.medicalRecord.count(),
    ];
  };

  test('run by two processes at once and then again, makes one account and changes nothing more', async () => {
    const [one, other] = await Promise.all([
      seedDemo(database.db, { dataDir, gatewayUrl }),
      seedDemo(database.db, { dataDir, gatewayUrl }),
    ]);
    const before = await counts();
    expect(await seedDemo(database.db, { dataDir, gatewayUrl })).toEqual(one);
    expect(other).toEqual(one);
    expect(await counts()).toEqual(before);
    expect(before.slice(0, 3)).toEqual([1, 3, 260]);
  });

  test('writes exactly the agreed members to demo.json, which only its owner may read', async () => {
    const demo = JSON.parse(await readFile(demoPath(dataDir), 'utf8')) as Record<string, string>;
    expect(Object.keys(demo)).toEqual(['gateway', 'accountId', 'apiKey', 'legacyApiKey', 'adminKey', 'patientId']);
    expect((await stat(demoPath(dataDir))).mode & 0o777).toBe(0o600);
    expect(demo['gateway']).toBe(gatewayUrl);
  });

  test('stores keys as hashes, in both formats, with scopes for every category and admin apart', async () => {
    const demo = JSON.parse(await readFile(demoPath(dataDir), 'utf8')) as Record<string, string>;
    const key = async (name: string) =>
      database.db.apiKey.findUniqueOrThrow({ where: { hash: hashApiKey(demo[name] ?? '') } });
    expect(parseApiKey(demo['apiKey'] ?? '')).toEqual({ format: 'current', mode: 'test' });
    expect(parseApiKey(demo['legacyApiKey'] ?? '')?.format).toBe('legacy');
    expect((await key('apiKey')).scopes).toHaveLength(12);
    expect((await key('legacyApiKey')).format).toBe('legacy');
    expect((await key('adminKey')).scopes).toEqual(['admin', 'operator']);
    const rows = JSON.stringify(await database.db.apiKey.findMany());
    for (const name of ['apiKey', 'legacyApiKey', 'adminKey']) expect(rows).not.toContain(demo[name]);
  });

  test('names a demo patient of whom every field is set', async () => {
    const demo = JSON.parse(await readFile(demoPath(dataDir), 'utf8')) as Record<string, string>;
    const patient = await database.db.patient.findUniqueOrThrow({ where: { id: demo['patientId'] ?? '' } });
    const { deletedAt, ...fields } = patient;
    expect(deletedAt).toBeNull();
    expect(Object.values(fields)).not.toContain(null);
    expect(patient.accountId).toBe(DEMO_ACCOUNT_ID);
  });

  test('follows a gateway that moved without changing the keys', async () => {
    const before = await seedDemo(database.db, { dataDir, gatewayUrl });
    const moved = await seedDemo(database.db, { dataDir, gatewayUrl: 'http://127.0.0.1:9090' });
    expect(moved).toEqual({ ...before, gateway: 'http://127.0.0.1:9090' });
  });

  test.each([
    ['lost', async () => rm(demoPath(dataDir))],
    ['cut short', async () => writeFile(demoPath(dataDir), '{"apiKey":')],
    [
      'of another database',
      async () =>
        writeFile(demoPath(dataDir), JSON.stringify({ apiKey: 'hai_x', legacyApiKey: 'sk_x', adminKey: 'y' })),
    ],
  ])('mints new keys when demo.json is %s, and makes no patient twice', async (_, damage) => {
    const before = await seedDemo(database.db, { dataDir, gatewayUrl });
    const [, , patients] = await counts();
    await damage();
    const after = await seedDemo(database.db, { dataDir, gatewayUrl });
    expect(after.apiKey).not.toBe(before.apiKey);
    expect(after.accountId).toBe(before.accountId);
    expect((await counts())[2]).toBe(patients);
    const hashes = [after.apiKey, after.legacyApiKey, after.adminKey].map(hashApiKey);
    expect(await database.db.apiKey.count({ where: { hash: { in: hashes } } })).toBe(3);
  });

  test('does not bring back a patient that was erased', async () => {
    const { patientId } = await seedDemo(database.db, { dataDir, gatewayUrl });
    await database.db.patient.delete({ where: { id: patientId } });
    await seedDemo(database.db, { dataDir, gatewayUrl });
    expect(await database.db.patient.findUnique({ where: { id: patientId } })).toBeNull();
  });

  test('leaves room for other accounts, each with keys of its own', async () => {
    const [one, other] = [await createAccount(database.db), await createAccount(database.db)];
    expect(one.accountId).not.toBe(other.accountId);
    expect(new Set([...Object.values(one), ...Object.values(other)]).size).toBe(8);
  });
});

describe('the made-up patients', () => {
  const { patients, records } = demoData('acc_test0001');
  const dobOf = new Map(patients.map((patient) => [patient.id, patient.dob as Date]));

  test('are the same in every run', () => {
    expect(demoData('acc_test0001')).toEqual({ patients, records });
  });

  test('are at least 240, with identifiers and times of creation that never repeat', () => {
    expect(patients.length).toBeGreaterThanOrEqual(240);
    expect(new Set(patients.map(({ id }) => id)).size).toBe(patients.length);
    expect(new Set(patients.map(({ createdAt }) => Number(createdAt))).size).toBe(patients.length);
    for (const { id } of patients) expect(id).toMatch(/^pat_[0-9A-Za-z]{20}$/);
    for (const { id } of records) expect(id).toMatch(/^rec_[0-9A-Za-z]{20}$/);
  });

  test('cover every value and every gap that a client can meet', () => {
    expect(new Set(patients.map(({ sex }) => sex))).toEqual(new Set(['female', 'male', 'other', 'unknown']));
    for (const field of ['genderIdentity', 'email', 'phone', 'preferredMethod'] as const) {
      const filled = patients.filter((patient) => patient[field] !== null).length;
      expect(filled).toBeGreaterThan(10);
      expect(filled).toBeLessThan(patients.length);
    }
    const names = patients.map(({ name }) => name).join('');
    for (const script of ['Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Han', 'Hangul', 'Devanagari', 'Thai']) {
      expect(names).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'));
    }
    expect(names).toBe(names.normalize('NFC'));
  });

  test('can be reached nowhere: addresses and numbers are from ranges set aside for fiction', () => {
    for (const { email, phone } of patients) {
      if (email) expect(email).toMatch(/^[a-z.]+\d*@example\.(com|org|net)$/);
      if (phone) expect(phone).toMatch(/^(\+44 7700 900\d{3}|\+1 \d{3} 555 01\d\d)$/);
    }
  });

  test('have histories that age, sex and birth allow', () => {
    const sexOf = new Map(patients.map((patient) => [patient.id, patient.sex]));
    const known = new Map(CONDITIONS.map((condition) => [condition.code, condition]));
    for (const record of records) {
      const dob = dobOf.get(record.patientId) as Date;
      const at = record.effectiveAt as Date;
      expect(at.getTime()).toBeGreaterThanOrEqual(dob.getTime());
      if (record.type !== 'condition') continue;
      const condition = known.get((record.code as { code: string }).code);
      if (condition?.sex !== undefined) expect(sexOf.get(record.patientId)).toBe(condition.sex);
      const first = condition?.prevalence[0]?.[0] ?? 0;
      expect(ageAt(dob, new Date('2023-11-01'))).toBeGreaterThanOrEqual(first);
    }
  });

  test('are prescribed only what one of their conditions asks for, and nothing they are allergic to', () => {
    for (const { id } of patients) {
      const own = records.filter(({ patientId }) => patientId === id);
      const codes = own.filter(({ type }) => type === 'condition').map(({ code }) => (code as { code: string }).code);
      const allergic = own.some(({ code }) => (code as { code?: string })?.code === 'Z88.0');
      for (const { code, content } of own.filter(({ type }) => type === 'medication')) {
        expect(codes).toContain((content as { indication: { code: string } }).indication.code);
        if (allergic) expect((code as { code: string }).code).not.toMatch(/^J01C/);
      }
    }
  });

  test('have measurements of diabetes exactly where there is diabetes', () => {
    const having = (...codes: string[]) =>
      new Set(
        records.filter(({ code }) => codes.includes((code as { code?: string })?.code ?? '')).map((r) => r.patientId),
      );
    expect(having('4548-4')).toEqual(having('E11.9', 'E10.9'));
  });
});
