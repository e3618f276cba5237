import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { differingMembers } from '@perennial/gateway/mirror/compare.ts';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { coreEnvelope, type FakeCore, fakePatient, startFakeCore } from '../../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

const PATIENT = `/patients/${fakePatient.id}`;
const SECRET = 'Nobody reads this';
let database: TestDatabase;
let account: FreshAccount;
let liveCore: FakeCore;
let draftCore: FakeCore;
let draft: TestGateway;
let live: TestGateway;

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db, { operator: true });
  liveCore = await startFakeCore();
  draftCore = await startFakeCore();
  draft = await startTestGateway(draftCore.url, database.url);
  live = await startTestGateway(liveCore.url, database.url, {
    config: { mirror: { url: draft.url, share: 1 }, metricsPublic: true },
  });
});

beforeEach(() => {
  draftCore.seen.length = 0;
  draftCore.answer = undefined;
});

afterAll(async () => {
  await live.stop();
  await draft.stop();
  await Promise.all([liveCore.stop(), draftCore.stop()]);
  await database.close();
});

/** Waits until the metrics say so: what is mirrored comes after the answer. */
async function metric(line: RegExp): Promise<string> {
  for (;;) {
    const { text } = await live.send('GET', '/metrics');
    const found = text.split('\n').find((each) => line.test(each));
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a read', () => {
  test('is sent to the draft in the same version, and a member that differs is counted by its name alone', async () => {
    draftCore.answer = (_request, response) => {
      const { gender_identity: _, ...rest } = fakePatient;
      const body = coreEnvelope('data', { ...rest, name: SECRET });
      response.writeHead(200, { 'content-type': 'application/json', etag: 'W/"3.headhash"' }).end(body);
    };
    const answer = await live.send('GET', `/v2022-11-15${PATIENT}`, { key: account.apiKey });
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ name: fakePatient.name, gender: fakePatient.sex });
    expect(await metric(/mirror_differences_total.*member="\/name".*difference="value"/)).toMatch(/ 1$/);
    await metric(/mirrored_total.*version="2022-11-15".*outcome="different"/);
    expect(draftCore.seen.map(({ method, url }) => [method, url])).toEqual([['GET', PATIENT]]);
    const { text } = await live.send('GET', '/metrics');
    expect(text).not.toContain(SECRET);
    expect(live.log.join('\n')).not.toContain(SECRET);
  });

  test('that the draft answers alike is counted as that', async () => {
    await live.send('GET', PATIENT, { key: account.apiKey });
    await metric(/mirrored_total.*version="2023-10-15".*outcome="same"/);
  });

  test('is answered as ever while the draft is silent, fails, or answers nonsense', async () => {
    draftCore.answer = (_request, response) => void response.writeHead(500).end('{}');
    const answer = await live.send('GET', `/v2023-04-30${PATIENT}`, { key: account.apiKey });
    expect(answer.status).toBe(200);
    await metric(/mirrored_total.*version="2023-04-30".*outcome="refused"/);
    let end: (() => void) | undefined;
    draftCore.answer = (_request, response) => {
      end = () => response.destroy();
    };
    // The draft has not answered yet: the client does not wait for it.
    expect((await live.send('GET', `/v2023-04-30${PATIENT}`, { key: account.apiKey })).status).toBe(200);
    while (!end) await new Promise((resolve) => setTimeout(resolve, 10));
    end();
  });

  test('is one: nothing else is sent to the draft', async () => {
    await live.send('POST', '/patients', {
      key: account.apiKey,
      body: { name: 'A', dob: '1990-01-01', sex: 'female' },
    });
    await live.send('GET', PATIENT, { key: 'hai_live_none' });
    await live.send('GET', '/patients/none/nowhere', { key: account.apiKey });
    await live.send('GET', `/v2022-11-15${PATIENT}`, { key: account.apiKey });
    while (draftCore.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(draftCore.seen.map(({ method }) => method)).toEqual(['GET']);
  });
});

test('differences are named by members of the contract; every other name is data', () => {
  const names = new Set(['items', 'name', 'codes']);
  const a = { items: [{ name: 'A', codes: { X12: 1 } }, { name: 'B' }], name: null };
  const b = { items: [{ name: 'C', codes: { X13: 1 } }], name: 'n', extra: 1 };
  expect([...differingMembers(a, b, names)]).toEqual([
    ['/items/*', 'missing'],
    ['/items/*/name', 'value'],
    ['/items/*/codes/*', 'missing'],
    ['/name', 'type'],
    ['/*', 'added'],
  ]);
  expect(differingMembers(a, structuredClone(a), names).size).toBe(0);
});
