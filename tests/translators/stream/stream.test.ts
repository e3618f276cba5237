import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { TranslationFailed } from '@perennial/translators/engine/failures.ts';
import {
  EventStreamTransform,
  leftOut,
  NdjsonTransform,
  type StreamFailure,
  type StreamOptions,
} from '@perennial/translators/engine/stream.ts';
import fc from 'fast-check';

const upper = (element: unknown): unknown => ({ seen: element });
const options = (overrides: Partial<StreamOptions> = {}): StreamOptions => ({
  translate: upper,
  errorElement: (failure) => ({ code: failure.reason, change: failure.change }),
  elementBytesMax: 1000,
  ...overrides,
});

/** The chunks of a text, cut at arbitrary bytes: characters are cut as well. */
const cut = (whole: string, sizes: readonly number[]): Buffer[] => {
  const bytes = Buffer.from(whole, 'utf8');
  const chunks: Buffer[] = [];
  let start = 0;
  for (let index = 0; start < bytes.length; index++) {
    const size = sizes[index % sizes.length] as number;
    chunks.push(bytes.subarray(start, start + size));
    start += size;
  }
  return chunks;
};

describe('NDJSON', () => {
  it('translates every line, wherever the chunks are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ unit: 'grapheme', maxLength: 8 })), {
          maxLength: 8,
        }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (elements, sizes, lastFeed) => {
          const source = elements.map((each) => JSON.stringify(each)).join('\n') + (lastFeed ? '\n' : '');
          const out = await text(
            Readable.from(cut(source, sizes)).pipe(new NdjsonTransform(options({ elementBytesMax: 10_000 }))),
          );
          const read = out.split('\n').filter((line) => line !== '');
          expect(read.map((line) => JSON.parse(line) as unknown)).toEqual(
            elements.map((each) => JSON.parse(JSON.stringify({ seen: each })) as unknown),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('ends with one error element, whole, when an element cannot be translated', async () => {
    const failures: StreamFailure[] = [];
    const transform = new NdjsonTransform(
      options({
        translate: (element) => {
          if (element === 2) throw new TranslationFailed('2023-04-30/rename-x', new Error('secret'));
          return element;
        },
      }),
    ).on('failure', (failure: StreamFailure) => failures.push(failure));
    const out = await text(Readable.from([Buffer.from('1\n2\n3\n')]).pipe(transform));
    expect(out).toBe('1\n{"error":{"code":"translation","change":"2023-04-30/rename-x"}}\n');
    expect(failures).toHaveLength(1);
  });

  it('ends with an error element for a line that is not JSON and for one that is too long', async () => {
    const notJson = await text(
      Readable.from([Buffer.from('{"a":1}\n{broken\n{"a":2}\n')]).pipe(new NdjsonTransform(options())),
    );
    expect(notJson).toBe('{"seen":{"a":1}}\n{"error":{"code":"not-json"}}\n');
    const long = await text(
      Readable.from(cut(`"${'x'.repeat(5000)}"\n1\n`, [100])).pipe(new NdjsonTransform(options())),
    );
    expect(long).toBe('{"error":{"code":"too-large"}}\n');
  });

  it('asks its source for no more than its reader takes', async () => {
    let produced = 0;
    const source = new Readable({
      read() {
        produced++;
        this.push(produced > 10_000 ? null : `{"n":${produced},"pad":"${'x'.repeat(500)}"}\n`);
      },
    });
    const transform = source.pipe(new NdjsonTransform(options()));
    await new Promise((resolve) => transform.once('readable', resolve));
    await new Promise((resolve) => setImmediate(resolve));
    // Nobody reads: what the buffers hold is all that was asked for.
    expect(produced).toBeLessThan(1_000);
    source.destroy();
    transform.destroy();
  });
});

describe('server-sent events', () => {
  const through = (
    source: string,
    sizes: readonly number[] = [7],
    overrides: Partial<StreamOptions> = {},
  ): Promise<string> => text(Readable.from(cut(source, sizes)).pipe(new EventStreamTransform(options(overrides))));

  it('translates data and passes ids, retry times and heartbeats on', async () => {
    const source = ': heartbeat\n\nid: 7\nevent: ranking\ndata: {"a":\ndata: "é"}\n\nretry: 3000\n\ndata: 1\n\n';
    expect(await through(source)).toBe(
      ': heartbeat\nid: 7\nevent: ranking\ndata: {"seen":{"a":"é"}}\n\nretry: 3000\n\ndata: {"seen":1}\n\n',
    );
  });

  it('reads all three line ends of the standard but a bare carriage return', async () => {
    expect(await through('event: x\r\ndata: 1\r\n\r\n', [1])).toBe('event: x\ndata: {"seen":1}\n\n');
  });

  it('leaves an event out that the version does not have, and still moves Last-Event-ID on', async () => {
    const translate = (element: unknown, event: string | undefined): unknown => (event === 'new' ? leftOut : element);
    expect(await through('id: 1\nevent: new\ndata: 1\n\nid: 2\nevent: old\ndata: 2\n\n', [5], { translate })).toBe(
      'id: 1\n\nid: 2\nevent: old\ndata: 2\n\n',
    );
  });

  it('ends with an error event, and drops an event that was cut off', async () => {
    const translate = (): unknown => {
      throw new TranslationFailed('r/c', undefined);
    };
    expect(await through('data: 1\n\ndata: 2\n\n', [64], { translate })).toBe(
      'event: error\ndata: {"code":"translation","change":"r/c"}\n\n',
    );
    expect(await through('data: 1\n\ndata: 2\n')).toBe('data: {"seen":1}\n\n');
  });
});
