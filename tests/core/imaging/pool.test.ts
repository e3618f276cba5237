import { afterAll, describe, expect, test } from '@jest/globals';
import { ImagePool } from '@perennial/core/imaging/worker/pool.ts';

const entry = new URL('../../support/stubborn-worker.mjs', import.meta.url);
const limits = { workersMax: 1, waitingMax: 2, timeoutMs: 3_000, heapMiBMax: 48, idleMs: 10_000 };
const pool = new ImagePool(limits, entry);

afterAll(async () => {
  await pool.close();
});

const [ANSWER, HANG, GROW, END, FAULT] = [9, 1, 2, 3, 4];

function run(byte: number, on: ImagePool = pool): Promise<unknown> {
  return on.run('inspect', async () => Uint8Array.of(byte), {});
}

describe('a worker', () => {
  test.each([
    ['goes on for ever', HANG, { kind: 'too_large' }],
    ['takes all memory', GROW, { kind: 'too_large' }],
    ['ends', END, { name: 'WorkerFailed' }],
    ['finds the file damaged', FAULT, { kind: 'unreadable', message: 'damaged' }],
  ])('that %s is told of, and the next task is done', async (_what, byte, failure) => {
    await expect(run(byte)).rejects.toMatchObject(failure);
    await expect(run(ANSWER)).resolves.toEqual({ width: 9 });
  });

  test('does one task after another; those that would wait too long are refused at once', async () => {
    const gate = Promise.withResolvers<Uint8Array>();
    const read: number[] = [];
    const first = pool.run('inspect', () => gate.promise, {});
    const waiting = [1, 2].map((at) =>
      pool.run(
        'inspect',
        async () => {
          read.push(at);
          return Uint8Array.of(ANSWER + at);
        },
        {},
      ),
    );
    await expect(run(ANSWER)).rejects.toMatchObject({ code: 'unavailable' });
    // What waits has read nothing yet.
    expect(read).toEqual([]);
    gate.resolve(Uint8Array.of(ANSWER));
    expect(await Promise.all([first, ...waiting])).toEqual([{ width: 9 }, { width: 10 }, { width: 11 }]);
  });

  test('whose bytes cannot be read leaves its place to the next', async () => {
    await expect(pool.run('inspect', () => Promise.reject(new Error('gone')), {})).rejects.toThrow('gone');
    await expect(run(ANSWER)).resolves.toEqual({ width: 9 });
  });

  test('takes nothing more once it is closed', async () => {
    const other = new ImagePool(limits, entry);
    await run(ANSWER, other);
    await other.close();
    await expect(run(ANSWER, other)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
