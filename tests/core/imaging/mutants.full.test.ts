import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loginsOf, type SeededDatabase, seededDatabase } from '../../support/database.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { hostileFiles, mutant, originals, pictures, relatedBody } from '../../support/mutants.ts';
import { seeded } from '../../support/random.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';

/*
 * A thousand damaged files through the whole service. Core runs in a process of its own, so that the system says how
 * much memory it takes at most; SEED draws other files.
 */

const MUTANTS = 1_000;
const EXTRA_MIB_MAX = 300;
const HANG_MS = 60_000;
const seed = Number(process.env['SEED'] ?? 18);

let database: SeededDatabase;
let core: ServiceProcess;
let gateway: TestGateway;

beforeAll(async () => {
  database = await seededDatabase();
  core = await startServiceProcess('core/main.ts', {
    DATABASE_URL: loginsOf(database.url).coreUrl,
    INTERNAL_SECRET: TEST_SECRET,
  });
  gateway = await startTestGateway(core.url, database.url, {
    // One client sends what many would, and most of it is refused.
    config: { serviceDate: '2023-11-01', ratePerMinute: 1_000_000, refusalsPerMinute: 1_000_000 },
  });
}, 120_000);
afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

async function send(method: string, path: string, body?: Buffer, type = 'application/octet-stream'): Promise<Response> {
  const answer = await fetch(`${gateway.url}/v2023-10-15${path}`, {
    method,
    headers: { authorization: `Bearer ${database.demo.apiKey}`, 'content-type': type },
    ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    signal: AbortSignal.timeout(HANG_MS),
  });
  if (answer.status === 429) throw new Error('the limits of the gateway answer in place of the service');
  return answer;
}

/** Uploads a file, and looks at it in every way there is; gives the status of every answer. */
async function statusesOf(file: Buffer): Promise<readonly number[]> {
  const stored = await send('POST', '/imaging/studies', file);
  const statuses = [stored.status];
  const { data } = (await stored.json()) as { data?: { id: string; study_instance_uid: string | null } };
  if (stored.status >= 300 || !data) return statuses;
  const look = async (method: string, path: string, body?: Buffer, type?: string): Promise<Response> => {
    const answer = await send(method, path, body, type);
    statuses.push(answer.status);
    return answer;
  };
  const clean = await look('POST', `/imaging/studies/${data.id}/deidentify?clean_pixels=true&dates=shift`);
  const copy = clean.status < 300 ? ((await clean.json()) as { data: { id: string } }).data.id : undefined;
  await (await look('GET', `/imaging/studies/${data.id}/preview`)).arrayBuffer();
  await (await look('POST', `/imaging/studies/${data.id}/analyze`, Buffer.from('{}'), 'application/json')).text();
  if (data.study_instance_uid !== null)
    await (await look('GET', `/dicomweb/studies/${data.study_instance_uid}/metadata`)).text();
  for (const id of [data.id, ...(copy === undefined ? [] : [copy])]) await look('DELETE', `/imaging/studies/${id}`);
  return statuses;
}

/** The same over DICOMweb. What was stored is deleted: another file of that name would be refused for it. */
async function statusesOfParts(body: Buffer): Promise<readonly number[]> {
  const type = 'multipart/related; type="application/dicom"; boundary=b';
  const stored = await send('POST', '/dicomweb/studies', body, type);
  await stored.text();
  const { data } = (await (await send('GET', '/imaging/studies?limit=100')).json()) as {
    data: { items: readonly { id: string }[] };
  };
  for (const { id } of data.items) await (await send('DELETE', `/imaging/studies/${id}`)).text();
  return [stored.status];
}

/** The most memory that the process has had since it was last forgotten, MiB. */
function peakMiB(): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${core.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function forgetPeak(): void {
  writeFileSync(`/proc/${core.pid}/clear_refs`, '5');
}

test(`no damaged file of ${MUTANTS} (seed ${seed}) ends in a fault of ours, hangs, or costs more memory than it may`, async () => {
  const { next } = seeded(seed);
  const files = [...originals(), ...(await pictures())];
  // Whole files first: models and codecs are loaded with them, and what they cost is no file's.
  for (const file of files) expect((await statusesOf(file)).filter((status) => status >= 500)).toEqual([]);
  forgetPeak();
  const before = peakMiB();
  const failed: object[] = [];
  const count = new Map<string, number>();
  const hostile = hostileFiles();
  for (let run = 0; run < MUTANTS + hostile.length; run += 1) {
    const original = files[run % files.length] as Buffer;
    const isPart = run < MUTANTS && run % 5 === 4;
    const damaged =
      run < MUTANTS ? mutant(isPart ? relatedBody(original) : original, next) : (hostile[run - MUTANTS] as Buffer);
    const statuses = await (isPart ? statusesOfParts(damaged) : statusesOf(damaged));
    if (statuses.some((status) => status >= 500)) failed.push({ run, statuses });
    const kind = (statuses[0] as number) < 300 ? 'shown' : `refused ${statuses[0]}`;
    count.set(kind, (count.get(kind) ?? 0) + 1);
  }
  expect(failed).toEqual([]);
  expect(core.isAlive()).toBe(true);
  const extra = peakMiB() - before;
  process.stdout.write(
    `mutants: ${JSON.stringify(Object.fromEntries(count))}, ${extra.toFixed(0)} MiB above ${before.toFixed(0)}\n`,
  );
  expect(extra).toBeLessThan(EXTRA_MIB_MAX);
  expect(count.get('shown')).toBeGreaterThan(MUTANTS / 10);
  expect(count.size).toBeGreaterThan(2);
}, 1_800_000);
