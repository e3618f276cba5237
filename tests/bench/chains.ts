/**
 * `npm run bench:chains`: what a chain of releases costs. A resource of twenty members; every release renames one of
 * them; the oldest version is served. All figures are ratios to JSON.parse plus JSON.stringify of the same body, taken
 * side by side in one run.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Contract } from '@perennial/schemas/contract.ts';
import { head as shipped } from '@perennial/schemas/contract.ts';
import type { History } from '@perennial/schemas/history.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { ReleaseChanges } from '@perennial/translators/engine/change.ts';
import { rename } from '@perennial/translators/engine/describe.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import { NdjsonTransform } from '@perennial/translators/engine/stream.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';

const MEMBERS = 20;
const { values: options } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: '15' } },
});

/** The name of member `index` after `release` releases: each release renames the next member in turn. */
function nameAt(index: number, release: number): string {
  const renames = release <= index ? 0 : Math.floor((release - 1 - index) / MEMBERS) + 1;
  return `member_${index}_name_${renames}`;
}

function dayAt(release: number): string {
  return new Date(Date.UTC(2000, 0, 1) + release * 7 * 86_400_000).toISOString().slice(0, 10);
}

function chainOf(count: number, ref = 'Thing.page'): Plan {
  const properties: Record<string, JsonSchema> = { id: { type: 'string' } };
  for (let index = 0; index < MEMBERS; index++) properties[nameAt(index, count)] = { type: ['string', 'null'] };
  const head: Contract = {
    resources: new Map([
      ['Page', shipped.resources.get('Page') as JsonSchema],
      ['ErrorBody', shipped.resources.get('ErrorBody') as JsonSchema],
      ['ErrorDetail', shipped.resources.get('ErrorDetail') as JsonSchema],
      ['Thing', { $id: 'Thing', type: 'object', properties, required: Object.keys(properties) }],
    ]),
    operations: [
      {
        id: 'things.list',
        method: 'GET',
        path: '/things',
        category: 'things',
        summary: 'List things',
        scope: 'patients:read',
        parameters: [],
        response: { status: 200, description: 'A page.', ref },
        errors: [],
      },
    ],
  };
  const releases: ReleaseChanges[] = Array.from({ length: count }, (_, release) => {
    const index = release % MEMBERS;
    const id = dayAt(release + 1);
    return {
      id,
      changes: [
        {
          id: `rename-member-${release}`,
          sentence: 'A member has another name.',
          resources: [{ resource: 'Thing', edits: [rename(nameAt(index, release), nameAt(index, release + 1))] }],
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
  return createTranslator(head, history, releases).plan(dayAt(0), 'things.list') as Plan;
}

function pageOf(items: number, release: number): string {
  return JSON.stringify({
    items: Array.from({ length: items }, (_, item) => {
      const thing: Record<string, string | null> = { id: `thing_${item}` };
      for (let index = 0; index < MEMBERS; index++)
        thing[nameAt(index, release)] = index % 5 === 0 ? null : `value ${item} of member ${index}`;
      return thing;
    }),
    next_cursor: null,
    has_more: false,
  });
}

/** The same things, one a line. */
function linesOf(items: number, release: number): string {
  const { items: things } = JSON.parse(pageOf(items, release)) as { items: unknown[] };
  return things.map((thing) => `${JSON.stringify(thing)}\n`).join('');
}

function timeOf(work: () => unknown, repeats: number): number {
  const start = process.hrtime.bigint();
  for (let index = 0; index < repeats; index++) work();
  return Number(process.hrtime.bigint() - start) / repeats;
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] as number;
}

const rows: { releases: number; items: number; ratio: number; translationShare: number }[] = [];
const rounds = Number(options.rounds);
for (const items of [1, 1000]) {
  const repeats = items === 1 ? 5_000 : 10;
  const subjects = [1, 10, 50, 200].map((releases) => ({
    releases,
    plan: chainOf(releases),
    text: pageOf(items, releases),
  }));
  const plain = (text: string) => (): unknown => JSON.stringify(JSON.parse(text));
  const translated = (plan: Plan, text: string) => (): unknown =>
    JSON.stringify(plan.response(JSON.parse(text), undefined));
  for (const { plan, text } of subjects) {
    timeOf(plain(text), repeats);
    timeOf(translated(plan, text), repeats);
  }
  const ratios = subjects.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, { plan, text }] of subjects.entries()) {
      const alone = timeOf(plain(text), repeats);
      ratios[index]?.push(timeOf(translated(plan, text), repeats) / alone);
    }
  for (const [index, { releases }] of subjects.entries()) {
    const ratio = median(ratios[index] as number[]);
    rows.push({ releases, items, ratio, translationShare: ratio - 1 });
  }
}

/** Lines through the transform that the gateway puts into a stream. */
async function streamed(plan: Plan, chunk: Buffer): Promise<number> {
  const start = process.hrtime.bigint();
  const transform = new NdjsonTransform({
    elementBytesMax: 1_000_000,
    translate: (element) => plan.response(element, undefined),
    errorElement: (failure) => ({ reason: failure.reason }),
  });
  transform.end(chunk);
  for await (const part of transform) if (part === null) break;
  return Number(process.hrtime.bigint() - start);
}

const streams: { readonly releases: number; readonly nanoseconds: number }[] = [];
{
  const subjects = [1, 200].map((releases) => ({
    releases,
    plan: chainOf(releases, 'Thing'),
    chunk: Buffer.from(linesOf(2_000, releases)),
    times: [] as number[],
  }));
  for (let round = 0; round < rounds + 3; round++)
    for (const subject of subjects) {
      const time = await streamed(subject.plan, subject.chunk);
      if (round >= 3) subject.times.push(time);
    }
  for (const { releases, times } of subjects) streams.push({ releases, nanoseconds: median(times) });
}

const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} processors, Node ${process.version}`;
const ratioOf = (releases: number, items: number): number =>
  rows.find((row) => row.releases === releases && row.items === items)?.ratio ?? Number.NaN;
const goals = [1, 1000].map((items) => ({
  goal: `200 releases against 1, ${items} item(s): at most 1.2`,
  value: ratioOf(200, items) / ratioOf(1, items),
}));
const [one, many] = streams.map(({ nanoseconds }) => nanoseconds) as [number, number];
goals.push({ goal: '200 releases against 1, a stream of 2000 lines: at most 1.2', value: many / one });
goals.push({ goal: '50 releases x 1000 items against the untranslated pass: at most 2', value: ratioOf(50, 1000) });

if (options.json) console.log(JSON.stringify({ machine, rows, goals }));
else {
  console.log(`${machine}; medians of ${rounds} rounds`);
  console.log('releases  items  against parse + stringify');
  for (const { releases, items, ratio } of rows)
    console.log(`${String(releases).padStart(8)}  ${String(items).padStart(5)}  ${ratio.toFixed(2)}`);
  for (const { goal, value } of goals) console.log(`${goal}: ${value.toFixed(2)}`);
}
