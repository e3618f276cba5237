import { describe, expect, it } from '@jest/globals';
import { filter, listParameters } from '@perennial/schemas/operations/parameters.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { type Change, change } from '@perennial/translators/engine/change.ts';
import {
  added,
  converted,
  joined,
  listed,
  mapped,
  nest,
  relate,
  rename,
  split,
} from '@perennial/translators/engine/describe.ts';
import type { Edit } from '@perennial/translators/engine/edit.ts';
import Type from 'typebox';
import { overTheWire } from '../../support/stored.ts';
import {
  BASE,
  contractOf,
  inline,
  object,
  planOf,
  reading,
  release,
  text,
  textOrNull,
  translatorOf,
  writing,
} from './fixture.ts';

/*
 * What an older client sends and is told: names in queries, places of faults, and writes to an object that exists.
 */
const R1 = '2021-01-01';
const R2 = '2022-01-01';

const Person = object(
  'Person',
  {
    id: { ...text, readOnly: true },
    born: textOrNull,
    given: text,
    family: textOrNull,
    mood: { type: ['string', 'null'], enum: ['fine', 'well', 'ill', null] },
    reach: inline({ mails: { type: 'array', items: text, maxItems: 5 }, phone: textOrNull, secret: textOrNull }),
    friends: { type: 'array', items: { $ref: 'Friend' } },
    table: { type: 'object', additionalProperties: { $ref: 'Friend' } },
    best: { anyOf: [{ $ref: 'Friend' }, { type: 'null' }] },
  },
  ['friends', 'table', 'best'],
);
const Friend = object('Friend', { nick: text, since: { ...text, readOnly: true }, score: { type: 'number' } }, [
  'since',
  'score',
]);

function on(id: string, edits: readonly (Edit | readonly Edit[])[], resource: string = 'Person'): Change {
  return change({ id, sentence: 'Changed.', resources: [{ resource, edits }] });
}

const update = { read: 'people.get', patch: 'people.update' } as const;
const translator = translatorOf(
  contractOf(
    [Person, Friend],
    [
      reading('people.get', 'Person'),
      reading('people.list', 'Person.page', {
        parameters: [
          ...listParameters('Person', ['born', 'given', 'mood']),
          filter('Person', 'born', 'Born.', text),
          filter('Person', 'mood', 'Mood.', { type: 'string', enum: ['fine', 'well', 'ill'] }),
          filter('Person', 'reach.phone', 'Phone.', text),
          filter('Person', 'reach.secret', 'Secret.', text),
        ],
      }),
      writing('people.create', 'Person.create', 'Person'),
      writing('people.replace', 'Person.replace', 'Person', { method: 'PUT', update: { ...update, mode: 'replace' } }),
      writing('people.update', 'Person.patch', 'Person', { method: 'PATCH', update: { ...update, mode: 'patch' } }),
    ],
  ),
  release(
    R1,
    on('rename-dob', [rename('dob', 'birthday')]),
    on('nest-contact', [nest(['mail', 'phone'], 'contact')]),
    on(
      'rename-nick',
      [
        rename('name', 'nick'),
        added('since'),
        converted('score', { older: Type.String(), newer: Type.Number(), up: Number, down: String }),
      ],
      'Friend',
    ),
    on('map-mood', [
      mapped(
        'mood',
        { down: { fine: 'good', well: 'good', ill: 'bad' }, up: { good: 'fine', bad: 'ill' } },
        { asked: 'as written' },
      ),
    ]),
  ),
  release(
    R2,
    on('rename-birthday', [rename('birthday', 'born'), rename('contact', 'reach'), added('reach.secret')]),
    on('list-mails', [
      listed({ older: 'reach.mail', newer: 'reach.mails', value: Type.String(), item: Type.String() }),
    ]),
    on('split-name', [
      split({
        older: 'name',
        whole: Type.String(),
        parts: { given: Type.String(), family: Type.Union([Type.String(), Type.Null()]) },
        join: ({ given, family }) => (family === null ? given : `${given} ${family}`),
        split: (name) => {
          const [given = '', ...rest] = name.split(' ');
          return { given, family: rest.length === 0 ? null : rest.join(' ') };
        },
      }),
    ]),
  ),
);

describe('a query of an older version', () => {
  const query = (values: Record<string, string>, version?: string): unknown =>
    planOf(translator, 'people.list', version).query(values).query;

  it('has filters and sort keys under the names of its version, values in its words, each carried to head', () => {
    expect(query({ dob: '1970-01-01', phone: '1', mood: 'bad', sort: '-dob' })).toEqual({
      born: '1970-01-01',
      'reach.phone': '1',
      mood: 'ill',
      sort: '-born',
    });
    expect(query({ birthday: '1970', 'contact.phone': '1', sort: 'birthday' }, R1)).toEqual({
      born: '1970',
      'reach.phone': '1',
      sort: 'born',
    });
  });

  it('may use names that two members have swapped since', () => {
    const swapped = translatorOf(
      contractOf(
        [object('Thing', { a: text, b: text })],
        [
          reading('things.list', 'Thing.page', {
            parameters: [
              ...listParameters('Thing', ['a', 'b']),
              filter('Thing', 'a', 'A.', text),
              filter('Thing', 'b', 'B.', text),
            ],
          }),
        ],
      ),
      release(R1, on('swap-names', [rename('a', 'spare'), rename('b', 'a'), rename('spare', 'b')], 'Thing')),
    );
    expect(planOf(swapped, 'things.list').query({ a: '1', b: '2', sort: 'a,-b', limit: 3 }).query).toEqual({
      a: '2',
      b: '1',
      sort: 'b,-a',
      limit: 3,
    });
    expect(planOf(swapped, 'things.list').query({ a: '1' }).query).toEqual({ b: '1' });
  });

  it('offers what its version can say: no invisible filter, no sort key of a converted member', () => {
    const { parameters } = planOf(translator, 'people.list').operation;
    expect(parameters.map(({ name }) => name)).toEqual([
      'limit',
      'cursor',
      'include_total',
      'sort',
      'dob',
      'mood',
      'phone',
    ]);
    expect(parameters.find(({ name }) => name === 'sort')?.link?.fields).toEqual(['dob']);
    expect(parameters.find(({ name }) => name === 'mood')?.schema.enum).toEqual(['good', 'bad']);
    expect(
      planOf(translator, 'people.list', R1).operation.parameters.find(({ name }) => name === 'mood')?.schema.enum,
    ).toEqual(['fine', 'well', 'ill']);
  });

  it('is told of faults by its own names, and never of parameters it does not have', () => {
    const fault = (parameter: string, version?: string): unknown =>
      told('people.list', { code: 'too_long', message: '', parameter }, version)?.parameter;
    expect(fault('born')).toBe('dob');
    expect(fault('reach.phone')).toBe('phone');
    expect(fault('reach.phone', R1)).toBe('contact.phone');
    expect(fault('limit')).toBe('limit');
    expect(fault('reach.secret')).toBeUndefined();
  });
});

describe('a fault in a body', () => {
  const pointer = (text: string, version?: string): unknown =>
    told('people.create', { code: 'too_long', message: '', pointer: text }, version)?.pointer;

  it('is told at the place that the client wrote, through every release between', () => {
    expect(pointer('')).toBe('');
    expect(pointer('/born')).toBe('/dob');
    expect(pointer('/born', R1)).toBe('/birthday');
    expect(pointer('/given')).toBe('/name');
    expect(pointer('/family')).toBe('/name');
    expect(pointer('/reach/phone')).toBe('/phone');
    expect(pointer('/reach/mails/0')).toBe('/mail');
    expect(pointer('/reach/mails', R1)).toBe('/contact/mail');
  });

  it('is told inside lists, dictionaries, nullable references, by the names there', () => {
    expect(pointer('/friends/3/nick')).toBe('/friends/3/name');
    expect(pointer('/table/a~1b~0c/nick')).toBe('/table/a~1b~0c/name');
    expect(pointer('/best/nick')).toBe('/best/name');
    expect(pointer('/friends/3/score')).toBe('/friends/3/score');
    expect(pointer('/friends/3/nick', R1)).toBe('/friends/3/nick');
  });

  it('is told at the nearest place that the client can see, and not at all where there is none', () => {
    expect(pointer('/friends/0/since')).toBe('/friends/0');
    expect(pointer('/reach/secret', R1)).toBe('/contact');
    expect(pointer('/unknown')).toBe('/unknown');
  });

  it('is not the client’s at all when it is about what the client cannot see', () => {
    const invisible: ErrorDetail = { code: 'too_long', message: '', parameter: 'reach.secret' };
    const error = { code: 'validation_failed', message: '', documentation_url: '' } as const;
    const list = planOf(translator, 'people.list');
    expect(list.error({ ...error, details: [invisible] })).toBeUndefined();
    expect(list.error({ ...error, details: [] })).toBeDefined();
    const limit: ErrorDetail = { code: 'too_large', message: '', parameter: 'limit' };
    expect(list.error({ ...error, details: [invisible, limit] })?.error).toMatchObject({
      details: [{ ...limit, message: expect.any(String) }],
    });
  });

  it('keeps the faults that can be told beside one that cannot', () => {
    const details: ErrorDetail[] = [
      { code: 'too_long', message: '', pointer: '/born' },
      { code: 'too_long', message: '', parameter: 'reach.secret' },
    ];
    const error = planOf(translator, 'people.create').error({
      code: 'validation_failed',
      message: '',
      documentation_url: '',
      details,
    });
    expect((error?.error['details'] as ErrorDetail[] | undefined)?.[0]).toEqual({
      code: 'too_long',
      message: expect.any(String),
      pointer: '/dob',
    });
  });
});

describe('a write to an object that exists', () => {
  const stored: JsonObject = {
    id: '1',
    born: '1970',
    given: 'Ada',
    family: 'King Noel',
    mood: 'well',
    reach: { mails: ['a', 'b'], phone: '1', secret: 's' },
    friends: [{ nick: 'n', since: 's', score: 1 }],
    table: {},
    best: null,
  };
  const seen = { id: '1', dob: '1970', name: 'Ada King Noel', mood: 'good', mail: 'a', phone: '1' };
  const patch = (body: JsonObject, prior: JsonObject | 'unread' = stored, version?: string): unknown =>
    planOf(translator, 'people.update', version).update(body, 'patch', prior === 'unread' ? undefined : prior);
  const replace = (body: JsonObject, prior: JsonObject | 'unread' = stored): unknown =>
    planOf(translator, 'people.replace').update(body, 'replace', prior === 'unread' ? undefined : prior);

  it('becomes a merge patch of exactly what was written, in the names of head', () => {
    expect(patch({ dob: '1971' }, 'unread')).toEqual({ born: '1971' });
    expect(patch({ phone: null }, 'unread')).toEqual({ reach: { phone: null } });
    expect(patch({ contact: { phone: '2' } }, 'unread', R1)).toEqual({ reach: { phone: '2' } });
    expect(patch({ contact: null }, 'unread', R1)).toBe('needs-prior');
    expect(patch({ best: { name: 'x', score: '2.5' } }, 'unread')).toEqual({ best: { nick: 'x', score: 2.5 } });
    expect(patch({ best: null }, 'unread')).toEqual({ best: null });
    expect(patch({})).toEqual({});
    expect(patch({ id: 'other' }, 'unread')).toEqual({ id: 'other' });
  });

  it('asks for the stored value where a change cannot do without it, and only there', () => {
    expect(patch({ mail: 'x' }, 'unread')).toBe('needs-prior');
    expect(patch({ name: 'x' }, 'unread')).toBe('needs-prior');
    expect(patch({ mood: 'good' }, 'unread')).toBe('needs-prior');
    expect(patch({ dob: null, phone: '2' }, 'unread')).not.toBe('needs-prior');
  });

  it('keeps what the older version cannot say, when it writes back what it read', () => {
    expect(replace(seen)).toMatchObject({
      given: 'Ada',
      family: 'King Noel',
      mood: 'well',
      reach: { mails: ['a', 'b'], phone: '1' },
    });
    expect(replace(seen)).not.toHaveProperty('reach.secret');
    expect(patch({ mood: 'good', mail: 'a', name: 'Ada King Noel' })).toEqual({
      given: 'Ada',
      family: 'King Noel',
      mood: 'well',
      reach: { mails: ['a', 'b'] },
    });
  });

  it('writes another value as its change says', () => {
    expect(patch({ mood: 'bad', mail: 'x', name: 'Grace Hopper' })).toEqual({
      given: 'Grace',
      family: 'Hopper',
      mood: 'ill',
      reach: { mails: ['x', 'b'] },
    });
    expect(patch({ mood: null })).toEqual({ mood: null });
  });

  it('clears by a replacement the visible members that are absent, and by null on an object its visible leaves only', () => {
    expect(replace({ name: 'Ada' })).toEqual({
      born: null,
      given: 'Ada',
      family: null,
      mood: null,
      reach: { mails: [], phone: null },
      friends: null,
      table: null,
      best: null,
    });
    expect(patch({ contact: null }, stored, R1)).toEqual({ reach: { mails: [], phone: null } });
  });

  it('renames inside lists and dictionaries that are written whole', () => {
    expect(patch({ friends: [{ name: 'n', score: '1' }], table: { a: { name: 'm' } } }, 'unread')).toEqual({
      friends: [{ nick: 'n', score: 1 }],
      table: { a: { nick: 'm' } },
    });
    expect(replace({ name: 'Ada', friends: [{ name: 'n' }] })).toMatchObject({ friends: [{ nick: 'n' }] });
  });

  it('changes neither the body nor the stored value', () => {
    const body = { mail: 'x', friends: [{ name: 'n' }], table: { a: { name: 'm' } } };
    const [before, kept] = [JSON.stringify(body), JSON.stringify(stored)];
    patch(body);
    replace(body);
    expect(JSON.stringify(body)).toBe(before);
    expect(JSON.stringify(stored)).toBe(kept);
  });
});

describe('several members that became one', () => {
  const things = translatorOf(
    contractOf(
      [object('Thing', { name: text, note: textOrNull })],
      [
        reading('things.get', 'Thing'),
        writing('things.create', 'Thing.create', 'Thing'),
        writing('things.update', 'Thing.patch', 'Thing', {
          method: 'PATCH',
          update: { read: 'things.get', patch: 'things.update', mode: 'patch' },
        }),
        writing('things.replace', 'Thing.replace', 'Thing', {
          method: 'PUT',
          update: { read: 'things.get', patch: 'things.update', mode: 'replace' },
        }),
      ],
    ),
    release(
      R1,
      on(
        'join-name',
        [
          joined({
            parts: { first: Type.String(), last: Type.String() },
            newer: 'name',
            whole: Type.String(),
            join: ({ first, last }) => `${first} ${last}`,
            split: (name) => {
              const [first = '', last = ''] = name.split(' ');
              return { first, last };
            },
          }),
        ],
        'Thing',
      ),
    ),
  );
  const stored = { name: 'Ada King', note: null };

  it('are joined and split again', () => {
    expect(planOf(things, 'things.get').response(stored, undefined)).toEqual({
      first: 'Ada',
      last: 'King',
      note: null,
    });
    expect(overTheWire(planOf(things, 'things.create').body({ first: 'A', last: 'B' }))).toEqual({ name: 'A B' });
  });

  it('need the stored whole when only one is written, and keep the other', () => {
    const write = planOf(things, 'things.update');
    expect(write.update({ last: 'Noel' }, 'patch', undefined)).toBe('needs-prior');
    expect(write.update({ last: 'Noel' }, 'patch', stored)).toEqual({ name: 'Ada Noel' });
    expect(write.update({ first: 'A', last: 'B' }, 'patch', undefined)).toEqual({ name: 'A B' });
    expect(write.update({ note: 'x' }, 'patch', undefined)).toEqual({ note: 'x' });
    const whole = planOf(things, 'things.replace').update({ first: 'A', last: 'B' }, 'replace', undefined);
    expect(whole).toEqual({ name: 'A B', note: null });
  });
});

describe('a member that only the service sets', () => {
  const things = translatorOf(
    contractOf(
      [object('Thing', { name: text, made: { type: 'number', readOnly: true } })],
      [
        reading('things.get', 'Thing'),
        writing('things.create', 'Thing.create', 'Thing'),
        writing('things.replace', 'Thing.replace', 'Thing', {
          method: 'PUT',
          update: { read: 'things.get', patch: 'things.replace', mode: 'replace' },
        }),
      ],
    ),
    release(
      R1,
      on(
        'number-made',
        [
          converted('made', {
            older: Type.String({ readOnly: true }),
            newer: Type.Number(),
            down: String,
            up: (made) => {
              if (!/^\d+$/.test(made)) throw new Error('no number');
              return Number(made);
            },
          }),
        ],
        'Thing',
      ),
    ),
  );

  it('may be sent back with whatever value: it is ignored, and no converter is troubled with it', () => {
    for (const made of ['12', 'junk', { deep: true }, null]) {
      expect(things.validator(BASE).body('Thing.create', { name: 'n', made })).toEqual([]);
      expect(overTheWire(planOf(things, 'things.create').body({ name: 'n', made }))).toEqual({ name: 'n' });
      expect(planOf(things, 'things.replace').update({ name: 'n', made }, 'replace', undefined)).toEqual({ name: 'n' });
    }
    expect(planOf(things, 'things.get').response({ name: 'n', made: 12 }, undefined)).toEqual({
      name: 'n',
      made: '12',
    });
  });
});

describe('a converter', () => {
  it('gets the request’s context of its own change and no other', () => {
    const seenContexts: unknown[] = [];
    const remember = (id: string, value: string): Change =>
      change({
        id,
        sentence: 'Remembers.',
        resources: [
          {
            resource: 'Thing',
            edits: [
              relate({
                older: [{ path: `older_${id}`, schema: Type.String() }],
                newer: [`newer_${id}`],
                down: ([given], _priors, context) => {
                  seenContexts.push(context);
                  return [`${String(given)}${String(context)}`];
                },
              }),
            ],
          },
        ],
        operations: [
          { kind: 'query', of: ['things.get'], removes: [], adds: [], up: (query) => ({ query, context: value }) },
        ],
      });
    const things = translatorOf(
      contractOf([object('Thing', { newer_a: text, newer_b: text })], [reading('things.get', 'Thing')]),
      release(R1, remember('a', '1')),
      release(R2, remember('b', '2')),
    );
    const plan = planOf(things, 'things.get');
    const { contexts } = plan.query({});
    expect(contexts).toEqual({ a: '1', b: '2' });
    expect(plan.response({ newer_a: 'x', newer_b: 'y' }, contexts)).toEqual({ older_a: 'x1', older_b: 'y2' });
    expect(seenContexts.sort()).toEqual(['1', '2']);
  });
});

function told(operation: string, detail: ErrorDetail, version?: string): ErrorDetail | undefined {
  const error = planOf(translator, operation, version).error({
    code: 'validation_failed',
    message: '',
    documentation_url: '',
    details: [detail],
  });
  return (error?.error['details'] as ErrorDetail[] | undefined)?.[0];
}
