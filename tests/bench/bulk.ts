/**
 * `npm run bench:bulk`: 10,000 patients in one request through a gateway and a core of their own, at the version that
 * is translated and at head: how long until it is taken, done and read back, and how much resident memory both processes
 * take beyond what they had before. `BULK_COUNT` is another number of patients.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '@perennial/prisma/accounts.ts';
import { createDatabase } from '@perennial/prisma/client.ts';
import { migrate } from '@perennial/prisma/migrate.ts';
import { startDatabase } from '@perennial/prisma/server.ts';
import type { Job } from '@perennial/schemas/resources/job.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const COUNT = Number(process.env['BULK_COUNT'] || 10_000);
const WARM_UP = 500;
const VERSIONS = ['v2023-04-30', 'v2023-10-15'];
const MEGABYTE = 1_048_576;

/** The highest resident memory of a process since this was made, beyond what it had then. Linux alone says it. */
class PeakMemory {
  readonly name: string;
  readonly #pid: number;
  readonly #before: number;

  constructor(name: string, pid: number) {
    this.name = name;
    this.#pid = pid;
    try {
      // Begins the peak anew; see proc_pid_clear_refs(5).
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
    } catch {
      // Elsewhere nothing can be read either.
    }
    this.#before = this.#read('VmRSS');
  }

  describe(): string {
    const peak = this.#read('VmHWM');
    const show = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(0)} MB`;
    if (Number.isNaN(peak)) return 'resident memory is not told by this system';
    return `${show(peak - this.#before)} beyond ${show(this.#before)} at the peak`;
  }

  #read(field: string): number {
    try {
      const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
      return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
    } catch {
      return Number.NaN;
    }
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'perennial-bulk-'));
const server = await startDatabase({ dataDir });
const processes: ServiceProcess[] = [];
try {
  await migrate(server.url);
  const database = createDatabase(server.url, { poolMax: 2 });
  const { apiKey } = await createAccount(database);
  await database.$disconnect();
  const env = { DATABASE_URL: server.url, DATA_DIR: dataDir, INTERNAL_SECRET: TEST_SECRET };
  const core = await startServiceProcess('core/main.ts', env);
  processes.push(core);
  const gateway = await startServiceProcess('gateway/main.ts', { ...env, CORE_URL: core.url });
  processes.push(gateway);
  const call = (method: string, path: string, lines?: Readable): Promise<IncomingMessage> =>
    send(`${gateway.url}${path}`, method, apiKey, lines);

  for (const version of VERSIONS) {
    await pass(call, version, WARM_UP);
    const memory = [new PeakMemory('gateway', gateway.pid), new PeakMemory('core', core.pid)];
    const { bytes, takenMs, doneMs, readMs, succeeded } = await pass(call, version, COUNT);
    say(`${version}: ${succeeded} of ${COUNT} patients (${(bytes / MEGABYTE).toFixed(1)} MB of NDJSON) created`);
    say(`  taken in ${seconds(takenMs)}, done in ${seconds(doneMs)} (${Math.round((COUNT / doneMs) * 1000)} a second)`);
    say(`  result read in ${seconds(readMs)}`);
    for (const each of memory) say(`  ${each.name}: ${each.describe()}`);
  }
} finally {
  for (const each of processes.reverse()) await each.stop();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

interface Pass {
  readonly bytes: number;
  readonly takenMs: number;
  readonly doneMs: number;
  readonly readMs: number;
  readonly succeeded: number;
}

async function pass(
  call: (method: string, path: string, lines?: Readable) => Promise<IncomingMessage>,
  version: string,
  count: number,
): Promise<Pass> {
  let bytes = 0;
  const lines = function* (): Generator<string> {
    for (let index = 0; index < count; index += 1) {
      const line = `${JSON.stringify({ action: 'create', data: patient(index) })}\n`;
      bytes += Buffer.byteLength(line);
      yield line;
    }
  };
  const start = performance.now();
  const taken = await call('POST', `/${version}/patients/bulk`, Readable.from(lines()));
  const { job } = (await json<{ job: Job }>(taken, 202)) ?? {};
  const takenMs = performance.now() - start;
  const path = `/${version}/jobs/${job?.id}`;
  for (;;) {
    const { state } = await json<Job>(await call('GET', path), 200);
    if (state === 'succeeded') break;
    if (state !== 'queued' && state !== 'running') throw new Error(`the job is ${state}`);
    await sleep(100);
  }
  const doneMs = performance.now() - start;
  let succeeded = 0;
  let rest = '';
  const answer = await call('GET', `${path}/result`);
  await pipeline(answer.setEncoding('utf8'), async (source: AsyncIterable<string>) => {
    for await (const chunk of source) {
      const whole = `${rest}${chunk}`.split('\n');
      rest = whole.pop() ?? '';
      succeeded += whole.filter((line) => (JSON.parse(line) as { status: string }).status === 'succeeded').length;
    }
  });
  return { bytes, takenMs, doneMs, readMs: performance.now() - start - doneMs, succeeded };
}

function patient(index: number): object {
  return {
    name: `Amara Okafor-Núñez ${index}`,
    dob: '1961-03-07',
    sex: 'female',
    gender_identity: 'woman',
    contact_info: { email: `amara.${index}@example.org`, phone: '+44 20 7946 0958', preferred_method: 'sms' },
  };
}

async function json<T>(answer: IncomingMessage, status: number): Promise<T> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
  if (answer.statusCode !== status) throw new Error(`answered ${answer.statusCode}, not ${status}`);
  return (JSON.parse(text) as { data: T }).data;
}

function send(url: string, method: string, key: string, lines?: Readable): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, ...(lines ? { 'content-type': 'application/x-ndjson' } : {}) };
    const request = httpRequest(url, { method, headers }, resolve).on('error', reject);
    if (lines) lines.pipe(request);
    else request.end();
  });
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
