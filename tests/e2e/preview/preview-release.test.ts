import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { historyWithPreview, releasesWithPreview } from '../../fixtures/release-2024-04-01/changes.ts';
import { type CoreOf20240401, startCoreOf20240401 } from '../../fixtures/release-2024-04-01/core.ts';
import { headOf20240401 } from '../../fixtures/release-2024-04-01/head.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type Answer, startTestGateway, type TestGateway } from '../../support/gateway.ts';

/*
 * Core speaks 2024-04-01 already, which clients reach as a preview only. Current is 2023-10-15, and is translated like
 * every other version.
 */
let database: TestDatabase;
let core: CoreOf20240401;
let gateway: TestGateway;
let account: FreshAccount;

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  core = await startCoreOf20240401();
  gateway = await startTestGateway(core.url, database.url, {
    history: historyWithPreview,
    translator: createTranslator(headOf20240401, historyWithPreview, releasesWithPreview),
  });
});

beforeEach(() => {
  core.seen.length = 0;
  core.meanwhile = undefined;
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

const call = (method: string, path: string, body?: JsonObject, headers: Record<string, string> = {}): Promise<Answer> =>
  gateway.send(method, path, { key: account.apiKey, headers, ...(body ? { body } : {}) });

async function created(): Promise<string> {
  const answer = await call('POST', '/preview/2024-04-01/patients', {
    given_name: 'Juan Carlos',
    family_name: 'de la Cruz',
    birth_date: '1970-02-03',
    contact_info: { phones: ['+34 1', '+34 2'], preferred_method: 'messenger' },
  });
  expect(answer.status).toBe(201);
  return String(answer.data['id']);
}

describe('a preview release', () => {
  it('is served under /preview only, and says that it may change', async () => {
    const id = await created();
    const answer = await call('GET', `/preview/2024-04-01/patients/${id}`);
    expect(answer.data).toMatchObject({ given_name: 'Juan Carlos', contact_info: { phones: ['+34 1', '+34 2'] } });
    expect(answer.meta.version).toBe('3.0.0');
    expect(answer.headers['service-api-preview']).toContain('may change');
    for (const path of [`/v2024-04-01/patients/${id}`, `/v3/patients/${id}`, `/preview/2023-10-15/patients/${id}`])
      expect((await call('GET', path)).error.code).toBe('version_unknown');
    const byHeader = await call('GET', `/patients/${id}`, undefined, { 'service-version': '2024-04-01' });
    expect(byHeader.error.code).toBe('version_unknown');
  });

  it('leaves Current at 2023-10-15, in its own shape', async () => {
    const id = await created();
    const answer = await call('GET', `/patients/${id}`);
    expect(answer.headers['service-version']).toBe('2023-10-15');
    expect(answer.meta.version).toBe('2.5.0');
    expect(answer.data).toMatchObject({
      name: 'Juan Carlos de la Cruz',
      dob: '1970-02-03',
      contact_info: { email: null, phone: '+34 1', preferred_method: 'sms' },
    });
  });

  it('a PUT of what Current read keeps every part that Current cannot say, by one read and one conditional write', async () => {
    const id = await created();
    const read = await call('GET', `/v2023-10-15/patients/${id}`);
    core.seen.length = 0;
    const written = await call('PUT', `/v2023-10-15/patients/${id}`, { ...read.data, sex: 'male' });
    expect(written.status).toBe(200);
    expect(core.seen).toEqual([`GET /patients/${id}`, `PATCH /patients/${id}`]);
    expect(core.patients.get(id)?.body).toMatchObject({
      given_name: 'Juan Carlos',
      family_name: 'de la Cruz',
      sex: 'male',
      contact_info: { phones: ['+34 1', '+34 2'], preferred_method: 'messenger' },
    });
  });

  it('a write that meets others is tried three times, and then refused with nothing lost', async () => {
    const id = await created();
    let interruptions = 0;
    core.meanwhile = () => {
      const entry = core.patients.get(id);
      if (entry && interruptions++ < 2) entry.revision += 1;
    };
    const met = await call('PATCH', `/v2023-10-15/patients/${id}`, { contact_info: { phone: '+34 9' } });
    expect([met.status, interruptions]).toEqual([200, 3]);
    expect(core.patients.get(id)?.body).toMatchObject({ contact_info: { phones: ['+34 9', '+34 2'] } });

    core.meanwhile = () => {
      const entry = core.patients.get(id);
      if (entry) entry.revision += 1;
    };
    const refused = await call('PATCH', `/v2023-10-15/patients/${id}`, { contact_info: { phone: '+34 5' } });
    expect([refused.status, refused.error.code]).toEqual([409, 'conflict']);
    expect(core.patients.get(id)?.body).toMatchObject({ contact_info: { phones: ['+34 9', '+34 2'] } });
  });

  it('a client’s own If-Match is held against what is stored, and is not tried again', async () => {
    const id = await created();
    const read = await call('GET', `/v2023-10-15/patients/${id}`);
    const body = { contact_info: { phone: '+34 7' } };
    const good = await call('PATCH', `/v2023-10-15/patients/${id}`, body, { 'if-match': String(read.headers['etag']) });
    expect(good.status).toBe(200);
    const stale = await call('PATCH', `/v2023-10-15/patients/${id}`, body, {
      'if-match': String(read.headers['etag']),
    });
    expect([stale.status, stale.error.code]).toEqual([412, 'precondition_failed']);
  });

  it('a patch that changes nothing core knows of answers the object as it is', async () => {
    const id = await created();
    core.seen.length = 0;
    const answer = await call('PATCH', `/v2023-10-15/patients/${id}`, { contact_info: {} });
    expect([answer.status, answer.data['name']]).toEqual([200, 'Juan Carlos de la Cruz']);
    expect(core.seen).toEqual([`GET /patients/${id}`]);
  });

  it('faults are told in the names of Current, and a moved path is where it was', async () => {
    const long = await call('POST', '/v2023-10-15/patients', { name: 'A', dob: '1970-02-30' });
    expect(long.error.details).toMatchObject([{ code: 'wrong_format', pointer: '/dob' }]);
    const moved = await call('POST', '/v2023-10-15/diagnostics/analyze', { patientData: {} });
    expect(moved.status).toBe(422);
    expect(core.seen).toContain('POST /diagnostics/analyses');
    // There it could be the identifier of a record, to which nothing is posted.
    expect((await call('POST', '/v2023-10-15/diagnostics/analyses', { patientData: {} })).error.code).toBe(
      'method_not_allowed',
    );
  });
});
