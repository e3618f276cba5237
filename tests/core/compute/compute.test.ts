import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ComputeThread } from '@perennial/core/compute/compute.ts';
import { threadLimits } from '@perennial/core/compute/limits.ts';
import { TEST_SECRET } from '../../support/secret.ts';

const compute = new ComputeThread({ current: TEST_SECRET });
beforeAll(() => compute.ready());
afterAll(() => compute.close());

const brief = { medications: [{ name: 'warfarin' }] };
/** The longest texts that the contract takes. */
const longest = (text: string): string[] =>
  Array.from({ length: 200 }, () => text.repeat(Math.ceil(2000 / text.length)).slice(0, 2000));

describe('the thread that holds the knowledge', () => {
  test('answers what is short while it works on what is long', async () => {
    const order: string[] = [];
    const long = compute
      .run('diagnostics.analyze', {
        body: { patientData: { symptoms: longest('cough and fever ') } },
        recorded: undefined,
      })
      .then(() => order.push('long'));
    const short = compute.run('medications.resolve', brief).then(() => order.push('short'));
    await Promise.all([long, short]);
    expect(order).toEqual(['short', 'long']);
  });

  test('refuses an answer that would be out of proportion to the question', async () => {
    const asked = { patientData: { symptoms: longest('cough ') } };
    await expect(compute.run('diagnostics.parse', asked)).rejects.toMatchObject({
      code: 'computation_too_large',
      status: 422,
    });
    const tenKilobytes = { patientData: { symptoms: longest('cough for 3 days, sudden, ').slice(0, 5) } };
    const outcome = await compute.run('diagnostics.parse', tenKilobytes).then(
      (parsed) => JSON.stringify(parsed).length,
      (error: { code: string }) => error.code,
    );
    expect(outcome).toBe('computation_too_large');
  });

  test('goes on when a question could not be answered', async () => {
    await expect(compute.run('diagnostics.parse', { patientData: { symptoms: [' '] } })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    const resolved = await compute.run('medications.resolve', brief);
    expect(resolved.value()).toMatchObject({ medications: [{}] });
  });

  test('works on a stage only when it is asked for, and on none when nobody asks any more', async () => {
    const stages = compute.iterate('diagnostics.stages', {
      body: { patientData: { symptoms: ['cough', 'fever', 'chest pain'] } },
      recorded: undefined,
    });
    expect((await stages.next()).value).toMatchObject({ kind: 'started', texts: 3 });
    expect((await stages.next()).value).toMatchObject({ kind: 'finding' });
    await stages.return();
    expect((await stages.next()).done).toBe(true);
  });
});

describe('a thread that fails', () => {
  const entry = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const asleep = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => { for (;;); });
    parentPort.postMessage({ kind: 'ready' });`;

  test('that shows no sign of life is ended, what was asked of it is 503, and another takes its place', async () => {
    const stuck = new ComputeThread({ current: TEST_SECRET }, { ...threadLimits, silenceMsMax: 1 }, entry(asleep));
    try {
      for (let time = 0; time < 2; time += 1)
        await expect(stuck.run('medications.resolve', brief)).rejects.toMatchObject({
          code: 'computation_timeout',
          status: 503,
        });
    } finally {
      await stuck.close();
    }
  });

  test('of its own accord is answered 503, and the start says why', async () => {
    const broken = new ComputeThread({ current: TEST_SECRET }, threadLimits, entry('throw new Error("no knowledge");'));
    await expect(broken.ready()).rejects.toThrow('no knowledge');
    await expect(broken.run('medications.resolve', brief)).rejects.toMatchObject({ code: 'unavailable' });
    await broken.close();
  });

  test('takes no more questions than may wait', async () => {
    const full = new ComputeThread({ current: TEST_SECRET }, { ...threadLimits, waitingMax: 1 }, entry(asleep));
    const first = full.run('medications.resolve', brief);
    await expect(full.run('medications.resolve', brief)).rejects.toMatchObject({
      code: 'unavailable',
      headers: { 'retry-after': '1' },
    });
    const ended = expect(first).rejects.toMatchObject({ code: 'unavailable' });
    await full.close();
    await ended;
  });
});
