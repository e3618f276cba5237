import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { coreEnvelope, type FakeCore, fakePatient, startFakeCore } from '../../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
let account: FreshAccount;
const path = `/patients/${fakePatient.id}`;

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db, { operator: true });
  core = await startFakeCore();
});

beforeEach(async () => {
  core.answer = undefined;
  await gateway?.stop();
  gateway = await startTestGateway(core.url, database.url, { config: { coreTimeoutMs: 200 } });
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

/** Samples by their name with labels, once the given one has its value. */
async function samples(name: string, value: number): Promise<ReadonlyMap<string, number>> {
  for (let tries = 0; ; tries += 1) {
    const answer = await gateway.send('GET', '/metrics', { key: account.adminKey });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain('text/plain; version=0.0.4');
    const found = new Map(
      answer.text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    );
    if (found.get(name) === value || tries === 50) {
      expect([name, found.get(name)]).toEqual([name, value]);
      return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('requests are timed by operation, version and class of status', async () => {
  for (let index = 0; index < 3; index += 1) await gateway.send('GET', `/v2023-10-15${path}`, { key: account.apiKey });
  await gateway.send('GET', `/v2022-11-15${path}`, { key: account.apiKey });
  await gateway.send('GET', '/v2022-11-15/nothing', { key: account.apiKey });
  const counted = (operation: string, version: string, statusClass: string): string =>
    `perennial_request_duration_seconds_count{operation="${operation}",version="${version}",status_class="${statusClass}",tier="standard"}`;
  const found = await samples(counted('none', '2022-11-15', '4xx'), 1);
  expect(found.get(counted('patients.get', '2023-10-15', '2xx'))).toBe(3);
  expect(found.get(counted('patients.get', '2022-11-15', '2xx'))).toBe(1);
  const bucket = found.get(
    'perennial_request_duration_seconds_bucket{le="30",operation="patients.get",version="2023-10-15",status_class="2xx",tier="standard"}',
  );
  expect(bucket).toBe(3);
  expect(found.has('perennial_audit_waiting')).toBe(true);
  expect(found.get('perennial_days_to_sunset{version="2022-11-15",state="deprecated"}')).toBe(14);
  expect(found.get('perennial_translation_seconds_count{operation="patients.get",version="2022-11-15"}')).toBe(1);
});

test('failures of core are counted by their code, once each', async () => {
  core.answer = (_request, response) => {
    response.destroy();
  };
  await gateway.send('GET', `/v2023-10-15${path}`, { key: account.apiKey });
  await gateway.send('GET', `/v2022-11-15${path}`, { key: account.apiKey });
  core.answer = () => undefined;
  await gateway.send('GET', `/v2023-10-15${path}`, { key: account.apiKey });
  const found = await samples('perennial_core_failures_total{code="core_timeout"}', 1);
  expect(found.get('perennial_core_failures_total{code="core_failed"}')).toBe(2);
});

test('failures of translation are counted by the change that failed', async () => {
  core.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(coreEnvelope('data', { ...fakePatient, contact_info: 'not what the contract says' }));
  };
  const answer = await gateway.send('GET', `/v2022-11-15${path}`, { key: account.apiKey });
  expect(answer.error.code).toBe('translation_failed');
  const change = answer.error.change ?? 'unknown';
  await samples(`perennial_translation_failures_total{change="${change}"}`, 1);
});

test('metrics are public where the configuration says so, and only they', async () => {
  expect((await gateway.send('GET', '/metrics')).status).toBe(401);
  const open = await startTestGateway(core.url, database.url, { config: { metricsPublic: true } });
  try {
    expect((await open.send('GET', '/metrics')).text).toContain('perennial_request_duration_seconds');
    expect((await open.send('GET', '/admin/usage?version=2022-11-15')).status).toBe(401);
    expect((await open.send('POST', '/metrics')).status).toBe(405);
  } finally {
    await open.stop();
  }
});
