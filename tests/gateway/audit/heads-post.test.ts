import { afterEach, expect, test } from '@jest/globals';
import { createHeadsPost } from '@perennial/gateway/audit/heads-post.ts';
import { createLogger } from '@perennial/schemas/platform/logger.ts';
import nock from 'nock';

const logger = createLogger('silent', 'test');
const limits = { retryMs: 1, waitingMax: 10 };
const URL = 'https://evidence.example/heads';

afterEach(() => nock.cleanAll());

/** Answers each call with what `statusOf` says, and keeps what it takes, in the order in which it comes. */
function receiver(statusOf: (call: number) => number): { readonly taken: number[]; readonly asked: () => number } {
  const taken: number[] = [];
  let calls = 0;
  let line = 0;
  nock('https://evidence.example')
    .persist()
    .post('/heads', ({ number }: { number: number }) => {
      line = number;
      return true;
    })
    .reply(() => {
      const status = statusOf(calls);
      calls += 1;
      if (status < 300) taken.push(line);
      return [status];
    });
  return { taken, asked: () => calls };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('lines arrive in their order, each until it is taken, whatever the place says first', async () => {
  const { taken, asked } = receiver((call) => [503, 500, 204, 302, 429][call] ?? 204);
  const post = createHeadsPost(URL, logger, limits);
  for (const number of [1, 2, 3]) post.add(JSON.stringify({ number }));
  await until(() => taken.length === 3);
  await post.stop();
  expect(taken).toEqual([1, 2, 3]);
  expect(asked()).toBe(7);
});

test('a place that is away for long costs a bounded number of lines and no more; the newest are kept', async () => {
  let away = true;
  const { taken } = receiver(() => (away ? 503 : 200));
  const post = createHeadsPost(URL, logger, limits);
  for (let number = 1; number <= 25; number += 1) post.add(JSON.stringify({ number }));
  away = false;
  await until(() => taken.at(-1) === 25);
  await post.stop();
  // The first was on its way already.
  expect(taken.filter((number) => number > 1)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
});

test('stopping does not wait for a place that is away', async () => {
  receiver(() => 503);
  const post = createHeadsPost(URL, logger, { ...limits, retryMs: 60_000 });
  post.add('{"number":1}');
  await post.stop();
});
