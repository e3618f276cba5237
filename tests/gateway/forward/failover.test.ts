import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { answerPatient, type FakeCore, fakePatient, type SeenRequest, startFakeCore } from '../../support/fake-core.ts';
import { type Answer, startTestGateway, type TestGateway } from '../../support/gateway.ts';

let database: TestDatabase;
let account: FreshAccount;
let cores: FakeCore[] = [];
const gateways: TestGateway[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
});

afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
  for (const core of cores.splice(0)) await core.stop();
});

afterAll(() => database.close());

async function start(urls: readonly string[]): Promise<TestGateway> {
  const gateway = await startTestGateway(urls.join(','), database.url);
  gateways.push(gateway);
  return gateway;
}

async function startTwo(): Promise<TestGateway> {
  cores = [await startFakeCore(), await startFakeCore()];
  return start(cores.map(({ url }) => url));
}

/** An address where nobody listens. */
async function nowhere(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const asked = (core: FakeCore): readonly SeenRequest[] => core.seen.filter(({ url }) => url !== '/ready');
const body = { name: 'Ada Lovelace', dob: '1984-03-07' };

describe.each(['2023-10-15', '2022-11-15'])('at version %s', (version) => {
  const read = (gateway: TestGateway): Promise<Answer> =>
    gateway.send('GET', `/v${version}/patients/${fakePatient.id}`, { key: account.apiKey });
  const create = (gateway: TestGateway, headers: Record<string, string> = {}): Promise<Answer> =>
    gateway.send('POST', `/v${version}/patients`, { key: account.apiKey, body, headers });

  test('requests are dealt out to all cores', async () => {
    const gateway = await startTwo();
    for (let sent = 0; sent < 6; sent += 1) expect((await read(gateway)).status).toBe(200);
    expect(cores.map((core) => asked(core).length)).toEqual([3, 3]);
  });

  test('what is safe to repeat is sent to another core when one breaks off, and the client sees nothing of it', async () => {
    const gateway = await startTwo();
    const [first, second] = cores as [FakeCore, FakeCore];
    first.answer = (request, response) => {
      if (request.url === '/ready') answerPatient(request, response);
      else response.destroy();
    };
    for (let sent = 0; sent < 4; sent += 1) {
      expect((await read(gateway)).status).toBe(200);
      expect((await create(gateway, { 'idempotency-key': `k-${version}-${sent}` })).status).toBe(200);
    }
    expect(asked(second)).toHaveLength(8);
  });

  test('what is not safe to repeat is sent once, and 502 says that nobody knows', async () => {
    const gateway = await startTwo();
    for (const core of cores)
      core.answer = (request, response) => {
        if (request.url === '/ready') answerPatient(request, response);
        else response.destroy();
      };
    const answer = await create(gateway);
    expect([answer.status, answer.error.code]).toEqual([502, 'core_failed']);
    expect(cores.flatMap(asked)).toHaveLength(1);
  });

  test('a write that reached no core is taken to another: nothing was done', async () => {
    cores = [await startFakeCore()];
    const gateway = await start([await nowhere(), (cores[0] as FakeCore).url]);
    for (let sent = 0; sent < 4; sent += 1) expect((await create(gateway)).status).toBe(200);
  });

  test('where no core is reached the answer is 503 with Retry-After', async () => {
    const gateway = await start([await nowhere(), await nowhere()]);
    for (const answer of [await read(gateway), await create(gateway)])
      expect([answer.status, answer.error.code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
  });
});

test('a core that says it is not ready is asked nothing, until it is', async () => {
  const gateway = await startTwo();
  const [first, second] = cores as [FakeCore, FakeCore];
  const path = `/v2023-10-15/patients/${fakePatient.id}`;
  let isReady = false;
  first.answer = (request, response) => {
    if (request.url !== '/ready' || isReady) answerPatient(request, response);
    else response.writeHead(503).end('{}');
  };
  await until(async () => gateway.log.some((line) => line.includes('a core is not asked any more')));
  first.seen.length = 0;
  for (let sent = 0; sent < 4; sent += 1) await gateway.send('GET', path, { key: account.apiKey });
  expect([asked(first).length, asked(second).length]).toEqual([0, 4]);
  isReady = true;
  await until(async () => {
    await gateway.send('GET', path, { key: account.apiKey });
    return asked(first).length > 0;
  });
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
