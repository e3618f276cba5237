import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JobKind, JobRun } from '@perennial/core/platform/jobs/kinds.ts';
import { OPEN_JOBS_MAX } from '@perennial/core/platform/jobs/service.ts';
import { asSystem } from '@perennial/prisma/scope.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { Job } from '@perennial/schemas/resources/job.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import { startCore, type TestCore } from '../../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../../support/database.ts';

const LEASE_MS = 600;
const caller: Caller = { accountId: 'acc_test', keyId: 'key_test', scopes: ['patients:write'] };

let database: TestDatabase;
let core: TestCore;

/** What the kinds of this file have done, by job. */
const parts: string[] = [];
/** Lets a job of the kind `waits` go on. */
let gate = Promise.withResolvers<void>();

/** Counts to its total, one part a transaction, from where an earlier run has come. */
const counts: JobKind = {
  name: 'test.counts',
  run: async (run) => {
    const { total } = run.input as { total: number };
    for (let part = run.job.done; part < total; part += 1) {
      await run.transaction(async () => ({ done: 1 }));
      parts.push(`${run.job.id} ${part}`);
    }
    return { kind: 'patient', counted: total };
  },
};

const waits: JobKind = {
  name: 'test.waits',
  run: async (run: JobRun) => {
    await run.transaction(async () => ({ done: 1, total: 2 }));
    await gate.promise;
    await run.transaction(async () => ({ done: 1 }));
  },
};

const refuses: JobKind = {
  name: 'test.refuses',
  run: async () => {
    throw new Fault('validation_failed', { message: 'There is nothing to work on.' });
  },
};

const throws: JobKind = {
  name: 'test.throws',
  run: async () => {
    throw new Error('not for clients');
  },
};

function register(target: TestCore): TestCore {
  for (const kind of [counts, waits, refuses, throws]) target.services.jobs.kinds.register(kind);
  return target;
}

beforeAll(async () => {
  database = await freshDatabase();
  core = register(await startCore(database.url, { jobLeaseMs: LEASE_MS, jobConcurrency: 4 }));
});

afterAll(async () => {
  gate.resolve();
  await core.stop();
  await database.close();
});

async function create(kind: string, input: object = {}, by: Partial<Caller> = {}): Promise<string> {
  const { jobs } = core.services;
  const job = await core.database.$transaction((transaction) =>
    jobs.create(transaction, { ...caller, ...by }, { kind, category: 'patients', requestId: 'req_test', input }),
  );
  jobs.wake();
  return job.id;
}

async function until(id: string, fits: (job: Job) => boolean, on: TestCore = core): Promise<Job> {
  for (;;) {
    const { data } = await on.call<Job>('GET', `/jobs/${id}`);
    if (fits(data)) return data;
    await sleep(20);
  }
}

const hasEnded = ({ state }: Job): boolean => state !== 'queued' && state !== 'running';

describe('a job', () => {
  test('runs to its end, tells how far it has come, and its result can be read', async () => {
    const id = await create('test.counts', { total: 3 });
    const job = await until(id, hasEnded);
    expect(job).toMatchObject({
      id,
      kind: 'test.counts',
      state: 'succeeded',
      progress: { done: 3, total: null },
      error: null,
      links: { self: `/jobs/${id}`, result: `/jobs/${id}/result`, cancel: null },
    });
    const keptMs = Date.parse(String(job.expires_at)) - Date.parse(String(job.finished_at));
    expect(keptMs).toBeLessThanOrEqual(30 * 86_400_000);
    const result = await core.call('GET', `/jobs/${id}/result`);
    expect(result.headers['content-type']).toContain('application/x-ndjson');
    expect(result.text).toBe('{"kind":"patient","counted":3}\n');
    expect(parts.filter((each) => each.startsWith(id))).toEqual([`${id} 0`, `${id} 1`, `${id} 2`]);
  });

  test('that is refused fails with the error of the registry; one that throws is tried again, and given up', async () => {
    const refused = await until(await create('test.refuses'), hasEnded);
    expect(refused).toMatchObject({
      state: 'failed',
      error: { code: 'validation_failed', message: 'There is nothing to work on.' },
    });
    const thrown = await create('test.throws');
    await until(thrown, ({ started_at, state }) => started_at !== null && state === 'queued');
    await core.database.job.update({ where: { id: thrown }, data: { stalls: 6, leasedUntil: null } });
    const job = await until(thrown, hasEnded);
    expect(job).toMatchObject({ state: 'failed', error: { code: 'internal_error' } });
    expect(JSON.stringify(job)).not.toContain('not for clients');
  });

  test('exists only if the transaction that creates it is committed', async () => {
    let id = '';
    const { jobs } = core.services;
    const failing = core.database.$transaction(async (transaction) => {
      const job = { kind: 'test.counts', category: 'patients', requestId: 'req_test', input: { total: 1 } } as const;
      ({ id } = await jobs.create(transaction, caller, job));
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect((await core.call('GET', `/jobs/${id}`)).status).toBe(404);
    const queued = await core.database.$queryRaw<unknown[]>`
      SELECT 1 FROM pgboss.job WHERE data->>'jobId' = ${id}`;
    expect(queued).toEqual([]);
  });

  test('has no result while it runs', async () => {
    gate = Promise.withResolvers();
    const id = await create('test.waits');
    await until(id, ({ progress }) => progress.done === 1);
    const early = await core.call('GET', `/jobs/${id}/result`);
    expect([early.status, early.error.code]).toEqual([409, 'job_unfinished']);
    gate.resolve();
    expect(await until(id, hasEnded)).toMatchObject({ state: 'succeeded', progress: { done: 2, total: 2 } });
    expect((await core.call('GET', `/jobs/${id}/result`)).text).toBe('');
  });

  test('that is cancelled does nothing more from the answer on', async () => {
    gate = Promise.withResolvers();
    const id = await create('test.waits');
    await until(id, ({ progress }) => progress.done === 1);
    const cancelled = await core.call<Job>('POST', `/jobs/${id}/cancel`);
    expect([cancelled.status, cancelled.data.state]).toEqual([200, 'cancelled']);
    gate.resolve();
    await sleep(2 * LEASE_MS);
    const { data } = await core.call<Job>('GET', `/jobs/${id}`);
    expect(data).toMatchObject({ state: 'cancelled', progress: { done: 1, total: 2 } });
    expect((await core.call('POST', `/jobs/${id}/cancel`)).status).toBe(200);
    const ended = await create('test.counts', { total: 0 });
    await until(ended, hasEnded);
    const late = await core.call('POST', `/jobs/${ended}/cancel`);
    expect([late.status, late.error.code]).toEqual([409, 'job_ended']);
  });
});

describe('who sees a job', () => {
  test('its account alone, with a key that may read its category', async () => {
    const id = await create('test.counts', { total: 0 });
    await until(id, hasEnded);
    for (const path of [`/jobs/${id}`, `/jobs/${id}/result`]) {
      expect((await core.call('GET', path, { caller: { scopes: ['patients:read'] } })).status).toBe(200);
      expect((await core.call('GET', path, { caller: { scopes: ['imaging:read'] } })).status).toBe(404);
      const other = await core.call('GET', path, { caller: { accountId: 'acc_other' } });
      expect([other.status, other.error]).toEqual([404, (await core.call('GET', '/jobs/job_missing00')).error]);
    }
    const cancel = await core.call('POST', `/jobs/${id}/cancel`, { caller: { scopes: ['patients:read'] } });
    expect([cancel.status, cancel.error.code]).toEqual([403, 'scope_missing']);
  });

  test('a list holds the jobs of the account that the key may see, by state and kind', async () => {
    const by: Partial<Caller> = { accountId: 'acc_list' };
    const ids = [await create('test.counts', { total: 0 }, by), await create('test.refuses', {}, by)];
    const on = { caller: { ...by, scopes: ['patients:read'] } };
    const list = async (query: string): Promise<string[]> =>
      (await core.call<Page<Job>>('GET', `/jobs${query}`, on)).data.items.map(({ id }) => id);
    while ((await list('?state=failed')).length === 0 || (await list('?state=succeeded')).length === 0) await sleep(20);
    expect(await list('')).toEqual(ids.toReversed());
    expect(await list('?kind=test.refuses')).toEqual([ids[1]]);
    const unseen = { caller: { ...by, scopes: ['diagnostics:read'] } };
    expect((await core.call<Page<Job>>('GET', '/jobs', unseen)).data.items).toEqual([]);
    const first = await core.call<Page<Job>>('GET', '/jobs?limit=1', on);
    expect(await list(`?limit=1&cursor=${first.data.next_cursor}`)).toEqual([ids[0]]);
  });

  test('an account can have only so many that have not ended', async () => {
    const row = { keyId: 'key', requestId: 'req', category: 'patients', state: 'queued', headRelease: '2023-10-15' };
    await core.database.job.createMany({
      data: Array.from({ length: OPEN_JOBS_MAX }, (_, index) => ({
        ...row,
        id: `job_full${String(index).padStart(8, '0')}`,
        accountId: 'acc_full',
        kind: 'test.unknown',
      })),
    });
    await expect(create('test.counts', { total: 0 }, { accountId: 'acc_full' })).rejects.toMatchObject({
      code: 'limit_reached',
    });
  });
});

describe('a process', () => {
  test('that loses a job to another writes nothing more for it', async () => {
    gate = Promise.withResolvers();
    const id = await create('test.waits');
    await until(id, ({ progress }) => progress.done === 1);
    // What another process does when it takes the job for abandoned.
    await core.database.job.update({ where: { id }, data: { attempt: { increment: 1 } } });
    gate.resolve();
    await sleep(2 * LEASE_MS);
    const { progress } = await until(id, () => true);
    expect(progress.done).toBe(1);
  });

  test('that stops gives its jobs back, and the next goes on where they are', async () => {
    const own = await freshDatabase();
    const first = register(await startCore(own.url, { jobLeaseMs: 60_000 }));
    gate = Promise.withResolvers();
    const job = await first.database.$transaction((transaction) =>
      first.services.jobs.create(transaction, caller, { kind: 'test.waits', category: 'patients', requestId: 'req' }),
    );
    await until(job.id, ({ progress }) => progress.done === 1, first);
    const stopping = first.stop();
    await sleep(50);
    gate.resolve();
    await stopping;
    const second = register(await startCore(own.url, { jobLeaseMs: 60_000 }));
    try {
      expect(await until(job.id, hasEnded, second)).toMatchObject({ state: 'succeeded', progress: { done: 3 } });
    } finally {
      await second.stop();
      await own.close();
    }
  });
});

describe('results', () => {
  test('are erased when their time is over, and the job says so; later the job goes as well', async () => {
    const id = await create('test.counts', { total: 1 });
    await until(id, hasEnded);
    await core.database.job.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1_000) } });
    expect(await asSystem('jobs', () => core.services.jobs.sweep())).toBe(1);
    const { data } = await core.call<Job>('GET', `/jobs/${id}`);
    expect([data.state, data.links.result]).toEqual(['expired', null]);
    const result = await core.call('GET', `/jobs/${id}/result`);
    expect([result.status, result.error.code]).toEqual([404, 'result_expired']);
    expect(await core.database.job.findUnique({ where: { id } })).toMatchObject({ result: null, input: null });
    const longAgo = new Date(Date.now() - 24 * 86_400_000);
    await core.database.job.update({ where: { id }, data: { expiresAt: longAgo } });
    await asSystem('jobs', () => core.services.jobs.sweep());
    expect((await core.call('GET', `/jobs/${id}`)).status).toBe(404);
  });

  test('go with the patient they are about', async () => {
    const now = new Date();
    const patient = {
      id: 'pat_erased00' as const,
      accountId: 'acc_test',
      name: 'A',
      dob: now,
      createdAt: now,
      updatedAt: now,
    };
    await core.database.patient.create({ data: patient });
    const { jobs } = core.services;
    const { id } = await core.database.$transaction((transaction) =>
      jobs.create(transaction, caller, {
        kind: 'test.counts',
        category: 'patients',
        requestId: 'req_test',
        patientId: patient.id,
        input: { total: 1 },
      }),
    );
    await until(id, hasEnded);
    await core.database.patient.delete({ where: { id: patient.id } });
    expect((await core.call('GET', `/jobs/${id}`)).status).toBe(404);
  });
});
