/**
 * `npm run bench:releases`: what many releases cost a start and in memory, and what they cost an exchange. A contract of
 * 300 operations on 60 resources; every release renames a member of one of them. Start is `createTranslator` and the routes
 * as the gateway makes them; each figure is of a process of its own, because code that is warm would flatter the second.
 */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { createRoutes } from '@perennial/gateway/routing.ts';
import { type Contract, head as shipped } from '@perennial/schemas/contract.ts';
import type { History } from '@perennial/schemas/history.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { ReleaseChanges } from '@perennial/translators/engine/change.ts';
import { rename } from '@perennial/translators/engine/describe.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';

const RESOURCES = 60;
const MEMBERS = 15;
const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    // What a process of its own measures.
    one: { type: 'string' },
  },
});

function dayAt(release: number): string {
  return new Date(Date.UTC(2000, 0, 1) + release * 7 * 86_400_000).toISOString().slice(0, 10);
}

/** The resource of a release, and how often it was renamed before. */
function renameOf(release: number): { readonly resource: number; readonly times: number } {
  return { resource: release % RESOURCES, times: Math.floor(release / RESOURCES) };
}

function contractAfter(releases: number): Contract {
  const resources = new Map(
    ['Page', 'ErrorBody', 'ErrorDetail'].map((name) => [name, shipped.resources.get(name) as JsonSchema]),
  );
  const operations: Operation[] = [];
  for (let index = 0; index < RESOURCES; index++) {
    const renames = Array.from({ length: releases }, (_, release) => renameOf(release)).filter(
      ({ resource }) => resource === index,
    ).length;
    const properties: Record<string, JsonSchema> = {
      id: { type: 'string', readOnly: true },
      [`first_${renames}`]: { type: 'string' },
    };
    for (let member = 0; member < MEMBERS; member++) properties[`member_${member}`] = { type: ['string', 'null'] };
    // Every resource refers to the next, so that a change is met in places where nobody looked for it.
    if (index + 1 < RESOURCES && index % 4 !== 3) properties['next'] = { $ref: `Thing${index + 1}` };
    resources.set(`Thing${index}`, {
      $id: `Thing${index}`,
      type: 'object',
      properties,
      required: ['id', `first_${renames}`],
    });
    operations.push(...operationsOf(index));
  }
  return { resources, operations };
}

function operationsOf(index: number): readonly Operation[] {
  const name = `Thing${index}`;
  const shared = { category: 'things', summary: 'Things.', scope: 'patients:read', errors: [] } as const;
  const id = {
    name: 'id',
    in: 'path',
    description: 'Which.',
    schema: { type: 'string' },
    required: true,
  } as const;
  const one = `/things${index}/{id}`;
  const answers = (ref: string): Operation['response'] => ({ status: 200, description: 'Things.', ref });
  const update = { read: `${name}.get`, patch: `${name}.patch` };
  return [
    {
      ...shared,
      id: `${name}.list`,
      method: 'GET',
      path: `/things${index}`,
      parameters: [],
      response: answers(`${name}.page`),
    },
    {
      ...shared,
      id: `${name}.create`,
      method: 'POST',
      path: `/things${index}`,
      parameters: [],
      body: { ref: `${name}.create`, mediaType: 'application/json' },
      response: answers(name),
    },
    { ...shared, id: `${name}.get`, method: 'GET', path: one, parameters: [id], response: answers(name) },
    {
      ...shared,
      id: `${name}.patch`,
      method: 'PATCH',
      path: one,
      parameters: [id],
      body: { ref: `${name}.patch`, mediaType: 'application/merge-patch+json' },
      response: answers(name),
      update: { ...update, mode: 'patch' },
    },
    {
      ...shared,
      id: `${name}.replace`,
      method: 'PUT',
      path: one,
      parameters: [id],
      body: { ref: `${name}.replace`, mediaType: 'application/json' },
      response: answers(name),
      update: { ...update, mode: 'replace' },
    },
  ];
}

function releasesOf(count: number): { readonly history: History; readonly releases: readonly ReleaseChanges[] } {
  const releases = Array.from({ length: count }, (_, release): ReleaseChanges => {
    const { resource, times } = renameOf(release);
    return {
      id: dayAt(release + 1),
      changes: [
        {
          id: `rename-first-${release}`,
          sentence: 'A member has another name.',
          resources: [{ resource: `Thing${resource}`, edits: [rename(`first_${times}`, `first_${times + 1}`)] }],
        },
      ],
    };
  });
  const history: History = {
    today: 'system',
    releases: Array.from({ length: count + 1 }, (_, release) => ({
      id: dayAt(release),
      semver: `1.${release}.0`,
      released: dayAt(release),
    })),
  };
  return { history, releases };
}

interface Measured {
  readonly startMs: number;
  /** Heap that is held after the start, and after every operation was asked for at every release. */
  readonly startMb: number;
  readonly allMb: number;
  readonly allMs: number;
}

function heapMb(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

function measure(count: number): Measured {
  const head = contractAfter(count);
  const { history, releases } = releasesOf(count);
  const before = heapMb();
  const started = performance.now();
  const translator: Translator = createTranslator(head, history, releases, { compile: 'asked' });
  const routes = createRoutes(translator);
  const startMs = performance.now() - started;
  const startMb = heapMb() - before;
  const asked = performance.now();
  for (const { id } of history.releases)
    for (const { method, path } of translator.contract(id).operations) {
      const found = routes.find(id, method, path.replace('{id}', 'x'));
      if (found.kind !== 'operation' || !translator.plan(id, found.operation.id)) throw new Error(`${id} ${path}`);
    }
  const allMs = performance.now() - asked;
  const allMb = heapMb() - before;
  // Held until here, or there would be nothing left to measure.
  if (routes.roots.size === 0 || translator.headRelease === '') throw new Error('nothing was made');
  return { startMs, startMb, allMb, allMs };
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] as number;
}

if (options.one !== undefined) console.log(JSON.stringify(measure(Number(options.one))));
else {
  const rounds = Number(options.rounds);
  const rows = [1, 10, 50, 51].map((releases) => {
    const each = Array.from({ length: rounds }, () => {
      const args = ['--expose-gc', import.meta.filename, '--one', String(releases)];
      return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Measured;
    });
    const of = (name: keyof Measured): number => median(each.map((measured) => measured[name]));
    return { releases, startMs: of('startMs'), startMb: of('startMb'), allMb: of('allMb'), allMs: of('allMs') };
  });
  const row = (releases: number): (typeof rows)[number] =>
    rows.find((each) => each.releases === releases) as (typeof rows)[number];
  const goals = [
    { goal: 'a release more at the start, ms: at most 20', value: (row(50).startMs - row(1).startMs) / 49 },
    { goal: 'all plans of 300 operations x 50 releases, MB: below 200', value: row(50).allMb },
    { goal: 'the start of it, MB', value: row(50).startMb },
  ];
  const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} processors, Node ${process.version}`;
  if (options.json) console.log(JSON.stringify({ machine, rows, goals }));
  else {
    console.log(`${machine}; medians of ${rounds} processes each; 300 operations, 60 resources`);
    console.log('releases  start ms  start MB  all plans ms  all plans MB');
    for (const { releases, startMs, startMb, allMs, allMb } of rows)
      console.log([releases, startMs, startMb, allMs, allMb].map((value) => value.toFixed(0).padStart(8)).join('  '));
    for (const { goal, value } of goals) console.log(`${goal}: ${value.toFixed(1)}`);
  }
}
