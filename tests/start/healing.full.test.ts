import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Demo } from '@perennial/prisma/seed.ts';
import { sendTo } from '../support/gateway.ts';
import { type Kind, Whole } from './whole.ts';

let dataDir: string;
let whole: Whole;
let demo: Demo;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'perennial-healing-'));
  whole = Whole.begin({ DATA_DIR: dataDir, DEATHS_PER_MINUTE_MAX: '100' });
  await whole.ready();
  demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo;
}, 120_000);

afterAll(async () => {
  await whole.end();
  await rm(dataDir, { recursive: true, force: true });
});

const cases: readonly (readonly [Kind, NodeJS.Signals])[] = [
  ['core', 'SIGKILL'],
  ['core', 'SIGTERM'],
  ['gateway', 'SIGKILL'],
  ['gateway', 'SIGTERM'],
  ['postgres', 'SIGKILL'],
  ['postgres', 'SIGTERM'],
  ['postgres', 'SIGINT'],
  ['helper', 'SIGKILL'],
];

test.each(cases)(
  'when %s gets %s, writes are answered 503 with Retry-After until they succeed again',
  async (kind, signal) => {
    const before = whole.processes(kind)[0]?.pid;
    const began = performance.now();
    whole.signal(kind, signal);
    const refused: (readonly [number, string | undefined])[] = [];
    for (;;) {
      const answer = await sendTo(demo.gateway, 'POST', '/v2/patients', {
        key: demo.apiKey,
        body: { name: 'Ada Lovelace', dob: '1984-03-07' },
      }).catch(() => undefined);
      // In the moment in which the port changes hands nobody listens.
      const isNew = whole.processes(kind)[0]?.pid !== before;
      if (answer?.status === 201 && isNew) break;
      if (answer && answer.status !== 201) refused.push([answer.status, answer.headers['retry-after']]);
      await sleep(20);
    }
    process.stdout.write(`${kind} ${signal}: ${Math.round(performance.now() - began)} ms to the first write\n`);
    // What was under way when it died has an end that nobody knows.
    expect(refused.filter(([status, after]) => status !== 503 || after === undefined).length).toBeLessThanOrEqual(1);
    expect(whole.processes('start')).toHaveLength(1);
  },
);
