import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type Kind, Whole } from './whole.ts';

/*
 * Real npm, bootstrap and start, on a database that is there already and with services that do nothing: what is tested
 * is who ends with whom. `orphans.full.test.ts` does the same with everything real.
 */

const FAKE = join(import.meta.dirname, 'fake-service.ts');

let database: TestDatabase;
let dataDir: string;
const wholes: Whole[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'perennial-start-'));
});

afterEach(async () => {
  for (const whole of wholes.splice(0)) await whole.end();
});

afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

function begin(env: Readonly<Record<string, string>> = {}): Whole {
  const whole = Whole.begin({ DATABASE_URL: database.url, DATA_DIR: dataDir, ...env }, [FAKE, FAKE]);
  wholes.push(whole);
  return whole;
}

const cases: readonly (readonly [Kind, NodeJS.Signals])[] = [
  ['npm', 'SIGINT'],
  ['npm', 'SIGKILL'],
  ['start', 'SIGKILL'],
];

test.each(cases)('when %s alone gets %s, no process stays', async (kind, signal) => {
  const whole = begin();
  await whole.ready();
  expect(whole.processes('core')).toHaveLength(1);
  expect(whole.processes('gateway')).toHaveLength(1);
  whole.signal(kind, signal);
  expect(await whole.left()).toEqual([]);
});

test('what dies is started again where it was, and meanwhile clients are told to come back', async () => {
  const whole = begin();
  const url = await whole.ready();
  const ask = async (): Promise<Response> => fetch(url);
  const first = await (await ask()).text();
  whole.signal('gateway', 'SIGKILL');
  const answers: Response[] = [];
  for (let next = first; next === first || !/^\d+$/.test(next); ) {
    const answer = await ask().catch(() => undefined);
    if (answer) answers.push(answer.clone() as Response);
    next = answer ? await answer.text() : '';
  }
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ error: { code: 'unavailable' }, meta: { processingTimeMs: 0 } });
  }
  expect(whole.said).toContain('gateway: it ended unexpectedly (SIGKILL); starting it again');
});

test('after five deaths within a minute the whole stops and says why', async () => {
  const whole = begin({ FAKE_DIES: 'true' });
  expect(await whole.exited).toBe(1);
  expect(whole.said).toMatch(
    /core: it ended unexpectedly \(exit code 3\); not started again, because of 5 deaths within a minute \(core 5\); stopping/,
  );
  expect(await whole.left()).toEqual([]);
});

test('what hangs is ended and started again', async () => {
  // What a busy machine takes for hung, though it is slow, comes back as well.
  const whole = begin({ HANG_MS_MAX: '5000', DEATHS_PER_MINUTE_MAX: '100' });
  await whole.ready();
  const hung = (['core', 'gateway'] as const).map((kind) => ({ kind, pid: whole.processes(kind)[0]?.pid as number }));
  for (const { pid } of hung) process.kill(pid, 'SIGSTOP');
  for (const { kind, pid } of hung) {
    while (!whole.said.includes(`${kind}: runs again`)) await sleep(50);
    expect(whole.said).toContain(`${kind}: it answered nothing for 5 s and was ended; starting it again`);
    expect(whole.processes().map((each) => each.pid)).not.toContain(pid);
  }
});
