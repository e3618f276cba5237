import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkStatus } from '@perennial/schemas/resources/bulk.ts';
import type { Job } from '@perennial/schemas/resources/job.ts';
import { settle } from '../client.ts';
import type { Random } from '../random.ts';
import type { RoundResult, Scenario } from '../scenario.ts';
import type { System } from '../system.ts';
import { WriteLoad } from '../write-load.ts';

/** More than are answered at once: a job. */
const OPERATIONS = 600;
const OPERATIONS_SHORT = 101;
const WAIT_MS_MAX = 120_000;

/** Core is killed while it carries out a bulk request, and another core goes on with the job. Clients write meanwhile. */
export const scenario: Scenario = {
  name: 'core-killed-in-job',
  what: 'core is killed with SIGKILL in the middle of bulk jobs',
  // A process that has said nothing for a second is taken for dead.
  needs: { cores: 2, env: { JOB_LEASE_MS: '1000' } },
  open: async (system, isShort) => ({
    round: (random) => round(system, random, isShort),
  }),
};

async function round(system: System, random: Random, isShort: boolean): Promise<RoundResult> {
  const mark = `Bulk ${randomUUID().slice(0, 8)}`;
  const names = Array.from({ length: isShort ? OPERATIONS_SHORT : OPERATIONS }, (_, index) => `${mark} ${index}`);
  const operations = names.map((name) => ({ action: 'create', data: { name, dob: '1984-03-07' } }));
  const headers = { 'idempotency-key': mark };
  const load = new WriteLoad(system);
  load.start(3, random);
  const asked = settle<{ job: Job }>(system, 'POST', '/v2/patients/bulk', { body: { operations }, headers });
  let kills = 0;
  const strike = async (): Promise<void> => {
    await sleep(random.integer(20, isShort ? 200 : 900) + random.next());
    await random.pick(system.alive('core')).kill();
    kills += 1;
    // The short run has two, and goes on with the other.
    if (!isShort) await system.replace('core');
  };
  // Once while the request itself may be under way, and while the job is.
  if (!isShort) await strike();
  const { answer } = await asked;
  if (answer.status !== 202) throw new Error(`the bulk request was answered ${answer.status}`);
  const { id } = answer.data.job;
  for (let left = isShort ? 1 : random.integer(1, 2); left > 0; left -= 1) await strike();

  await load.end();
  const written = await load.check();
  const violations = [...written.violations];

  const until = Date.now() + WAIT_MS_MAX;
  let job = answer.data.job;
  while (job.finished_at === null && Date.now() < until) {
    await sleep(50);
    job = (await settle<Job>(system, 'GET', `/v2/jobs/${id}`, {})).answer.data;
  }
  const stuck = job.finished_at === null ? 1 : 0;
  if (stuck > 0) violations.push(`a job is stuck at ${job.progress.done} of ${job.progress.total}`);
  else if (job.state !== 'succeeded') violations.push(`a job ended as ${job.state}`);

  const rows = await system.database.patient.findMany({ where: { name: { startsWith: `${mark} ` } } });
  const found = new Map<string, number>();
  for (const { name } of rows) found.set(name, (found.get(name) ?? 0) + 1);
  const missing = names.filter((name) => !found.has(name)).length;
  const doubled = [...found.values()].filter((count) => count > 1).length;
  if (missing > 0) violations.push(`${missing} patients of the job are missing`);
  if (doubled > 0) violations.push(`${doubled} patients of the job are doubled`);

  const { text } = (await settle(system, 'GET', `/v2/jobs/${id}/result`, {})).answer;
  const results = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { index: number; status: BulkStatus; id: string | null });
  const byId = new Map(rows.map((row) => [row.id, row.name]));
  const isInOrder = results.every(
    (result, index) =>
      result.index === index && result.status === 'succeeded' && byId.get(String(result.id)) === names[index],
  );
  if (results.length !== names.length || !isInOrder) violations.push('the results are not those of the operations');

  const ids = rows.map((row) => row.id);
  const [created, completed] = await Promise.all([
    system.database.event.count({ where: { kind: 'patient.created', objectId: { in: ids } } }),
    system.database.event.count({ where: { kind: 'bulk.completed', objectId: id } }),
  ]);
  if (created !== names.length) violations.push(`${created} events tell of ${names.length} patients`);
  if (completed !== 1) violations.push(`${completed} events tell that the job has ended`);
  return {
    counts: {
      'cores killed': kills,
      ...written.counts,
      'in the job': names.length,
      'of it missing': missing,
      'of it doubled': doubled,
      stuck,
    },
    violations,
  };
}
