import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '@perennial/prisma/migrate.ts';
import { startDatabase } from '@perennial/prisma/server.ts';
import { startCore } from '../support/core.ts';
import { generatePopulation } from './population.ts';

/*
 * `npm run bench:analytics`: how long each answer takes on an account of many patients, over a socket, beside another
 * account of the same kind in the same tables.
 *
 *   --patients 100000
 *   --rounds 5         each answer is asked for so often, after one that is not counted; medians are shown
 *   --database URL     a database to use, instead of one that is made and removed; filled unless it has been before
 */

const { values: options } = parseArgs({
  options: {
    patients: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    database: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(options.rounds);

const ANSWER_GOAL_MS = 2_000;
const PAGE_GOAL_MS = 50;
const ACCOUNT = 'acc_test';

interface Ask {
  readonly title: string;
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly goalMs: number;
}

const dataDir = await mkdtemp(join(tmpdir(), 'perennial-bench-'));
const server = options.database === undefined ? await startDatabase({ dataDir, durable: false }) : undefined;
const url = server?.url ?? (options.database as string);
try {
  await migrate(url);
  const began = performance.now();
  const made = await generatePopulation(url, ACCOUNT, Number(options.patients));
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(
    `${made.patients} patients with ${made.records} records made in ${seconds} s; ${cpus().length} processors`,
  );
  await measure();
} finally {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const core = await startCore(url);
  try {
    const save = async (name: string, criteria: readonly object[]): Promise<string> => {
      const reply = await core.call<{ id: string }>('POST', '/analytics/cohorts', { body: { name, criteria } });
      if (reply.status !== 201) throw new Error(reply.text);
      return reply.data.id;
    };
    const diabetes = { kind: 'record', type: 'condition', code: 'E11', present: true };
    const women = { kind: 'patient', field: 'sex', test: 'is', value: 'female' };
    const simple = await save('Women with diabetes', [women, diabetes]);
    const rich = await save('Ten criteria', [
      { kind: 'any_of', criteria: [diabetes, ...['E10', 'I10', 'N18'].map((code) => ({ ...diabetes, code }))] },
      { ...diabetes, code: 'C79', present: false },
      { ...diabetes, type: 'medication', code: 'C10', from: '2015-01' },
      { kind: 'measurement', code: '29463-7', test: 'at_least', value: 70, unit: 'kg' },
      { kind: 'patient', field: 'contact_info.email', test: 'recorded' },
      { kind: 'patient', field: 'dob', test: 'before', value: '1990-01-01' },
      { ...women, test: 'is_not', value: 'other' },
    ]);
    const range = 'from=2014-01&until=2023-10';
    const asks: readonly Ask[] = [
      { title: 'population, 20 conditions', path: '/analytics/population', goalMs: ANSWER_GOAL_MS },
      { title: 'population of a cohort', path: `/analytics/population?cohort_id=${simple}`, goalMs: ANSWER_GOAL_MS },
      { title: 'population, ten criteria', path: `/analytics/population?cohort_id=${rich}`, goalMs: ANSWER_GOAL_MS },
      { title: 'prevalence, 118 months', path: `/analytics/prevalence?code=E11&${range}`, goalMs: ANSWER_GOAL_MS },
      { title: 'incidence, 118 months', path: `/analytics/incidence?code=I10&${range}`, goalMs: ANSWER_GOAL_MS },
      { title: 'risk stratification', path: '/analytics/risk-stratification', goalMs: ANSWER_GOAL_MS },
      { title: 'risk of a cohort', path: `/analytics/risk-stratification?cohort_id=${simple}`, goalMs: ANSWER_GOAL_MS },
      ...[
        'diabetes_hba1c_tested',
        'diabetes_hba1c_poor_control',
        'hypertension_controlled',
        'coronary_disease_statin',
      ].map((id) => ({ title: id, path: `/analytics/quality-measures/${id}?month=2023-10`, goalMs: ANSWER_GOAL_MS })),
      { title: 'trend of HbA1c', path: `/analytics/observation-trend?code=4548-4&${range}`, goalMs: ANSWER_GOAL_MS },
      { title: 'trend of weight', path: `/analytics/observation-trend?code=29463-7&${range}`, goalMs: ANSWER_GOAL_MS },
      { title: 'trend of systolic', path: `/analytics/observation-trend?code=8480-6&${range}`, goalMs: ANSWER_GOAL_MS },
      {
        title: 'comparison of two cohorts',
        method: 'POST',
        path: '/analytics/cohorts/compare',
        body: { cohort_ids: [simple, rich] },
        goalMs: ANSWER_GOAL_MS,
      },
      { title: 'page of cohorts', path: '/analytics/cohorts', goalMs: PAGE_GOAL_MS },
      { title: 'page of patients', path: '/patients?limit=100', goalMs: PAGE_GOAL_MS },
      { title: 'page of patients by name', path: '/patients?limit=100&sort=-name', goalMs: PAGE_GOAL_MS },
      { title: 'patients named "kowal 77"', path: '/patients?name=kowal%2077', goalMs: PAGE_GOAL_MS },
      { title: 'search for "sore erik"', path: '/patients/search?query=sore%20erik', goalMs: PAGE_GOAL_MS },
      { title: 'records of a patient', path: '/patients/pat_bench00000000077/records', goalMs: PAGE_GOAL_MS },
      { title: 'page of records by code', path: '/records?limit=100&code.code=4548-4', goalMs: PAGE_GOAL_MS },
    ];
    let missed = 0;
    for (const ask of asks.filter(({ title }) => title.includes(options.only))) {
      const times: number[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        const from = performance.now();
        const reply = await core.call(ask.method ?? 'GET', ask.path, ask.body === undefined ? {} : { body: ask.body });
        if (reply.status !== 200) throw new Error(`${ask.title}: ${reply.text}`);
        if (round > 0) times.push(performance.now() - from);
      }
      times.sort((a, b) => a - b);
      const median = times[Math.floor(times.length / 2)] ?? 0;
      if (median > ask.goalMs) missed += 1;
      const figures = `${median.toFixed(0).padStart(6)} ms   ${(times.at(-1) ?? 0).toFixed(0).padStart(6)} ms`;
      console.log(`${ask.title.padEnd(32)} ${figures}   ${median > ask.goalMs ? 'misses' : 'meets'} ${ask.goalMs} ms`);
    }
    console.log(missed === 0 ? 'every goal is met' : `${missed} goals are missed`);
    process.exitCode = missed === 0 ? 0 : 1;
  } finally {
    await core.stop();
  }
}
