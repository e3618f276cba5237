import { describe, expect, it } from '@jest/globals';
import { filter, listParameters } from '@perennial/schemas/operations/parameters.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { type Change, change, type OperationEdit } from '@perennial/translators/engine/change.ts';
import {
  becameRequired,
  changedDefault,
  changedError,
  changedParameterDefault,
  converted,
  joined,
  listed,
  relatedParameters,
  rename,
  renamedError,
  split,
  succeeded,
  widened,
} from '@perennial/translators/engine/describe.ts';
import type { Edit } from '@perennial/translators/engine/edit.ts';
import { TranslationFailed } from '@perennial/translators/engine/failures.ts';
import Type from 'typebox';
import { contractOf, faultsOf, object, planOf, reading, release, text, translatorOf, writing } from './fixture.ts';

/*
 * Members and parameters that are what they were and follow other rules: needed now, another meaning of leaving them
 * out, more that is allowed; errors of one operation; filters that can be asked and filters that cannot.
 */
const R1 = '2021-01-01';

const Order = object(
  'Order',
  {
    id: { ...text, readOnly: true },
    currency: { type: 'string', minLength: 3, maxLength: 3 },
    speed: { type: 'string', enum: ['slow', 'fast'], default: 'fast' },
    note: { type: 'string', maxLength: 20 },
    given: text,
    family: text,
    score: { type: 'number' },
    whole: text,
    tags: { type: 'array', items: text },
  },
  ['speed'],
);
const update = { read: 'orders.get', patch: 'orders.update' } as const;
const order = {
  name: 'order',
  in: 'query',
  description: 'Order.',
  schema: { type: 'string', default: 'new' },
} as const;
const term = { name: 'term', in: 'query', description: 'Text.', schema: { type: 'string' } } as const;
const contract = contractOf(
  [Order],
  [
    reading('orders.get', 'Order', { errors: ['not_found'] }),
    reading('orders.list', 'Order.page', {
      parameters: [
        ...listParameters('Order', ['currency', 'given']),
        filter('Order', 'currency', 'Currency.', text),
        filter('Order', 'given', 'Given name.', text),
        filter('Order', 'family', 'Family name.', text),
        filter('Order', 'score', 'Score.', { type: 'number' }),
        filter('Order', 'whole', 'Whole.', text),
        filter('Order', 'tags', 'Tag.', text),
        order,
        term,
      ],
    }),
    writing('orders.create', 'Order.create', 'Order'),
    writing('orders.replace', 'Order.replace', 'Order', { method: 'PUT', update: { ...update, mode: 'replace' } }),
    writing('orders.update', 'Order.patch', 'Order', { method: 'PATCH', update: { ...update, mode: 'patch' } }),
    reading('orders.delete', 'Order', { method: 'DELETE', errors: ['not_found', 'conflict'] }),
  ],
);
const on = (id: string, ...edits: readonly Edit[]): Change =>
  change({ id, sentence: 'Changed.', resources: [{ resource: 'Order', edits }] });
const operated = (id: string, ...operations: readonly OperationEdit[]): Change =>
  change({ id, sentence: 'Changed.', operations });
const made = (...changes: readonly Change[]) => translatorOf(contract, release(R1, ...changes));
const refused = (...changes: readonly Change[]): string => faultsOf(() => made(...changes)).join('\n');
const error = (code: 'not_found' | 'conflict') => ({ code, message: 'No.', details: [], documentation_url: '' });

describe('a member that must be given now', () => {
  const translator = made(on('need-currency', becameRequired('currency', 'EUR')));
  const olderBodies = translator.validator('2020-01-01');
  const rest = { note: 'a', given: 'b', family: 'c', score: 1, whole: 'd', tags: [] };

  it('may be left out by older clients, and is written as what that meant', () => {
    expect(olderBodies.body('Order.create', rest)).toEqual([]);
    expect(planOf(translator, 'orders.create').body(rest)).toEqual({ ...rest, currency: 'EUR' });
    expect(planOf(translator, 'orders.create').body({ ...rest, currency: 'CHF' })).toEqual({
      ...rest,
      currency: 'CHF',
    });
  });

  it('is refused by the newer version when it is left out', () => {
    expect(translator.validator(R1).body('Order.create', rest)).toMatchObject([{ pointer: '/currency' }]);
  });

  it('is left alone by a patch that does not name it, and set by one that clears it', () => {
    const patch = planOf(translator, 'orders.update');
    expect(patch.update({ note: 'x' }, 'patch', undefined)).toEqual({ note: 'x' });
    expect(patch.update({ currency: null }, 'patch', undefined)).toEqual({ currency: 'EUR' });
    expect(planOf(translator, 'orders.replace').update(rest as JsonObject, 'replace', undefined)).toMatchObject({
      currency: 'EUR',
    });
  });

  it('can still be sorted and filtered by', () => {
    const { query } = planOf(translator, 'orders.list').query({ currency: 'CHF', sort: '-currency' });
    expect(query).toEqual({ currency: 'CHF', sort: '-currency' });
  });

  it('is not given what the newer version refuses', () => {
    expect(refused(on('need-currency', becameRequired('currency', 'EURO')))).toMatch(/refuses "EURO" \(too_long\)/);
  });
});

describe('a default', () => {
  it('of a member is what it was for older clients', () => {
    const translator = made(on('hurry', changedDefault('speed', 'slow')));
    const older = translator.contract('2020-01-01').resources.get('Order');
    expect(older?.properties?.['speed']?.default).toBe('slow');
    expect(planOf(translator, 'orders.create').body({ currency: 'EUR' })).toEqual({ currency: 'EUR', speed: 'slow' });
    expect(planOf(translator, 'orders.create').body({ speed: 'fast' })).toEqual({ speed: 'fast' });
    expect(refused(on('hurry', changedDefault('speed', 'fast')))).toMatch(/what leaving it out means now/);
  });

  it('of a parameter is what it was for older clients', () => {
    const translator = made(operated('newest-first', changedParameterDefault('orders.list', 'order', 'old')));
    const plan = planOf(translator, 'orders.list');
    expect(plan.operation.parameters.find(({ name }) => name === 'order')?.schema.default).toBe('old');
    expect(plan.query({}).query).toEqual({ order: 'old' });
    expect(plan.query({ order: 'new' }).query).toEqual({ order: 'new' });
    const same = operated('newest-first', changedParameterDefault('orders.list', 'order', 'new'));
    expect(refused(same)).toMatch(/the parameter order is the same already/);
    const none = operated('newest-first', changedParameterDefault('orders.list', 'nothing', 'new'));
    expect(refused(none)).toMatch(/no operation has the parameter nothing/);
  });
});

describe('a member that takes more than it did', () => {
  const cut = on(
    'longer-notes',
    widened<string>('note', { maxLength: 5 }, (note) => note.slice(0, 5)),
  );
  const translator = made(cut);

  it('has its older rules, and shows what fits them', () => {
    const older = translator.validator('2020-01-01');
    expect(older.body('Order.patch', { note: 'a long note' })).toMatchObject([{ pointer: '/note' }]);
    const answer = planOf(translator, 'orders.get').response({ note: 'a long note' }, undefined);
    expect(answer).toMatchObject({ note: 'a lon' });
    expect(planOf(translator, 'orders.get').response({ note: 'short' }, undefined)).toMatchObject({ note: 'short' });
  });

  it('keeps what is stored when an older client writes back what it was shown', () => {
    const patch = planOf(translator, 'orders.update');
    expect(patch.update({ note: 'a lon' }, 'patch', undefined)).toBe('needs-prior');
    expect(patch.update({ note: 'a lon' }, 'patch', { note: 'a long note' })).toEqual({ note: 'a long note' });
    expect(patch.update({ note: 'other' }, 'patch', { note: 'a long note' })).toEqual({ note: 'other' });
  });

  it('must take more', () => {
    const same = on(
      'longer-notes',
      widened<string>('note', { maxLength: 20 }, (note) => note),
    );
    expect(refused(same)).toMatch(/same rules in both versions/);
  });
});

describe('an error of one operation', () => {
  const translator = made(
    operated('tell-conflicts', changedError('orders.delete', { code: 'in_use', status: 400 }, 'conflict')),
    operated('tell-missing', succeeded('orders.delete', 'not_found')),
  );

  it('has its older code and status there, and nowhere else', () => {
    const older = planOf(translator, 'orders.delete').error(error('conflict'));
    expect(older).toMatchObject({ status: 400, error: { code: 'in_use', documentation_url: '/errors#in_use' } });
    expect(planOf(translator, 'orders.get').error(error('conflict'))).toMatchObject({
      status: undefined,
      error: { code: 'conflict' },
    });
    expect(translator.error('2020-01-01', error('conflict'), 'orders.delete')).toMatchObject({ status: 400 });
    expect(translator.error('2020-01-01', error('conflict'))).toMatchObject({ error: { code: 'conflict' } });
  });

  it('was a success where the older version had one', () => {
    expect(planOf(translator, 'orders.delete').error(error('not_found'))?.success).toEqual({ status: 204 });
    expect(planOf(translator, 'orders.get').error(error('not_found'))?.success).toBeUndefined();
    expect(planOf(translator, 'orders.delete', R1).error(error('not_found'))?.success).toBeUndefined();
  });

  it('follows a code that every operation renamed later', () => {
    const renamed = translatorOf(
      contract,
      release(R1, operated('tell-conflicts', changedError('orders.delete', { code: 'in_use' }, 'conflict'))),
      release('2022-01-01', operated('name-conflicts', renamedError('clash', 'conflict'))),
    );
    expect(planOf(renamed, 'orders.delete', R1).error(error('conflict'))?.error['code']).toBe('clash');
    expect(planOf(renamed, 'orders.get').error(error('conflict'))?.error['code']).toBe('clash');
  });

  it.each([
    ['there is none', changedError('orders.none', { code: 'a' }, 'conflict'), /there is no operation orders.none/],
    ['it is not its own', changedError('orders.get', { code: 'a' }, 'conflict'), /does not answer the error conflict/],
    ['it is the same', changedError('orders.delete', { code: 'conflict' }, 'conflict'), /answers conflict already/],
  ])('is refused where %s', (_what, edit, message) => {
    expect(refused(operated('tell-conflicts', edit))).toMatch(message);
  });
});

describe('a filter', () => {
  const parts = { given: Type.String(), family: Type.String() };
  const splitName = split({
    older: 'name',
    whole: Type.String(),
    parts,
    join: ({ given, family }) => `${given} ${family}`,
    split: (name) => ({ given: name.split(' ')[0] ?? '', family: name.split(' ').slice(1).join(' ') }),
  });
  const parametersOf = (translator: ReturnType<typeof made>): readonly string[] =>
    planOf(translator, 'orders.list').operation.parameters.map(({ name }) => name);

  it('becomes several where each part can be asked for', () => {
    const translator = made(on('split-name', splitName));
    expect(parametersOf(translator).filter((name) => ['name', 'given', 'family'].includes(name))).toEqual(['name']);
    expect(planOf(translator, 'orders.list').query({ name: 'Amara Okafor' }).query).toEqual({
      given: 'Amara',
      family: 'Okafor',
    });
  });

  it('ends where a part can be null, or cannot be asked for', () => {
    const nullable = contractOf(
      [{ ...Order, properties: { ...Order.properties, family: { type: ['string', 'null'] } } }],
      contract.operations,
    );
    expect(parametersOf(translatorOf(nullable, release(R1, on('split-name', splitName))))).not.toContain('name');
  });

  it('ends where nothing leads up from the older value alone', () => {
    const oneWay = converted('score', { older: Type.String(), newer: Type.Number(), down: String });
    expect(parametersOf(made(on('word-score', oneWay)))).not.toContain('score');
    const two = joined({
      parts: { first: Type.String(), last: Type.String() },
      newer: 'whole',
      whole: Type.String(),
      split: (whole) => ({ first: whole.slice(0, 1), last: whole.slice(1) }),
      join: ({ first, last }) => `${first}${last}`,
    });
    expect(parametersOf(made(on('join-names', two)))).not.toEqual(expect.arrayContaining(['first']));
    const list = listed({ older: 'tag', newer: 'tags', value: Type.String(), item: Type.String() });
    expect(parametersOf(made(on('list-tags', list)))).not.toContain('tag');
  });

  it('is asked as its change says, in any number of parameters', () => {
    const older = (name: string) => ({ name, in: 'query', description: name, schema: { type: 'string' } }) as const;
    const translator = made(
      operated(
        'one-term',
        relatedParameters({
          of: ['orders.list'],
          older: [older('title'), older('author')],
          newer: ['term'],
          up: ({ title, author }) => ({ term: [title, author].filter((each) => each !== undefined).join(' ') }),
        }),
      ),
    );
    const plan = planOf(translator, 'orders.list');
    expect(plan.query({ title: 'a', author: 'b', order: 'new' }).query).toEqual({ term: 'a b', order: 'new' });
    expect(plan.query({ order: 'new' }).query).toEqual({ order: 'new' });
    expect(parametersOf(translator)).toEqual(expect.arrayContaining(['title', 'author']));
    expect(parametersOf(translator)).not.toContain('term');
  });

  it('is never asked with what is nothing', () => {
    const odd = converted('score', {
      older: Type.String(),
      newer: Type.Number(),
      down: String,
      up: () => undefined as never,
    });
    const plan = planOf(made(on('word-score', odd)), 'orders.list');
    expect(() => plan.query({ score: 'high' })).toThrow(TranslationFailed);
  });
});

describe('an object that takes members without a name', () => {
  it.each([
    ['the resource', { ...Order, additionalProperties: text }, 'it may have members'],
    [
      'a part of it',
      {
        ...Order,
        properties: {
          ...Order.properties,
          more: { type: 'object', properties: { a: text }, additionalProperties: true },
        },
      },
      '"more" may have members',
    ],
  ])('is not translated, because they would be lost: %s', (_what, schema, message) => {
    const open = contractOf([schema], contract.operations);
    const described = on('need-currency', becameRequired('currency', 'EUR'));
    expect(faultsOf(() => translatorOf(open, release(R1, described))).join('\n')).toContain(message);
  });

  it('is translated where it has no others: a dictionary is carried whole', () => {
    const table = { type: 'object', additionalProperties: text } as const;
    const dictionary = contractOf([{ ...Order, properties: { ...Order.properties, table } }], contract.operations);
    const plan = planOf(translatorOf(dictionary, release(R1, on('name-note', rename('remark', 'note')))), 'orders.get');
    expect(plan.response({ note: 'a', table: { x: 'y' } }, undefined)).toMatchObject({
      remark: 'a',
      table: { x: 'y' },
    });
  });
});
