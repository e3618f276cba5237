import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Release } from '@perennial/schemas/history.ts';
import { newestFirst } from '@perennial/schemas/lifecycle.ts';
import { writeAtomically } from '../../contract/released.ts';
import { addRelease, bindingOf, bindRelease, formatted, readHistory, writeHistory } from '../edit.ts';
import { dayArgument, HISTORY_FILE, RELEASES_FILE, serviceDay } from '../project.ts';
import { Refused, UsageFault, type Verb } from '../verb.ts';

/** Scaffolds a release. */
export const createRelease: Verb = {
  name: 'new',
  usage: '<date> --minor | --major [--preview-from <date>]',
  summary: 'Starts a release as a preview: its folder, its test and its entry in the history.',
  help: [
    '--minor           the next minor version, for clients that need to change little',
    '--major           the next major version',
    '--preview-from    the day it can first be called, under /preview/<date>; the service date when left out',
  ],
  options: { minor: { type: 'boolean' }, major: { type: 'boolean' }, 'preview-from': { type: 'string' } },
  async run({ root, args, options, project }) {
    const id = dayArgument(args[0], 'new <date>');
    if (options.flag('minor') === options.flag('major')) throw new UsageFault('new: give either --minor or --major');
    const { history } = await project();
    const [newest] = newestFirst(history);
    if (!newest) throw new Refused(`${HISTORY_FILE}: it names no release to follow`);
    if (id <= newest.id)
      throw new Refused(`new: ${id} is out of order: it must come after the newest release, ${newest.id}`);
    const folder = join('translators', 'releases', id);
    if (existsSync(join(root, folder))) throw new Refused(`new: ${folder} exists already`);
    const previewFrom = dayArgument(options.text('preview-from') ?? serviceDay(history), '--preview-from');

    const release: Release = { id, semver: next(newest.semver, options.flag('major')), previewFrom };
    const bindings = readFileSync(join(root, RELEASES_FILE), 'utf8');
    const bound = formatted(bindRelease(bindings, RELEASES_FILE, id), RELEASES_FILE);
    await writeHistory(root, formatted(addRelease(readHistory(root), release), HISTORY_FILE), false);
    const index = join(folder, 'index.ts');
    const test = join('tests', 'translators', 'releases', `${id}.test.ts`);
    const pairs = join(folder, 'examples.ts');
    write(join(root, index), indexText(id));
    write(join(root, pairs), examplesText());
    if (!existsSync(join(root, test))) write(join(root, test), formatted(testText(id, newest.id), test));
    writeAtomically(join(root, RELEASES_FILE), bound);
    return {
      exitCode: 0,
      json: { release, files: [index, pairs, test, RELEASES_FILE, HISTORY_FILE] },
      lines: (paint) => [
        paint.title(`v${id} (${release.semver}) is a preview from ${previewFrom} on.`),
        `  ${index}  its changes, oldest first`,
        `  ${pairs}  of each change the same thing before and after`,
        `  ${test}  its round trips`,
        `  ${RELEASES_FILE}, ${HISTORY_FILE}  know it now`,
        '',
        'Next: edit the head schema in schemas/, describe each change in a file of its own beside the index,',
        'then npm run release -- check. translators/README.md says how.',
      ],
    };
  },
};

function next(semver: string, isMajor: boolean): string {
  const [major = 0, minor = 0] = semver.split('.').map(Number);
  return isMajor ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function indexText(id: string): string {
  return `import type { ReleaseChanges } from '../../engine/change.ts';
import { examples } from './examples.ts';

/** What this release is about, in one line. */
export const ${bindingOf(id)}: ReleaseChanges = {
  id: '${id}',
  changes: [],
  examples,
};
`;
}

function examplesText(): string {
  return `import type { ReleaseExamples } from '../../engine/change.ts';

/** By the id of the change, for instance: 'rename-a-to-b': [{ resource: 'X', older: { a: 1 }, newer: { b: 1 } }]. */
export const examples: ReleaseExamples = {};
`;
}

function testText(id: string, previous: string): string {
  return `import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { lockStateOf } from '@perennial/translators/contract/released.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { describeRoundTrips } from '../../support/round-trips.ts';

const root = join(import.meta.dirname, '..', '..', '..');

describe('release ${id}', () => {
  it('leaves the contract of v${previous} as it was locked', () => {
    const previous = history.releases.find((release) => release.id === '${previous}');
    const state = lockStateOf(createTranslator(head, history, releases), previous!, root);
    expect(state).toMatchObject({ state: 'locked', differences: [] });
  });

  // From the release before it on: what older versions see is tested with all releases.
  describeRoundTrips(
    createTranslator(
      head,
      { ...history, releases: history.releases.filter((release) => release.id >= '${previous}') },
      releases.filter((release) => release.id >= '${id}'),
    ),
    ({ release }) => release === '${id}',
  );
});
`;
}
