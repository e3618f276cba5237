import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type SeededDatabase, seededDatabase } from '../support/database.ts';
import { describeWith } from '../support/debian.ts';
import { type FakeCore, startFakeCore } from '../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/** Few enough to be used up at once, and more than the minute could give back meanwhile. */
const PER_MINUTE = 10;

describeWith(['redis-server'], 'two gateways that count in Redis', () => {
  let redis: ChildProcess;
  let database: SeededDatabase;
  let core: FakeCore;
  let gateways: TestGateway[] = [];

  beforeAll(async () => {
    const port = await freePort();
    redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await readyLine(redis);
    database = await seededDatabase();
    core = await startFakeCore();
    const config = { redisUrl: `redis://127.0.0.1:${port}`, ratePerMinute: PER_MINUTE };
    gateways = await Promise.all([1, 2].map(() => startTestGateway(core.url, database.url, { config })));
  });

  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop();
    redis?.kill('SIGKILL');
    await core?.stop();
    await database?.close();
  });

  const ask = async (turn: number): Promise<number> => {
    const gateway = gateways[turn % 2] as TestGateway;
    return (await gateway.send('GET', '/v2/patients', { key: database.demo.apiKey })).status;
  };

  test('share the limit of a key, and go on serving when Redis goes away', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < PER_MINUTE * 2; turn += 1) statuses.push(await ask(turn));
    expect(statuses.filter((status) => status === 429)).toHaveLength(PER_MINUTE);

    redis.kill('SIGKILL');
    await once(redis, 'exit');
    await wait(200);
    // Each counts for itself now: precision is lost, and nobody is turned away for it.
    expect(await ask(0)).not.toBe(429);
    expect(await ask(1)).not.toBe(429);
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

async function readyLine(process: ChildProcess): Promise<void> {
  for await (const chunk of process.stdout ?? []) if (String(chunk).includes('Ready to accept connections')) return;
  throw new Error('redis-server ended before it was ready');
}
