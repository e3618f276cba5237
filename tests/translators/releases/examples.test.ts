import { describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { exampleFaults } from '@perennial/translators/contract/change-examples.ts';
import { changelogMarkdown, changelogOf, examplesOf } from '@perennial/translators/contract/changelog.ts';
import { type ChangeExample, change } from '@perennial/translators/engine/change.ts';
import { rename } from '@perennial/translators/engine/describe.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { contractOf, object, reading, release, text, translatorOf, writing } from '../engine/fixture.ts';

const { catalogue } = createTranslator(head, history, releases);

describe('the examples of the shipped changes', () => {
  it('are there for every change that clients are told of', () => {
    const without = catalogue.steps.filter(({ change: each, examples }) => !each.isInternal && examples.length === 0);
    // Write a pair in translators/releases/<date>/examples.ts, under the id of the change.
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it.each(catalogue.steps.map(({ name }, level) => [name, level] as const))(
    '%s: read as the change translates them',
    (_name, level) => {
      expect(exampleFaults(catalogue, level)).toEqual([]);
    },
  );

  it('stand in the changelog', () => {
    const markdown = changelogMarkdown(changelogOf(catalogue, history.releases, {}));
    expect(markdown).toContain('  - before `{"gender":"female"}`, now `{"sex":"female"}`');
    expect(examplesOf(catalogue, '2023-04-30/rename-gender-to-sex')).toEqual([
      { of: 'Patient', older: '{"gender":"female"}', newer: '{"sex":"female"}' },
    ]);
    expect(examplesOf(catalogue, '2023-04-30/nothing')).toEqual([]);
  });
});

describe('an example', () => {
  const R1 = '2021-01-01';
  const contract = contractOf(
    [object('Thing', { id: { ...text, readOnly: true }, label: text })],
    [reading('things.list', 'Thing.page', { path: '/things' }), writing('things.create', 'Thing.create', 'Thing')],
  );
  const named = change({
    id: 'name-label',
    sentence: 'Named.',
    resources: [{ resource: 'Thing', edits: [rename('name', 'label')] }],
  });
  const faultsOf = (example: ChangeExample): readonly string[] =>
    exampleFaults(
      translatorOf(contract, { ...release(R1, named), examples: { 'name-label': [example] } }).catalogue,
      0,
    );

  it('is right when it says both sides as they are', () => {
    expect(faultsOf({ resource: 'Thing', older: { name: 'a' }, newer: { label: 'a' } })).toEqual([]);
    expect(faultsOf({ operation: 'things.list', older: 'GET /things', newer: 'GET /things' })).toEqual([]);
  });

  it.each<[ChangeExample, string]>([
    [
      { resource: 'Thing', older: { name: 'a' }, newer: { label: 'b' } },
      'an older client reads {"name":"b"}, not {"name":"a"}',
    ],
    [
      { resource: 'Thing', older: { title: 'a' }, newer: { label: 'a' } },
      'Thing has no member title before the change',
    ],
    [{ resource: 'Things', older: {}, newer: {} }, 'there is no resource Things'],
    [
      { operation: 'things.list', older: 'GET /thing', newer: 'GET /things' },
      'things.list is GET /things, not GET /thing',
    ],
    [{ operation: 'things.none', older: 'GET /thing', newer: 'GET /things' }, 'there is no operation things.none'],
    [{ operation: 'things.list', older: 'GET /things?x=1', newer: 'GET /things' }, 'GET /things?x=1: x: '],
  ])('is wrong otherwise, and says how: %j', (example, message) => {
    expect(faultsOf(example).join('\n')).toContain(message);
  });

  it('must be of a change that there is', () => {
    expect(() => translatorOf(contract, { ...release(R1, named), examples: { 'rename-label': [] } })).toThrow(
      /has examples of rename-label, which is none of its changes/,
    );
  });
});
