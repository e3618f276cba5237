import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@perennial/schemas/resources/job.ts';
import { settle } from '../client.ts';
import type { Random } from '../random.ts';
import type { RoundResult, Scenario } from '../scenario.ts';
import type { System } from '../system.ts';

const LEASE_MS = 1_000;

/** Cores are killed while a bulk request arrives, is kept and is carried out. */
export const scenario: Scenario = {
  name: 'core-killed-in-bulk-job',
  what: 'core is killed with SIGKILL in the middle of a bulk job',
  needs: { cores: 2, env: { JOB_LEASE_MS: String(LEASE_MS) } },
  // The short run has one core to lose, and loses it in `core-killed-in-job.ts`.
  isLong: true,
  open: async (system, isShort) => ({
    round: (random) => round(system, random, isShort ? 150 : 600, isShort ? 1 : random.integer(2, 4)),
  }),
};

async function round(system: System, random: Random, count: number, strikes: number): Promise<RoundResult> {
  const mark = `Bulk ${randomUUID().slice(0, 8)}`;
  const names = Array.from({ length: count }, (_, index) => `${mark} ${index}`);
  const version = random.pick(['v2023-10-15', 'v2023-04-30']);
  const striking = strike(system, random, strikes);
  const { answer, tries } = await settle<{ job: Job }>(system, 'POST', `/${version}/patients/bulk`, {
    body: names.map((name) => `${JSON.stringify({ action: 'create', data: { name, dob: '1984-03-07' } })}\n`).join(''),
    headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': mark },
  });
  if (answer.status !== 202)
    throw new Error(`a bulk request was answered ${answer.status} ${answer.error?.code ?? ''}`);
  const { id } = answer.data.job;
  const job = await ended(system, `/${version}/jobs/${id}`);
  const kills = await striking;
  const result = await settle(system, 'GET', `/${version}/jobs/${id}/result`, {});
  const lines = result.answer.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { index: number; status: string; id: string; data: { name: string } });
  const { runs, ...found } = await look(system, mark, id);

  const violations: string[] = [];
  const expect = (what: string, is: number, should: number): void => {
    if (is !== should) violations.push(`${what}: ${is}, not ${should}`);
  };
  if (job.state !== 'succeeded') violations.push(`the job is ${job.state}`);
  expect('operations that the job says are done', job.progress.done, count);
  expect('results', lines.length, count);
  const right = lines.filter(
    ({ index, status, data }, at) => index === at && status === 'succeeded' && data.name === names[at],
  );
  expect('results that are right, and in their place', right.length, count);
  expect('patients of the results', new Set(lines.map((line) => line.id)).size, count);
  expect('patients', found.patients, count);
  expect('names of patients', found.names, count);
  expect('entries of their histories', found.changes, count);
  expect('events of their creation', found.created, count);
  expect('events of the job’s end', found.completed, 1);
  expect('operations whose input is still kept', found.inputs, 0);
  expect('requests that nobody carries out', found.orphans, 0);
  return {
    counts: {
      'cores killed': kills,
      'requests sent again': tries - 1,
      'runs of the job': runs,
      acknowledged: lines.length,
      missing: count - found.names,
      doubled: found.patients - found.names,
    },
    violations,
  };
}

/** Kills one core or all of them, some times, at moments of all kinds. @returns how many. */
async function strike(system: System, random: Random, strikes: number): Promise<number> {
  let kills = 0;
  for (let turn = 0; turn < strikes; turn += 1) {
    await sleep(random.integer(20, 1_500) + random.next());
    const alive = system.alive('core');
    const struck = random.next() < 0.7 ? alive : [random.pick(alive)];
    await Promise.all(struck.map((core) => core.kill()));
    kills += struck.length;
    await system.replace('core', struck.length);
  }
  return kills;
}

async function ended(system: System, path: string): Promise<Job> {
  for (;;) {
    const { answer } = await settle<Job>(system, 'GET', path, {});
    if (answer.data.state !== 'queued' && answer.data.state !== 'running') return answer.data;
    await sleep(50);
  }
}

interface Found {
  readonly patients: number;
  readonly names: number;
  readonly changes: number;
  readonly created: number;
  readonly completed: number;
  readonly inputs: number;
  readonly orphans: number;
  readonly runs: number;
}

/** What the database holds. A request that broke off with its core stays for the sweep, and is not carried out. */
async function look({ database }: System, mark: string, jobId: string): Promise<Found> {
  const [found] = await database.$queryRaw<Found[]>`
    WITH made AS (SELECT id, name FROM core.patients WHERE name LIKE ${`${mark} %`})
    SELECT (SELECT count(*)::int FROM made) AS patients,
      (SELECT count(DISTINCT name)::int FROM made) AS names,
      (SELECT count(*)::int FROM core.patient_changes WHERE patient_id IN (SELECT id FROM made)) AS changes,
      (SELECT count(*)::int FROM core.events
        WHERE kind = 'patient.created' AND object_id IN (SELECT id FROM made)) AS created,
      (SELECT count(*)::int FROM core.events WHERE kind = 'bulk.completed' AND object_id = ${jobId}) AS completed,
      (SELECT count(*)::int FROM core.bulk_items i JOIN core.bulk_requests r ON r.id = i.bulk_id
        WHERE r.job_id = ${jobId} AND i.input IS NOT NULL) AS inputs,
      (SELECT count(*)::int FROM core.jobs WHERE state IN ('queued', 'running')) AS orphans,
      (SELECT attempt FROM core.jobs WHERE id = ${jobId}) AS runs`;
  if (!found) throw new Error('the database says nothing');
  return found;
}
