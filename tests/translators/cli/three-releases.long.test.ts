import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { history } from '@perennial/schemas/history.ts';
import { newestFirst } from '@perennial/schemas/lifecycle.ts';
import { repository } from './support.ts';

/*
 * Three releases in a row in a copy of the whole repository, as an engineer ships them: new, edit, check, tests, lock,
 * prove, promote. Every suite that a release can touch is green after each step.
 */
const SUITES = [
  'tests/translators/contract/(lock|ledger|pages)',
  'tests/translators/releases',
  'tests/translators/stored-documents',
  'tests/translators/cli/readme',
  'tests/schemas/lifecycle',
  'tests/gateway/version',
  'tests/mutations',
  'tests/readme',
];
/** What takes longer, once all three are shipped; \`prove\` runs the golden exchanges of each release before. */
const LONGER = [
  'tests/golden',
  'tests/e2e/preview',
  'tests/e2e/20',
  'tests/gateway/answers',
  'tests/translators/faults',
];
const BIOME = 'node_modules/@biomejs/biome/bin/biome';
/** Bodies for each property: enough to meet each member, as the properties run with many elsewhere. */
const PROPERTY_RUNS = '40';
/** A step takes a minute; a machine that is busy otherwise takes its time. */
const STEP_MS = 1_800_000;

interface Edit {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

interface Shipped {
  readonly name: string;
  readonly schema: readonly Edit[];
  readonly change: { readonly id: string; readonly text: string; readonly example: string };
}

const changeText = (id: string, imports: string, sentence: string, body: string): string =>
  `import { change } from '../../engine/change.ts';
import { ${imports} } from '../../engine/describe.ts';

export const ${camel(id)} = change({
  id: '${id}',
  sentence: '${sentence}',
  ${body},
});
`;

const plans: readonly Shipped[] = [
  {
    name: 'a renamed field',
    schema: [
      {
        path: 'schemas/resources/record.ts',
        from: "    code: Type.Unsafe<string | null>({\n      type: ['string', 'null'],\n      description: 'The LOINC code whose",
        to: "    loinc_code: Type.Unsafe<string | null>({\n      type: ['string', 'null'],\n      description: 'The LOINC code whose",
      },
      { path: 'core/records/routes.ts', from: '    code,\n  };\n}', to: '    loinc_code: code,\n  };\n}' },
    ],
    change: {
      id: 'rename-code-of-conversions',
      text: changeText(
        'rename-code-of-conversions',
        'rename',
        '`code` of a conversion is called `loinc_code`.',
        "resources: [{ resource: 'UnitConversion', edits: [rename('code', 'loinc_code')] }]",
      ),
      example:
        "{ resource: 'UnitConversion', older: { code: '2345-7' }, newer: { loinc_code: '2345-7' }, ways: 'down' }",
    },
  },
  {
    name: 'a moved path',
    schema: [{ path: 'schemas/operations/records.ts', from: "'/units/convert'", to: "'/units/conversions'" }],
    change: {
      id: 'move-unit-conversions',
      text: changeText(
        'move-unit-conversions',
        'movedPath',
        'Units are converted at `/units/conversions`, a noun like every other path.',
        "operations: [movedPath('units.convert', '/units/convert')]",
      ),
      example:
        "{ operation: 'units.convert', older: 'GET /units/convert?from=g', newer: 'GET /units/conversions?from=g' }",
    },
  },
  {
    name: 'another field renamed, on top of the others',
    schema: [
      {
        path: 'schemas/resources/record.ts',
        from: '    from: ref(Quantity),\n    to: ref(',
        to: '    given: ref(Quantity),\n    to: ref(',
      },
      {
        path: 'core/records/routes.ts',
        from: '    from: { value, unit: from },',
        to: '    given: { value, unit: from },',
      },
    ],
    change: {
      id: 'rename-given-quantity',
      text: changeText(
        'rename-given-quantity',
        'rename',
        '`from` of a conversion is called `given`, because `from` is a word of the query.',
        "resources: [{ resource: 'UnitConversion', edits: [rename('from', 'given')] }]",
      ),
      example:
        "{ resource: 'UnitConversion', older: { from: { value: 1, unit: 'g' } }, newer: { given: { value: 1, unit: 'g' } }, ways: 'down' }",
    },
  },
];

/** Days after everything that is shipped. */
const [newest] = newestFirst(history);
const dates = plans.map((_, index) => `${Number(newest?.id.slice(0, 4)) + 1 + index}-06-01`);

let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'perennial-three-releases-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const path of listed.split('\0').filter((each) => each !== '')) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await cp(join(repository, path), join(copy, path)).catch((error: NodeJS.ErrnoException) => {
      // Deleted, and not yet so in the index.
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await cp(join(repository, 'prisma/generated'), join(copy, 'prisma/generated'), { recursive: true });
  await mkdir(join(copy, 'node_modules/@perennial'), { recursive: true });
  for (const name of await readdir(join(repository, 'node_modules')))
    if (name !== '@perennial') await symlink(join(repository, 'node_modules', name), join(copy, 'node_modules', name));
  for (const name of await readdir(join(repository, 'node_modules/@perennial'))) {
    await symlink(join(copy, name), join(copy, 'node_modules/@perennial', name));
    if ((await readdir(join(repository, name))).includes('node_modules'))
      await symlink(join(repository, name, 'node_modules'), join(copy, name, 'node_modules'));
  }
});

afterAll(() => rm(copy, { recursive: true, force: true }));

function node(...args: readonly string[]): { readonly status: number | null; readonly text: string } {
  const { PROVEN_RELEASE: _, JEST_WORKER_ID: __, ...inherited } = process.env;
  const env = { ...inherited, PROPERTY_RUNS };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    env,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  return { status, text: `${stdout}${stderr}` };
}

const release = (...args: readonly string[]) => node('translators/cli/main.ts', ...args);

function expectGreen(suites: readonly string[] = SUITES): void {
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const { status, text } = node(...jest, '--silent', ...suites);
  const failed = text.split('\n').filter((line) => /^\s+●|^FAIL/.test(line));
  expect([status, failed]).toEqual([0, []]);
}

function expectDone(outcome: { readonly status: number | null; readonly text: string }): void {
  expect(outcome).toEqual({ status: 0, text: expect.any(String) });
}

async function edit({ path, from, to }: Edit): Promise<void> {
  const text = await readFile(join(copy, path), 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${path} does not contain ${from} once`);
  await writeFile(join(copy, path), text.replace(from, to));
}

describe.each(plans.map((plan, index) => ({ ...plan, date: dates[index] as string })))(
  'release $date, $name',
  ({ date, schema, change }) => {
    it(
      'is green right after it is begun',
      () => {
        expectDone(release('new', date, '--minor'));
        expectDone(release('check'));
        expectGreen();
      },
      STEP_MS,
    );

    it(
      'is described, checked and locked, and green then',
      async () => {
        for (const each of schema) await edit(each);
        const forgotten = release('check');
        expect(forgotten.status).toBe(1);
        expect(forgotten.text).toContain('is released: describe ');
        await writeFile(join(copy, 'translators/releases', date, `${change.id}.ts`), change.text);
        const index = join(copy, 'translators/releases', date, 'index.ts');
        const text = (await readFile(index, 'utf8')).replace('changes: []', `changes: [${camel(change.id)}]`);
        await writeFile(index, `import { ${camel(change.id)} } from './${change.id}.ts';\n${text}`);
        const examples = join(copy, 'translators/releases', date, 'examples.ts');
        const pairs = (await readFile(examples, 'utf8')).replace('= {}', `= { '${change.id}': [${change.example}] }`);
        await writeFile(examples, pairs);
        expectDone(node(BIOME, 'format', '--write', join('translators', 'releases', date)));
        expectDone(release('lock'));
        expectDone(release('check'));
        expectDone(node('tests/golden/main.ts', 'record', date));
        expectGreen();
      },
      STEP_MS,
    );

    it(
      'is promoted once it is proven, and green then',
      () => {
        expect(release('promote', date).text).toContain(`has not been proven; npm run release -- prove ${date}`);
        expectDone(release('prove', date));
        expectDone(release('promote', date));
        expectDone(release('check'));
        expectGreen();
      },
      STEP_MS,
    );
  },
);

it('leaves every version answering as it always has', () => expectGreen(LONGER), STEP_MS);

it(
  'leaves a tree that lint and types accept',
  () => {
    expectDone(node(BIOME, 'check', 'translators', 'schemas', 'tests/translators'));
    expectDone(node('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'));
  },
  STEP_MS,
);

function camel(id: string): string {
  return id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
