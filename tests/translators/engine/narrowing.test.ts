import { describe, expect, it } from '@jest/globals';
import type { Parameter } from '@perennial/schemas/operation.ts';
import { filter, listParameters } from '@perennial/schemas/operations/parameters.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { type Change, change } from '@perennial/translators/engine/change.ts';
import { becameNullable, converted, rename, valueAdded } from '@perennial/translators/engine/describe.ts';
import type { Edit } from '@perennial/translators/engine/edit.ts';
import { TranslationFailed } from '@perennial/translators/engine/failures.ts';
import Type from 'typebox';
import {
  contractOf,
  faultsOf,
  inline,
  object,
  planOf,
  reading,
  release,
  text,
  translatorOf,
  writing,
} from './fixture.ts';

/*
 * Members that can have values which an older version has not: the older contract does not speak of them, everything
 * else is as it was, and what should never come is refused instead of shown.
 */
const R1 = '2021-01-01';
const R2 = '2022-01-01';

const Score = object('Score', { value: { type: 'object', properties: { point: { type: 'number' } } } });
const Visit = object('Visit', {
  id: { ...text, readOnly: true },
  kind: { type: 'string', enum: ['call', 'office', 'video', 'chat'] },
  person: { type: ['string', 'null'], description: 'Null for a chat.', pattern: '^p' },
  score: { anyOf: [{ $ref: 'Score' }, { type: 'null' }], readOnly: true },
  place: inline({ room: { type: ['string', 'null'] } }),
});
const includeChats: Parameter = {
  name: 'include_chats',
  in: 'query',
  description: 'Chats.',
  schema: { type: 'boolean' },
};

function on(id: string, edits: readonly (Edit | readonly Edit[])[], resource: string = 'Visit'): Change {
  return change({ id, sentence: 'Changed.', resources: [{ resource, edits }] });
}

const contract = contractOf(
  [Visit, Score],
  [
    reading('visits.get', 'Visit'),
    reading('visits.list', 'Visit.page', {
      parameters: [
        ...listParameters('Visit', ['kind', 'person']),
        filter('Visit', 'kind', 'Kind.', { type: 'string', enum: ['call', 'office', 'video', 'chat'] }),
        filter('Visit', 'person', 'Person.', { type: 'string', minLength: 2 }),
        includeChats,
      ],
    }),
    writing('visits.create', 'Visit.create', 'Visit'),
    writing('visits.update', 'Visit.patch', 'Visit', {
      method: 'PATCH',
      update: { read: 'visits.get', patch: 'visits.update', mode: 'patch' },
    }),
  ],
);
const translator = translatorOf(
  contract,
  release(
    R1,
    on('rename-type', [rename('type', 'kind'), valueAdded('kind', ['video'])]),
    on(
      'detail-value',
      [
        converted('value', {
          older: Type.Number(),
          newer: Type.Object({ point: Type.Number() }),
          down: ({ point }) => point,
        }),
      ],
      'Score',
    ),
  ),
  release(
    R2,
    change({
      id: 'keep-chats',
      sentence: 'There are chats.',
      resources: [
        {
          resource: 'Visit',
          edits: [
            valueAdded('kind', ['chat']),
            becameNullable('person', 'Who came.'),
            becameNullable('score'),
            becameNullable('place.room'),
          ],
        },
      ],
      operations: [
        {
          kind: 'query',
          of: ['visits.list'],
          removes: ['include_chats'],
          adds: [],
          up: (query) => ({ query: { ...query, include_chats: false } }),
        },
      ],
    }),
  ),
);

const call: JsonObject = {
  id: 'v1',
  kind: 'call',
  person: 'p1',
  score: { value: { point: 3 } },
  place: { room: 'r' },
};

function membersAt(version?: string): Readonly<Record<string, unknown>> {
  const level = translator.catalogue.releases.findIndex(({ id }) => id === version);
  const { level: at } = translator.catalogue.releases[Math.max(level, 0)] as { level: number };
  return translator.catalogue.contracts[at]?.resources.get('Visit')?.properties ?? {};
}

describe('a member that can have other values', () => {
  it('has in every older contract only those that there were', () => {
    expect(membersAt(R2)).toEqual(Visit.properties);
    expect(membersAt(R1)).toEqual({
      ...Visit.properties,
      kind: { type: 'string', enum: ['call', 'office', 'video'] },
      person: { type: 'string', description: 'Who came.', pattern: '^p' },
      score: { $ref: 'Score', readOnly: true },
      place: inline({ room: text }),
    });
    expect(membersAt()).toEqual(expect.objectContaining({ type: { type: 'string', enum: ['call', 'office'] } }));
  });

  it('is answered as it is, and what lies in it is translated', () => {
    expect(planOf(translator, 'visits.get', R1).response(call, undefined)).toEqual(call);
    expect(planOf(translator, 'visits.get').response(call, undefined)).toEqual({
      id: 'v1',
      type: 'call',
      person: 'p1',
      score: { value: 3 },
      place: { room: 'r' },
    });
  });

  it.each([
    ['a word', { kind: 'chat' }, R1, `${R2}/keep-chats`],
    ['a word of a release between', { kind: 'video' }, undefined, `${R1}/rename-type`],
    ['null', { person: null }, R1, `${R2}/keep-chats`],
    ['null for a resource', { score: null }, undefined, `${R2}/keep-chats`],
    ['null inside an object', { place: { room: null } }, undefined, `${R2}/keep-chats`],
  ])('refuses %s that the older version has not, by the name of the change', (_, more, version, name) => {
    const body = { ...call, ...more };
    const plan = planOf(translator, 'visits.get', version);
    expect(() => plan.response(body, undefined)).toThrow(TranslationFailed);
    expect(() => plan.response(body, undefined)).toThrow(expect.objectContaining({ change: name }));
    // At head it is a value like any other.
    expect(planOf(translator, 'visits.get', R2).response(body, undefined)).toEqual(body);
  });

  it('is written as it is, and an update needs nothing that is stored', () => {
    const sent = { type: 'office', person: 'p2', place: { room: 'r' } };
    expect(planOf(translator, 'visits.create').body(sent)).toEqual({
      kind: 'office',
      person: 'p2',
      place: { room: 'r' },
    });
    const patch = { type: 'call', place: { room: 'q' } };
    expect(planOf(translator, 'visits.update').update(patch, 'patch', undefined)).toEqual({
      kind: 'call',
      place: { room: 'q' },
    });
    expect(translator.validator(R1).body('Visit.create', { kind: 'chat', person: 'p', place: { room: 'r' } })).toEqual([
      expect.objectContaining({ pointer: '/kind', code: 'not_allowed_value' }),
    ]);
  });

  it('is filtered and sorted by as before, and by no value that the older version has not', () => {
    const parametersAt = (version?: string): readonly unknown[] =>
      planOf(translator, 'visits.list', version).operation.parameters.map(({ name, schema }) => [name, schema.enum]);
    expect(parametersAt(R1)).toEqual(
      expect.arrayContaining([
        ['kind', ['call', 'office', 'video']],
        ['person', undefined],
      ]),
    );
    expect(parametersAt(R1)).not.toContainEqual(['include_chats', undefined]);
    expect(parametersAt()).toContainEqual(['type', ['call', 'office']]);
    const { operation } = planOf(translator, 'visits.list');
    // A filter of one's own bounds keeps them.
    expect(operation.parameters.find(({ name }) => name === 'person')?.schema).toEqual({
      type: 'string',
      minLength: 2,
    });
    expect(operation.parameters.find(({ name }) => name === 'sort')?.link?.fields).toEqual(['type', 'person']);
    expect(planOf(translator, 'visits.list').query({ type: 'call', person: 'p1', sort: '-type' }).query).toEqual({
      kind: 'call',
      person: 'p1',
      sort: '-kind',
      include_chats: false,
    });
    expect(planOf(translator, 'visits.list', R2).query({ kind: 'chat' }).query).toEqual({ kind: 'chat' });
  });

  it('is found by the places of faults', () => {
    const told = planOf(translator, 'visits.create').error({
      code: 'validation_failed',
      message: '',
      details: [
        { code: 'wrong_type', message: '', pointer: '/kind' },
        { code: 'wrong_type', message: '', pointer: '/place/room' },
      ],
      documentation_url: '/errors',
    });
    expect(told?.error['details']).toMatchObject([{ pointer: '/type' }, { pointer: '/place/room' }]);
  });
});

describe('a narrowing that does not fit', () => {
  it.each([
    ['a word that is not there', valueAdded('kind', ['letter']), '"kind": the newer version has no letter'],
    [
      'every word',
      valueAdded('kind', ['call', 'office', 'video', 'chat']),
      '"kind": the older version has no word left',
    ],
    ['words of what is no list of words', valueAdded('person', ['p']), '"person" is not one of a list of words'],
    ['null where it never is', becameNullable('kind'), '"kind" is never null in the newer version'],
    ['a member that is not there', becameNullable('where'), 'there is no member "where"'],
    [
      'an object',
      becameNullable('place'),
      '"place" is an object with members of its own, which are narrowed one by one',
    ],
  ])('stops the start: %s', (_, edit, reason) => {
    expect(faultsOf(() => translatorOf(contract, release(R1, on('narrow', [edit]))))).toEqual([
      `change ${R1}/narrow does not fit Visit: ${reason}`,
    ]);
  });
});
