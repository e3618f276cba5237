import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';
import { historyWithPreview, releasesWithPreview } from '../../fixtures/release-2024-04-01/changes.ts';
import { headOf20240401 } from '../../fixtures/release-2024-04-01/head.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeCore, startFakeCore } from '../../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

/* A preview exists, so the current version is not what core speaks. */

const ANSWER = `{"requestId":"req_fake0000000000000001","timestamp":"2023-11-01T08:00:00.000Z","meta":{"processingTimeMs":3,"version":"2.6.0"},"data":{ "as" : "it came" }}`;
let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
let account: FreshAccount;
let translator: Translator;

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  core = await startFakeCore();
  core.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length }).end(ANSWER);
  };
  translator = createTranslator(headOf20240401, historyWithPreview, releasesWithPreview);
  gateway = await startTestGateway(core.url, database.url, {
    translator,
    history: historyWithPreview,
    config: { answerCheckShare: 0 },
  });
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

test('what a preview does not touch passes through the current version as it came, both ways', async () => {
  expect(translator.headRelease).toBe('2024-04-01');
  const plans = translator
    .contract('2023-10-15')
    .operations.map(({ id }) => translator.plan('2023-10-15', id))
    .filter((each) => each?.changes.length === 0);
  const plan = plans.find(
    (each) =>
      each?.operation.method === 'POST' &&
      each.operation.body?.mediaType === 'application/json' &&
      each.operation.body.elements === undefined &&
      each.operation.response.mediaType === undefined &&
      !each.operation.path.includes('{'),
  );
  // As no serializer would write it: whoever reads and writes it anew is found out.
  const body = '{ "not" : "what the contract says" , "twice":1,"twice":2 }';
  const answer = await gateway.send(plan?.operation.method ?? '', plan?.operation.path ?? '', {
    key: account.apiKey,
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(answer.status).toBe(200);
  expect(answer.headers['service-version']).toBe('2023-10-15');
  expect(core.seen.at(-1)?.body).toBe(body);
  expect(answer.text).toBe(ANSWER.replace('2.6.0', '2.5.0'));
});

test('what it touches is checked and rewritten', async () => {
  const before = core.seen.length;
  const answer = await gateway.send('POST', '/patients', { key: account.apiKey, body: { not: 'a patient' } });
  expect(answer.status).toBe(422);
  expect(core.seen).toHaveLength(before);
});
