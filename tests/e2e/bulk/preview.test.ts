import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { historyWithPreview, releasesWithPreview } from '../../fixtures/release-2024-04-01/changes.ts';
import { type CoreOf20240401, startCoreOf20240401 } from '../../fixtures/release-2024-04-01/core.ts';
import { headOf20240401 } from '../../fixtures/release-2024-04-01/head.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type Answer, startTestGateway, type TestGateway } from '../../support/gateway.ts';

/*
 * A bulk request in a version that head has moved away from: names, words, a name in two parts, and a list whose older
 * form is one value, so that an update needs what is stored.
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
  core.patients.clear();
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

interface Bulk {
  readonly results: readonly {
    readonly status: string;
    readonly data: JsonObject | null;
    readonly error: { readonly code: string; readonly details: { code: string; pointer: string }[] } | null;
  }[];
}

const bulk = (operations: readonly object[], version = 'v2023-10-15'): Promise<Answer<Bulk>> =>
  gateway.send<Bulk>('POST', `/${version}/patients/bulk`, { key: account.apiKey, body: { operations } });

async function created(): Promise<string> {
  const answer = await gateway.send('POST', '/preview/2024-04-01/patients', {
    key: account.apiKey,
    body: {
      given_name: 'Juan Carlos',
      family_name: 'de la Cruz',
      birth_date: '1970-02-03',
      contact_info: { email: 'juan@example.org', phones: ['+34 1', '+34 2'], preferred_method: 'messenger' },
    },
  });
  return String(answer.data['id']);
}

describe.each(['v2023-10-15', 'v2023-04-30'])('a bulk request in %s, where head has moved on', (version) => {
  test('creates in its own names, and reads back what it wrote', async () => {
    const data = {
      name: 'Ana Maria Lopez',
      dob: '1981-02-03',
      contact_info: { phone: '+34 5', preferred_method: 'sms' },
    };
    const answer = await bulk([{ action: 'create', data }], version);
    expect(core.operations).toMatchObject([
      {
        action: 'create',
        data: {
          given_name: 'Ana Maria',
          family_name: 'Lopez',
          birth_date: '1981-02-03',
          contact_info: { phones: ['+34 5'], preferred_method: 'text' },
        },
      },
    ]);
    expect(answer.data.results).toMatchObject([{ status: 'succeeded', data }]);
  });

  test('updates what it sees and keeps what it cannot see, reading first where it must', async () => {
    const id = await created();
    const answer = await bulk(
      [
        { action: 'update', id, data: { dob: '1970-02-04' } },
        { action: 'update', id: 'pat_missing00000000000', data: { contact_info: { phone: '+34 9' } } },
      ],
      version,
    );
    expect(answer.data.results.map(({ status, error }) => [status, error?.code])).toEqual([
      ['succeeded', undefined],
      ['failed', 'not_found'],
    ]);
    expect(core.seen).not.toContain(`GET /patients/${id}`);
    const phone = await bulk([{ action: 'update', id, data: { contact_info: { phone: '+34 9' } } }], version);
    expect(core.seen).toContain(`GET /patients/${id}`);
    expect(phone.data.results).toMatchObject([{ status: 'succeeded', data: { contact_info: { phone: '+34 9' } } }]);
    expect(core.patients.get(id)?.body).toMatchObject({
      birth_date: '1970-02-04',
      contact_info: { email: 'juan@example.org', phones: ['+34 9', '+34 2'], preferred_method: 'messenger' },
    });
  });

  test('undoes nobody who came in between: the operation fails', async () => {
    const id = await created();
    core.meanwhile = () => {
      const entry = core.patients.get(id) as { revision: number; body: JsonObject };
      core.patients.set(id, { revision: entry.revision + 1, body: { ...entry.body, gender_identity: 'other' } });
    };
    const { data } = await bulk([{ action: 'update', id, data: { contact_info: { phone: '+34 9' } } }], version);
    expect(data.results).toMatchObject([{ status: 'failed', error: { code: 'conflict' } }]);
    expect(core.patients.get(id)?.body).toMatchObject({ contact_info: { phones: ['+34 1', '+34 2'] } });
  });

  test('reads its own names in every error: as they were sent, and as they came out of core', async () => {
    const { data } = await bulk(
      [
        { action: 'create', data: { name: '', dob: '1981-02-31', birth_date: '1981-02-03' } },
        { action: 'create', data: { name: 'Nobody', dob: '1981-02-03' } },
        { action: 'rename', data: {} },
      ],
      version,
    );
    const places = data.results.map(({ status, error }) => [
      status,
      error?.details.map(({ code, pointer }) => `${code} ${pointer}`).sort(),
    ]);
    expect(places).toEqual([
      [
        'refused',
        [
          'too_short /operations/0/data/name',
          // A name of head's, which this version does not know: it stays as it was sent.
          'unknown_field /operations/0/data/birth_date',
          'wrong_format /operations/0/data/dob',
        ],
      ],
      ['failed', ['in_future /operations/1/data/dob', 'too_long /operations/1/data/contact_info/phone']],
      ['refused', ['not_allowed_value /operations/2/action']],
    ]);
  });
});
