import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '@perennial/prisma/accounts.ts';
import { createDatabase } from '@perennial/prisma/client.ts';
import { migrate } from '@perennial/prisma/migrate.ts';
import { startDatabase } from '@perennial/prisma/server.ts';
import { generatePopulation } from '../bench/population.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { type Input, inputOf, type Seed } from './inputs.ts';

/** How long others waited while one input was worked on. */
export interface Delay {
  readonly title: string;
  readonly sentBytes: number;
  readonly answeredBytes: number;
  readonly statuses: readonly number[];
  /** The longest time that the input itself took. */
  readonly ownMs: number;
  readonly longestMs: number;
  readonly p99Ms: number;
}

const VERSIONS = ['/v2', '/v2022-11-15'];
const QUIET_MS = 2_000;
/** Between two questions of the bystander. */
const PAUSE_MS = 3;

interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
  readonly text: string;
}

/** Starts database, core and gateway, and measures a bystander's GET of a patient beside every input, and beside none. */
export async function measureDelays(
  seeds: readonly Seed[],
  { rounds, parallel, patients }: { readonly rounds: number; readonly parallel: number; readonly patients: number },
): Promise<Delay[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'perennial-load-'));
  const server = await startDatabase({ dataDir, durable: false });
  const processes: ServiceProcess[] = [];
  try {
    await migrate(server.url);
    const database = createDatabase(server.url, { poolMax: 2 });
    const [attacker, bystander] = [await createAccount(database), await createAccount(database)];
    await database.$disconnect();
    // What is asked of many patients is asked of an account that has them.
    if (patients > 0) await generatePopulation(server.url, attacker.accountId, patients);
    const env = { DATABASE_URL: server.url, DATA_DIR: dataDir, INTERNAL_SECRET: TEST_SECRET };
    processes.push(await startServiceProcess('core/main.ts', env));
    processes.push(await startServiceProcess('gateway/main.ts', { ...env, CORE_URL: processes[0]?.url as string }));
    const url = processes[1]?.url as string;
    const patient = await send(url, bystander.apiKey, {
      method: 'POST',
      path: '/v2/patients',
      body: JSON.stringify({ name: 'Ada', dob: '1990-01-01', sex: 'female' }),
    });
    if (patient.status !== 201) throw new Error(patient.text);
    const { id } = (JSON.parse(patient.text) as { data: { id: string } }).data;
    const look: Input = { method: 'GET', path: `/v2/patients/${id}` };
    const beside = async (work: () => Promise<readonly Answer[]>, title: string, sentBytes: number): Promise<Delay> => {
      const waits: number[] = [];
      let isOver = false;
      const watching = (async () => {
        while (!isOver) {
          const { status, ms } = await send(url, bystander.apiKey, look);
          if (status !== 200) throw new Error(`the bystander was answered ${status}`);
          waits.push(ms);
          await sleep(PAUSE_MS);
        }
      })();
      await sleep(50);
      const answers = await work();
      isOver = true;
      await watching;
      waits.sort((a, b) => a - b);
      return {
        title,
        sentBytes,
        answeredBytes: Math.max(0, ...answers.map(({ bytes }) => bytes)),
        statuses: [...new Set(answers.map(({ status }) => status))].sort(),
        ownMs: Math.max(0, ...answers.map(({ ms }) => ms)),
        longestMs: waits.at(-1) as number,
        p99Ms: waits[Math.floor(waits.length * 0.99)] as number,
      };
    };
    const quiet = async (): Promise<readonly Answer[]> => {
      await sleep(QUIET_MS);
      return [];
    };
    await beside(quiet, 'warm-up', 0);
    const delays = [await beside(quiet, '(nothing)', 0)];
    for (const seed of seeds) {
      const input = inputOf(seed);
      const attack = async (): Promise<readonly Answer[]> => {
        const answers: Answer[] = [];
        for (let round = 0; round < rounds; round += 1)
          for (const version of VERSIONS) {
            const ids: string[] = [];
            for (const each of input.first ?? []) {
              const made = await send(url, attacker.apiKey, { ...each, path: `${version}${each.path}` });
              if (made.status !== 201) throw new Error(`${seed.operation}: what it needs was answered ${made.text}`);
              ids.push((JSON.parse(made.text) as { data: { id: string } }).data.id);
            }
            const named = (text: string): string => text.replaceAll(/\{(\d)\}/g, (_, at) => ids[Number(at)] as string);
            const body = typeof input.body === 'string' && ids.length > 0 ? named(input.body) : input.body;
            const sent = { ...input, path: `${version}${named(input.path)}`, ...(body === undefined ? {} : { body }) };
            answers.push(
              ...(await Promise.all(Array.from({ length: parallel }, () => send(url, attacker.apiKey, sent)))),
            );
          }
        return answers;
      };
      delays.push(
        await beside(attack, `${seed.operation}: ${seed.about}`, Buffer.byteLength(input.body ?? input.path)),
      );
    }
    return delays;
  } finally {
    for (const each of processes.reverse()) await each.stop();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

function send(
  url: string,
  apiKey: string,
  { method, path, body, mediaType = 'application/json' }: Input,
): Promise<Answer> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'content-type': mediaType, 'content-length': Buffer.byteLength(body) }),
    };
    const sending = request(new URL(url + path), { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const ms = performance.now() - began;
        resolve({
          status: response.statusCode as number,
          bytes: bytes.length,
          ms,
          text: bytes.subarray(0, 20_000).toString(),
        });
      });
    });
    sending.on('error', reject);
    sending.end(body);
  });
}
