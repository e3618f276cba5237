import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startCore, type TestCore } from '../support/core.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type FakeCore, startFakeCore } from '../support/fake-core.ts';
import { sendTo, startTestGateway, type TestGateway } from '../support/gateway.ts';

let database: TestDatabase;
const parts: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await freshDatabase();
});

afterEach(async () => {
  for (const part of parts.splice(0).reverse()) await part.stop();
});

afterAll(() => database.close());

function keep<T extends { stop(): Promise<void> }>(part: T): T {
  parts.push(part);
  return part;
}

async function gatewayOn(coreUrl: string, config = {}, databaseUrl = database.url): Promise<TestGateway> {
  return keep(await startTestGateway(coreUrl, databaseUrl, { config }));
}

/** What it says, once it says it: on a machine that is busy the first look at the database may take too long. */
async function expectTold(gateway: TestGateway, expected: unknown): Promise<void> {
  for (const until = Date.now() + 15_000; ; await sleep(200)) {
    const { status, data } = await gateway.send('GET', '/ready');
    if (isDeepStrictEqual([status, data], expected) || Date.now() > until) {
      expect([status, data]).toEqual(expected);
      return;
    }
  }
}

const notReady = (checks: object): unknown => [
  503,
  { status: 'not_ready', checks: { core: 'ok', database: 'ok', ...checks } },
];

test('with core and database there, the gateway is ready', async () => {
  const core: TestCore = keep(await startCore(database.url));
  await expectTold(await gatewayOn(core.url), [200, { status: 'ready', checks: { core: 'ok', database: 'ok' } }]);
});

test('a core that is dead makes it not ready', async () => {
  const core = await startFakeCore();
  const gateway = await gatewayOn(core.url);
  await core.stop();
  await expectTold(gateway, notReady({ core: 'unavailable' }));
});

test('a core that is blocked makes it not ready, within its time', async () => {
  const core: FakeCore = keep(await startFakeCore());
  core.answer = () => undefined;
  await expectTold(await gatewayOn(core.url), notReady({ core: 'unavailable' }));
});

test('a core that would refuse our requests makes it not ready', async () => {
  const core = keep(await startCore(database.url));
  const gateway = await gatewayOn(core.url, { internalSecret: 'another secret of more than 32 characters' });
  await expectTold(gateway, notReady({ core: 'unavailable' }));
});

test('a core without room for files makes it not ready', async () => {
  // Below a file there is no room for anything.
  const core = keep(await startCore(database.url, { attachmentsDir: `${import.meta.filename}/attachments` }));
  await expectTold(await gatewayOn(core.url), notReady({ core: 'unavailable' }));
});

test('without its database it is not ready', async () => {
  const core: FakeCore = keep(await startFakeCore());
  const gateway = await gatewayOn(core.url, {}, 'postgresql://nobody:x@127.0.0.1:1/none');
  await expectTold(gateway, notReady({ database: 'unavailable' }));
});

test('however many ask, core is asked once a second', async () => {
  const core: FakeCore = keep(await startFakeCore());
  const gateway = await gatewayOn(core.url);
  await Promise.all(Array.from({ length: 20 }, () => gateway.send('GET', '/ready')));
  expect(core.seen).toHaveLength(1);
});

test('from the moment a stop is asked it is not ready, while everything is still answered', async () => {
  const core = keep(await startCore(database.url));
  const gateway = await gatewayOn(core.url, { drainDelayMs: 1_500 });
  const stopped = gateway.stop();
  const ready = await gateway.send('GET', '/ready');
  expect([ready.status, ready.data['status'], ready.headers.connection]).toEqual([503, 'stopping', 'close']);
  expect((await gateway.send('GET', '/versions')).status).toBe(200);
  await stopped;
  await expect(gateway.send('GET', '/ready')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('core tells the same of itself', async () => {
  const core = keep(await startCore(database.url, { drainDelayMs: 1_500 }));
  expect(await sendTo(core.url, 'GET', '/ready')).toMatchObject({ status: 200, text: '{"status":"ready"}' });
  const stopped = core.stop();
  expect(await sendTo(core.url, 'GET', '/ready')).toMatchObject({ status: 503, text: '{"status":"stopping"}' });
  await stopped;
});
