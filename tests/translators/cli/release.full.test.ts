import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { stateOf, writeProof } from '@perennial/translators/cli/proofs.ts';
import { type Copy, HEAD_FILE, makeCopy } from './support.ts';

/*
 * The path of a release, each step in the same copy of the repository, in the order in which an engineer takes them.
 */

let copy: Copy;

beforeAll(async () => {
  copy = await makeCopy('base');
  const { code, stderr } = await copy.release('lock');
  expect([code, stderr]).toEqual([0, '']);
}, 120_000);

afterAll(() => copy?.remove());

const historyFile = 'schemas/history.ts';
const change = `import { change } from '../../engine/change.ts';
import { rename } from '../../engine/describe.ts';

export const renameDobToBirthDate = change({
  id: 'rename-dob-to-birth-date',
  sentence: '\`dob\` of a patient is called \`birth_date\`, in full.',
  resources: [{ resource: 'Patient', edits: [rename('dob', 'birth_date')] }],
});
`;

/** As `prove` leaves it; the copy has no tests that it could run. */
const prove = (): void =>
  writeProof(copy.root, { release: '2024-04-01', state: stateOf(copy.root), checks: ['a check'], seconds: 1 });

describe('a release', () => {
  it('begins as a preview, with a folder, a test and an entry in the history', async () => {
    const before = await copy.read(historyFile);
    const { code, stdout } = await copy.release(
      'new',
      '2024-04-01',
      '--major',
      '--preview-from',
      '2023-10-20',
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).release).toEqual({ id: '2024-04-01', semver: '3.0.0', previewFrom: '2023-10-20' });
    expect(await copy.read('translators/releases/index.ts')).toContain("from './2024-04-01/index.ts'");
    expect(await copy.read('translators/releases/2024-04-01/index.ts')).toContain("id: '2024-04-01'");
    expect(await copy.read('tests/translators/releases/2024-04-01.test.ts')).toContain('describeRoundTrips(');
    const after = await copy.read(historyFile);
    const line = "    { id: '2024-04-01', semver: '3.0.0', previewFrom: '2023-10-20' },\n";
    expect(after).toContain(line);
    // Everything else, comments too, is as it was.
    expect(after.replace(line, '')).toBe(before);
    expect((await copy.release('check')).code).toBe(0);
  });

  it('is not begun twice, nor before the newest', async () => {
    for (const id of ['2024-04-01', '2024-03-01']) {
      const { code, stderr } = await copy.release('new', id, '--minor');
      expect(code).toBe(1);
      expect(stderr).toContain(`new: ${id} is out of order: it must come after the newest release, 2024-04-01`);
    }
  });

  it('that changes the schema without describing the change breaks every released version, by name', async () => {
    // The field, the parameters of operations that speak of it, and the lists that name it.
    const schema = await copy.read(HEAD_FILE);
    await copy.write(HEAD_FILE, schema.replaceAll('"dob"', '"birth_date"'));
    const { code, stdout } = await copy.release('check', '--json');
    expect(code).toBe(1);
    const messages = (JSON.parse(stdout).findings as { place: string; message: string }[]).map(
      ({ place, message }) => `${place}: ${message}`,
    );
    for (const id of ['2023-10-15', '2022-05-01'])
      expect(messages).toContainEqual(
        expect.stringMatching(
          new RegExp(`released/${id}: breaking: Patient.dob \\(response\\) field removed; v${id} is released`),
        ),
      );
    const refused = await copy.release('lock');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^release: lock: \d+ breaking differences in released versions: .*Patient\.dob/);
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('whose change is written but not bound is told so', async () => {
    await copy.write('translators/releases/2024-04-01/rename-dob-to-birth-date.ts', change);
    const { code, stdout } = await copy.release('check');
    expect(code).toBe(1);
    expect(stdout).toContain(
      '2024-04-01/rename-dob-to-birth-date.ts: no change of the release has the id "rename-dob-to-birth-date"',
    );
  });

  it('is in order once the change is bound, and its difference names the change', async () => {
    const index = 'translators/releases/2024-04-01/index.ts';
    await copy.edit(index, 'changes: []', 'changes: [renameDobToBirthDate]');
    await copy.write(
      index,
      `import { renameDobToBirthDate } from './rename-dob-to-birth-date.ts';\n${await copy.read(index)}`,
    );
    expect((await copy.release('lock')).code).toBe(0);
    expect(await copy.release('check')).toEqual({
      code: 0,
      stdout: expect.stringContaining('are in order'),
      stderr: '',
    });
    const { stdout } = await copy.release('diff', '2023-10-15', '2024-04-01', '--json');
    expect(JSON.parse(stdout).differences).toContainEqual(
      expect.objectContaining({
        severity: 'breaking',
        place: 'Patient.dob',
        text: 'renamed to birth_date',
        change: {
          name: '2024-04-01/rename-dob-to-birth-date',
          sentence: '`dob` of a patient is called `birth_date`, in full.',
        },
      }),
    );
    expect((await copy.release('changelog', '2024-04-01')).stdout).toContain(
      '## v2024-04-01 (3.0.0, preview)\n\n### Changed\n\n- `dob` of a patient is called `birth_date`, in full.',
    );
  });

  it('is not promoted before its contract is locked as it is', async () => {
    const path = 'schemas/released/2024-04-01/openapi.json';
    const locked = await copy.read(path);
    await copy.write(path, locked.replace('"birth_date"', '"day_of_birth"'));
    const { code, stderr } = await copy.release('promote', '2024-04-01');
    expect([code, stderr]).toEqual([
      1,
      'release: promote: the contract of v2024-04-01 is not locked as it is; npm run release -- lock 2024-04-01\n',
    ]);
    await copy.write(path, locked);
  });

  it('is not promoted before its checks have passed for what the repository holds', async () => {
    const unproven = await copy.release('promote', '2024-04-01');
    expect([unproven.code, unproven.stderr]).toEqual([
      1,
      'release: promote: v2024-04-01 has not been proven; npm run release -- prove 2024-04-01\n',
    ]);
    prove();
    const path = 'translators/releases/2024-04-01/rename-dob-to-birth-date.ts';
    const before = await copy.read(path);
    await copy.write(path, `${before}\n// edited\n`);
    const edited = await copy.release('promote', '2024-04-01');
    expect(edited.stderr).toBe(
      'release: promote: v2024-04-01 was proven before the last edit; npm run release -- prove 2024-04-01\n',
    );
    await copy.write(path, before);
  });

  it('becomes current on its day, and the history is only touched where it changes', async () => {
    const before = await copy.read(historyFile);
    expect((await copy.release('promote', '2024-04-01', '--dry-run')).code).toBe(0);
    expect(await copy.read(historyFile)).toBe(before);
    expect((await copy.release('promote', '2024-04-01')).code).toBe(0);
    expect(await copy.read(historyFile)).toBe(
      before.replace("previewFrom: '2023-10-20' }", "previewFrom: '2023-10-20', released: '2024-04-01' }"),
    );
    const again = await copy.release('promote', '2024-04-01');
    expect([again.code, again.stderr]).toEqual([1, 'release: promote: v2024-04-01 has been released on 2024-04-01\n']);
  });

  it('does not end its predecessor before the guarantees allow', async () => {
    const before = await copy.read(historyFile);
    const { code, stderr } = await copy.release(
      'deprecate',
      '2023-10-15',
      '--on',
      '2024-04-02',
      '--sunset',
      '2024-06-01',
    );
    expect(code).toBe(1);
    expect(stderr).toContain(
      'less than 12 months after its successor of 2024-04-01 (guarantee support-after-succession',
    );
    expect(stderr).toContain('less than 90 days after its notice 2024-04-02 (guarantee notice-before-sunset');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(await copy.read(historyFile)).toBe(before);
  });

  it('ends its predecessor early only with a waiver that has a reason', async () => {
    const request = ['deprecate', '2023-10-15', '--on', '2024-04-02', '--sunset', '2024-12-01', '--waive'];
    for (const args of [
      ['support-after-succession'],
      ['support-after-succession', '--reason', ' '],
      ['support', '--reason', 'Because.'],
    ])
      expect((await copy.call(...request, ...args)).code).toBe(2);
    const { code } = await copy.release(
      ...request,
      'support-after-succession',
      '--reason',
      "The hospital's regulator ends the data format on that day.",
      '--waive',
      'support-after-new-major',
      '--reason',
      'As above.',
    );
    expect(code).toBe(0);
    const text = await copy.read(historyFile);
    expect(text).toContain("deprecated: '2024-04-02'");
    expect(text).toMatch(/guarantee: 'support-after-succession',\s+reason: .*regulator ends the data format/);
    expect(text).toContain('// The specification’s table of versions'.replace('’', "'"));
    expect((await copy.release('check')).code).toBe(0);
  });

  it('can postpone an end that was announced, not bring it forward', async () => {
    const early = await copy.release('deprecate', '2023-10-15', '--sunset', '2024-11-01');
    expect([early.code, early.stderr]).toEqual([
      1,
      'release: deprecate: the sunset of v2023-10-15 was announced for 2024-12-01; it can be postponed, not brought forward\n',
    ]);
    const late = await copy.release('deprecate', '2023-10-15', '--sunset', '2025-02-01', '--json');
    expect(late.code).toBe(0);
    expect(JSON.parse(late.stdout)).toMatchObject({ deprecated: '2024-04-02', sunset: '2025-02-01' });
  });

  it('can break a released contract only by force, and the reason stays beside it', async () => {
    const schema = JSON.parse(await copy.read(HEAD_FILE)) as { resources: [string, JsonSchema][] };
    const patient = new Map(schema.resources).get('Patient') as JsonSchema;
    const { sex } = patient.properties as { sex: JsonSchema };
    Object.assign(sex, { enum: sex.enum?.filter((word) => word !== 'other') });
    await copy.write(HEAD_FILE, JSON.stringify(schema));
    expect((await copy.release('lock')).code).toBe(1);
    expect((await copy.call('lock', '--force')).code).toBe(2);
    const path = 'schemas/released/2022-11-15/waivers.json';
    const earlier = JSON.parse(await copy.read(path)) as unknown[];
    const { code } = await copy.release('lock', '2022-11-15', '--force', '--reason', 'No client ever sent it.');
    expect(code).toBe(0);
    // What was waived before stays.
    expect(JSON.parse(await copy.read(path))).toEqual([
      ...earlier,
      {
        reason: 'No client ever sent it.',
        differences: expect.arrayContaining(['Patient.gender (request) values removed: other']),
      },
    ]);
  });
});

describe('what was locked', () => {
  it('cannot be deleted and locked again', async () => {
    const openapi = 'schemas/released/2023-10-15/openapi.json';
    const text = await copy.read(openapi);
    await rm(join(copy.root, openapi));
    const { code, stderr } = await copy.release('lock');
    await copy.write(openapi, text);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'schemas/released/2023-10-15: the contract that was locked is gone; restore it: git checkout',
      ),
    ]);
  });

  it('does not grow by an operation that nobody said all versions should have', async () => {
    const schema = JSON.parse(await copy.read(HEAD_FILE)) as { operations: { id: string; path: string }[] };
    const [first] = schema.operations;
    schema.operations.push({ ...first, id: 'patients.echo', path: '/patients/echo' } as (typeof schema.operations)[0]);
    await copy.write(HEAD_FILE, JSON.stringify(schema));
    const { code, stderr } = await copy.release('lock', '2023-10-15');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /would have patients\.echo: give the operation `since: '2024-04-01'`.* --add patients\.echo/,
      ),
    ]);
  });
});
