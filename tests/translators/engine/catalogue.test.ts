import { describe, expect, it } from '@jest/globals';
import type { Contract } from '@perennial/schemas/contract.ts';
import { type Change, change } from '@perennial/translators/engine/change.ts';
import {
  added,
  changedStatus,
  hoist,
  mapped,
  movedPath,
  nest,
  relate,
  removed,
  rename,
  renamedError,
  renamedParameter,
  split,
} from '@perennial/translators/engine/describe.ts';
import type { Edit } from '@perennial/translators/engine/edit.ts';
import { CatalogueInvalid } from '@perennial/translators/engine/failures.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import Type from 'typebox';
import {
  BASE,
  contractOf,
  faultsOf,
  historyOf,
  inline,
  object,
  reading,
  release,
  text,
  translatorOf,
} from './fixture.ts';

const Person = object('Person', {
  id: text,
  name: text,
  mood: { type: 'string', enum: ['good', 'bad'] },
  contact: inline({ mail: text, phone: text }),
});
const Cat = object('Cat', { kind: text, name: text });
const Dog = object('Dog', { kind: text, name: text });
const Home = object('Home', {
  pet: {
    oneOf: [{ $ref: 'Cat' }, { $ref: 'Dog' }],
    discriminator: { propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog' } },
  },
});
const contract: Contract = contractOf(
  [Person, Cat, Dog, Home],
  [reading('people.get', 'Person', { errors: ['not_found'] }), reading('homes.get', 'Home')],
);

const R1 = '2021-01-01';
const R2 = '2022-01-01';

function edited(id: string, edits: readonly (Edit | readonly Edit[])[], resource = 'Person'): Change {
  return change({ id, sentence: 'Something changed.', resources: [{ resource, edits }] });
}

function refusal(...changes: readonly Change[]): readonly string[] {
  return faultsOf(() => translatorOf(contract, release(R1, ...changes)));
}

describe('the catalogue is refused at start, naming the change,', () => {
  it('for releases that the history and the folders do not both know', () => {
    const one = release(R1, edited('rename-name', [rename('title', 'name')]));
    expect(faultsOf(() => createTranslator(contract, historyOf([]), [one]))).toEqual([
      `release ${R1} has changes but the history does not list it`,
    ]);
    expect(faultsOf(() => createTranslator(contract, historyOf([R1, R2]), [one]))).toEqual([
      `release ${R2} is in the history but has no folder of changes`,
    ]);
    expect(faultsOf(() => createTranslator(contract, historyOf([R1]), [release(BASE), one]))).toEqual([
      `release ${BASE} is the oldest of the history: there is nothing before it to change`,
    ]);
  });

  it('for releases out of order and twice', () => {
    const [one, two] = [
      release(R1, edited('rename-name', [rename('title', 'name')])),
      release(R2, edited('rename-mood', [rename('spirit', 'mood')])),
    ];
    expect(faultsOf(() => createTranslator(contract, historyOf([R1, R2]), [two, one]))).toEqual([
      `release ${R1} comes out of order, after ${R2}`,
    ]);
    expect(faultsOf(() => createTranslator(contract, historyOf([R1]), [one, release(R1)]))).toEqual([
      `release ${R1} comes out of order, after ${R1}`,
    ]);
  });

  it('for a change that is bound twice, in one release or in two', () => {
    const [one, same] = [
      edited('rename-name', [rename('title', 'name')]),
      edited('rename-name', [rename('label', 'title')]),
    ];
    expect(faultsOf(() => translatorOf(contract, release(R1, same), release(R2, one)))).toEqual([
      `change ${R2}/rename-name is bound twice: it is ${R1}/rename-name as well`,
    ]);
    expect(refusal(same, one)).toEqual([`change ${R1}/rename-name is bound twice: it is ${R1}/rename-name as well`]);
  });

  it('for a change without a sentence, of blanks too, or whose id is no words joined by hyphens', () => {
    const fit = edited('rename-name', [rename('title', 'name')]);
    expect(refusal({ ...fit, sentence: '' })).toEqual([`change ${R1}/rename-name has no sentence for the changelog`]);
    expect(refusal({ ...fit, sentence: ' \n' })).toEqual([
      `change ${R1}/rename-name has no sentence for the changelog`,
    ]);
    for (const id of ['renameName', 'rename_name', '-rename', 'rename--name', ''])
      expect(refusal({ ...fit, id })).toEqual([`change ${R1}/${id}: the id must be words joined by hyphens`]);
  });

  it('for a change that changes nothing', () => {
    expect(refusal(change({ id: 'do-nothing', sentence: 'Nothing.' }))).toEqual([
      `change ${R1}/do-nothing changes nothing`,
    ]);
    expect(refusal(change({ id: 'do-nothing', sentence: 'Nothing.', behaviours: {} }))).toEqual([
      `change ${R1}/do-nothing changes nothing`,
    ]);
    expect(refusal(edited('do-nothing', []))).toEqual([`change ${R1}/do-nothing changes nothing in Person`]);
    expect(refusal(edited('do-nothing', [[]]))).toEqual([`change ${R1}/do-nothing changes nothing in Person`]);
  });

  it('for a change that names a resource twice', () => {
    const resources = [
      { resource: 'Person', edits: [rename('title', 'name')] },
      { resource: 'Person', edits: [rename('spirit', 'mood')] },
    ];
    expect(refusal(change({ id: 'rename-both', sentence: 'Both.', resources }))).toEqual([
      `change ${R1}/rename-both names Person twice; put its edits in one list`,
    ]);
  });

  it('for a change that matches nothing', () => {
    const change1 = (operations: Change['operations']): Change =>
      change({ id: 'change-calls', sentence: 'Calls.', operations: operations ?? [] });
    const at = `change ${R1}/change-calls matches nothing:`;
    expect(refusal(edited('rename-name', [rename('a', 'b')], 'Persons'))).toEqual([
      `change ${R1}/rename-name matches nothing: there is no resource Persons`,
    ]);
    expect(refusal(change1([movedPath('people.gets', '/p')]))).toEqual([`${at} there is no operation people.gets`]);
    expect(refusal(change1([changedStatus('people.gets', 202)]))).toEqual([`${at} there is no operation people.gets`]);
    expect(refusal(change1([renamedError('taken', 'conflict')]))).toEqual([
      `${at} no operation answers the error conflict`,
    ]);
    expect(refusal(change1([renamedError('gone', 'not_found')]))).toEqual([]);
    // Every operation can end with this one.
    expect(refusal(change1([renamedError('down', 'unavailable')]))).toEqual([]);
    const older = { name: 'q', in: 'query', description: 'Words.', schema: text } as const;
    expect(refusal(change1([renamedParameter('people.gets', older, 'query')]))).toEqual([
      `${at} no operation answers what the change speaks of`,
    ]);
    expect(refusal(change1([renamedParameter('people.get', older, 'query')]))).toEqual([
      `${at} no operation has the parameter query`,
    ]);
    expect(
      refusal(change1([{ kind: 'query', of: 'pages', removes: [], adds: [], up: (query) => ({ query }) }])),
    ).toEqual([`${at} no operation answers what the change speaks of`]);
  });

  it('for an edit that does not fit the resource', () => {
    const at = `change ${R1}/change-person does not fit Person:`;
    const of = (...edits: readonly (Edit | readonly Edit[])[]): readonly string[] =>
      refusal(edited('change-person', edits));
    expect(of(rename('title', 'names'))).toEqual([`${at} there is no member "names"`]);
    expect(of(rename('id', 'name'))).toEqual([`${at} "id" exists already`]);
    expect(of(nest(['mail'], 'contacts'))).toEqual([`${at} there is no member "contacts.mail"`]);
    expect(of(rename('name.first', 'mood'))).toEqual([`${at} "first" leads through a member that is not an object`]);
    expect(of(hoist(['zip'], 'contact'))).toEqual([`${at} there is no member "zip"`]);
    expect(of(added('nickname'))).toEqual([`${at} there is no member "nickname"`]);
    expect(of(removed('name', Type.String(), { printed: '' }))).toEqual([`${at} "name" exists already`]);
    expect(
      of(relate({ older: [{ path: 'x', schema: Type.String() }], newer: ['id', 'nope'], down: () => [''] })),
    ).toEqual([`${at} there is no member "nope"`]);
    // The same member twice: after the first edit it is no longer there.
    expect(of(rename('label', 'name'), rename('title', 'name'))).toEqual([`${at} there is no member "name"`]);
  });

  it('for a word of an enum that has no answer, in either direction', () => {
    const at = `change ${R1}/change-mood does not fit Person: "mood":`;
    const of = (down: Record<string, string>, up: Record<string, string>): readonly string[] =>
      refusal(edited('change-mood', [mapped('mood', { down, up })]));
    expect(of({ good: 'up', bad: 'down' }, { up: 'good', down: 'bad' })).toEqual([]);
    expect(of({ good: 'up' }, { up: 'good', down: 'bad' })).toEqual([`${at} the older version has no answer for bad`]);
    expect(of({ good: 'up', bad: 'down' }, { up: 'good', down: 'worse' })).toEqual([
      `${at} the newer version has no worse`,
    ]);
    expect(of({ good: 'up', bad: 'down' }, { up: 'good' })).toEqual([`${at} the older version has no down`]);
  });

  it('for an edit of the member by which a union tells its alternatives apart', () => {
    const at = (name: string): string =>
      `change ${R1}/change-cat edits Cat.${name}, by which a union tells its members apart`;
    expect(refusal(edited('change-cat', [rename('type', 'kind')], 'Cat'))).toEqual([at('kind')]);
    expect(refusal(edited('change-cat', [mapped('kind', { down: { cat: 'c' }, up: { c: 'cat' } })], 'Cat'))).toEqual([
      at('kind'),
    ]);
    expect(refusal(edited('change-cat', [added('kind')], 'Cat'))).toEqual([at('kind')]);
    expect(refusal(edited('change-cat', [rename('title', 'name')], 'Cat'))).toEqual([]);
  });

  it('with every fault at once, one line each', () => {
    const make = (): unknown =>
      translatorOf(
        contract,
        release(R1, { ...edited('change-person', [rename('title', 'names')]), sentence: '' }),
        release(R2, edited('change-person', [rename('title', 'name')])),
      );
    expect(faultsOf(make)).toEqual([
      `change ${R1}/change-person has no sentence for the changelog`,
      `change ${R2}/change-person is bound twice: it is ${R1}/change-person as well`,
      `change ${R1}/change-person does not fit Person: there is no member "names"`,
    ]);
    expect(make).toThrow(CatalogueInvalid);
    expect(make).toThrow(/^the changes are refused:\n {2}- change .*\n {2}- change .*\n {2}- change .*$/);
  });

  it('for a splitting whose parts are not all there', () => {
    const fault = refusal(
      edited('split-name', [
        split({
          older: 'full',
          whole: Type.String(),
          parts: { name: Type.String(), family: Type.String() },
          join: ({ name, family }) => `${name} ${family}`,
          split: (whole) => ({ name: whole, family: '' }),
        }),
      ]),
    );
    expect(fault).toEqual([`change ${R1}/split-name does not fit Person: there is no member "family"`]);
  });
});

describe('a behaviour', () => {
  it('holds its older value before the release that changed it, and its newer one from there on', () => {
    const translator = translatorOf(
      contract,
      release(R1, change({ id: 'take-keys', sentence: 'Keys.', behaviours: { 'credential.formats': ['legacy'] } })),
      release(
        R2,
        change({
          id: 'take-more-keys',
          sentence: 'Keys.',
          behaviours: { 'credential.formats': ['current', 'legacy'] },
        }),
      ),
    );
    expect(translator.behaviours(BASE)['credential.formats']).toEqual(['legacy']);
    expect(translator.behaviours(R1)['credential.formats']).toEqual(['current', 'legacy']);
    expect(translator.behaviours(R2)['credential.formats']).toEqual(['current']);
    expect(translator.behaviours(BASE)['credential.places']).toEqual(['header']);
  });
});
