/**
 * `npm run bench:stream`: a 200 MB NDJSON body through every release of the history, and how much resident memory it
 * takes beyond what the process had before.
 */
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import { NdjsonTransform } from '@perennial/translators/engine/stream.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';

const MEGABYTE = 1_048_576;
const TOTAL_BYTES = 200 * MEGABYTE;
const CHUNK_BYTES = 65_536;
const translator = createTranslator(head, history, releases);
const oldest = translator.catalogue.releases[0]?.id as string;
const plan = translator.plan(oldest, 'patients.get') as Plan;

const line = Buffer.from(
  `${JSON.stringify({
    id: 'pat_00000000000000000001',
    name: 'Amara Okafor-Núñez',
    dob: '1961-03-07',
    sex: 'female',
    gender_identity: 'woman',
    contact_info: { email: 'amara@example.org', phone: '+44 20 7946 0958', preferred_method: 'sms' },
    created_at: '2022-05-03T10:09:20.709Z',
    updated_at: '2022-05-03T10:09:20.709Z',
  })}\n`,
);
const block = Buffer.concat(Array.from({ length: Math.ceil(CHUNK_BYTES / line.length) }, () => line));

async function pass(totalBytes: number): Promise<{ peakBytes: number; seconds: number; outBytes: number }> {
  let sent = 0;
  let outBytes = 0;
  let peakBytes = 0;
  const source = new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      sent += block.length;
      // A chunk of its own each time, as a socket gives it.
      this.push(sent > totalBytes ? null : Buffer.from(block));
    },
  });
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      outBytes += chunk.length;
      peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
      setImmediate(done);
    },
  });
  const start = performance.now();
  const transform = new NdjsonTransform({
    translate: (element) => plan.response(element, undefined),
    errorElement: () => ({}),
    elementBytesMax: MEGABYTE,
  });
  await pipeline(source, transform, sink);
  return { peakBytes, seconds: (performance.now() - start) / 1000, outBytes };
}

await pass(2 * MEGABYTE);
const before = process.memoryUsage.rss();
const { peakBytes, seconds, outBytes } = await pass(TOTAL_BYTES);
const extra = (peakBytes - before) / MEGABYTE;
console.log(
  `200 MB of NDJSON from head to v${oldest} (${translator.catalogue.steps.length} changes) in ${seconds.toFixed(1)} s, ` +
    `${(outBytes / MEGABYTE).toFixed(0)} MB out`,
);
console.log(`extra resident memory at the peak: ${extra.toFixed(0)} MB (goal: under 64 MB)`);
