import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { Balancer } from '../support/balancer.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { sendTo } from '../support/gateway.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const REQUESTS_MIN = 6_500;
const CLIENTS = 12;
/** Longer than the balancer, and the gateways, need to see that a stop is coming. */
const DRAIN_DELAY_MS = '3000';

type Entry = 'core/main.ts' | 'gateway/main.ts';

interface Place {
  readonly entry: Entry;
  readonly env: Readonly<Record<string, string>>;
  process: ServiceProcess;
}

let database: TestDatabase;
let account: FreshAccount;
let dataDir: string;
const places: Place[] = [];
let balancer: Balancer;
let url: string;

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  dataDir = await mkdtemp(join(tmpdir(), 'perennial-rolling-'));
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, INTERNAL_SECRET: TEST_SECRET, DRAIN_DELAY_MS };
  const place = async (entry: Entry, own: Readonly<Record<string, string>>): Promise<string> => {
    const all = { ...env, RATE_LIMIT_PER_MINUTE: '1000000', ...own };
    const process = await startServiceProcess(entry, all);
    places.push({ entry, env: all, process });
    return process.url;
  };
  const cores: string[] = [];
  for (let count = 0; count < 2; count += 1) cores.push(await place('core/main.ts', { CORE_PORT: await freePort() }));
  const gateways: string[] = [];
  for (let count = 0; count < 2; count += 1)
    gateways.push(await place('gateway/main.ts', { PORT: await freePort(), CORE_URL: cores.join(',') }));
  balancer = new Balancer(gateways);
  url = await balancer.open();
}, 180_000);

afterAll(async () => {
  await balancer?.close();
  await Promise.all(places.map(({ process }) => process.stop()));
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

test('two cores and two gateways are restarted one after the other, and no request is lost', async () => {
  const lost = new Map<string, number>();
  let sent = 0;
  let isRolling = true;
  const send = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<string> => {
    sent += 1;
    const answer = await sendTo(url, method, path, { key: account.apiKey, headers, body }).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    const status = answer instanceof Error ? (answer.code ?? answer.message) : answer.status;
    const code = answer instanceof Error ? '' : (answer.error?.code ?? '');
    const isFine = status === 200 || status === 201;
    const what = `${method}${method === 'POST' ? (headers['idempotency-key'] ? ' with key' : ' without key') : ''}`;
    const how = `${what} ${status} ${code}`;
    if (!isFine) lost.set(how, (lost.get(how) ?? 0) + 1);
    return isFine && !(answer instanceof Error) ? String(answer.data['id'] ?? '') : '';
  };
  const client = async (name: number): Promise<void> => {
    for (let turn = 0; isRolling || sent < REQUESTS_MIN; turn += 1) {
      const version = turn % 2 === 0 ? 'v2023-10-15' : 'v2022-11-15';
      const body = { name: `Client ${name}`, dob: '1984-03-07' };
      const id = await send('POST', `/${version}/patients`, { 'idempotency-key': `${name}-${turn}` }, body);
      if (id === '') continue;
      for (let count = 0; count < 4; count += 1) await send('GET', `/${version}/patients/${id}`, {});
      await send('PATCH', `/${version}/patients/${id}`, {}, { name: `Client ${name} again` });
      await send('GET', `/${version}/patients?limit=2`, {});
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, name) => client(name));
  await sleep(1_000);
  for (const place of places) {
    await place.process.stop();
    place.process = await startServiceProcess(place.entry, place.env);
    await balancer.allUp();
    // The gateways ask their cores once a second.
    await sleep(2_500);
  }
  isRolling = false;
  await Promise.all(clients);
  process.stdout.write(`rolling restart: ${sent} requests, lost: ${JSON.stringify([...lost])}\n`);
  expect([...lost]).toEqual([]);
  expect(sent).toBeGreaterThanOrEqual(REQUESTS_MIN);
}, 300_000);
