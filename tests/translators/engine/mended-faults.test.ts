import { describe, expect, it } from '@jest/globals';
import type { Parameter } from '@perennial/schemas/operation.ts';
import { listParameters } from '@perennial/schemas/operations/parameters.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { change, type OperationEdit } from '@perennial/translators/engine/change.ts';
import {
  added,
  converted,
  listed,
  mapped,
  movedPath,
  rename,
  renamedError,
  renamedParameter,
} from '@perennial/translators/engine/describe.ts';
import type { Edit } from '@perennial/translators/engine/edit.ts';
import { TranslationFailed } from '@perennial/translators/engine/failures.ts';
import { mergePatch } from '@perennial/translators/engine/update.ts';
import Type from 'typebox';
import {
  BASE,
  contractOf,
  faultsOf,
  object,
  planOf,
  reading,
  release,
  text,
  translatorOf,
  writing,
} from './fixture.ts';

/*
 * Each of these went wrong once, on a change that somebody would write.
 */
const R1 = '2021-01-01';
const R2 = '2022-01-01';
const edited = (id: string, ...edits: readonly Edit[]) =>
  change({ id, sentence: 'A change.', resources: [{ resource: 'Thing', edits }] });
const operated = (id: string, ...operations: readonly OperationEdit[]) =>
  change({ id, sentence: 'A change.', operations });

const Thing = object('Thing', {
  id: { ...text, readOnly: true },
  size: { type: 'integer', minimum: 0, maximum: 10 },
  label: text,
});
const contract = contractOf([Thing], [writing('things.create', 'Thing.create', 'Thing')]);

describe('a converter that makes what head refuses', () => {
  const tenfold = converted('size', {
    older: Type.Integer({ minimum: 0, maximum: 10 }),
    newer: Type.Integer(),
    down: (size) => Math.round(size / 10),
    up: (size) => size * 10,
  });

  it('is to blame itself, and not the client at its own valid field', () => {
    const plan = planOf(translatorOf(contract, release(R1, edited('measure-tenfold', tenfold))), 'things.create');
    expect(plan.body({ size: 1, label: 'a' })).toEqual({ size: 10, label: 'a' });
    expect(() => plan.body({ size: 2, label: 'a' })).toThrow(TranslationFailed);
    expect(() => plan.body({ size: 2, label: 'a' })).toThrow(`the change ${R1}/measure-tenfold failed`);
    // What no converter made is core's to judge.
    expect(plan.body({ size: 1 })).toEqual({ size: 10 });
  });
});

describe('the code of an error', () => {
  const Report = object('Report', {
    results: { type: 'array', items: { anyOf: [{ $ref: 'ErrorBody' }, { type: 'null' }] } },
  });
  const translator = translatorOf(
    contractOf([Report], [reading('reports.get', 'Report', { errors: ['not_found'] })]),
    release(R1, operated('rename-not-found', renamedError('object_not_found', 'not_found', 410))),
  );
  const error = { code: 'not_found' as const, message: 'No.', details: [], documentation_url: '/errors#not_found' };

  it('is the older one inside the bodies of answers too', () => {
    const plan = planOf(translator, 'reports.get');
    expect(plan.touchesResponse).toBe(true);
    expect(plan.response({ results: [error, null] }, undefined)).toMatchObject({
      results: [{ code: 'object_not_found' }, null],
    });
  });

  it('comes with its own link and status', () => {
    const older = planOf(translator, 'reports.get').error(error);
    expect(older).toMatchObject({
      error: { code: 'object_not_found', documentation_url: '/errors#object_not_found' },
      status: 410,
    });
    expect(translator.contract(BASE).resources.get('ErrorBody')?.properties?.['code']?.enum).toContain(
      'object_not_found',
    );
  });
});

describe('a field that was added and then renamed', () => {
  const Log = object('Log', {
    fields: { type: 'array', items: { type: 'string', 'x-field-of': 'Thing' } },
    field: { type: 'string', 'x-field-of': 'Thing', enum: ['size', 'label'] },
  });
  const translator = translatorOf(
    contractOf([Thing, Log], [writing('logs.create', 'Log', 'Log')]),
    release(R1, edited('add-tag', added('tag', { initially: '' }))),
    release(R2, edited('rename-tag-to-label', rename('tag', 'label'))),
  );

  it('has, as a value, the name that the contract of every version gives it', () => {
    const promised = (version: string) =>
      translator.contract(version).resources.get('Log')?.properties?.['field']?.enum;
    for (const [version, name] of [
      [R2, 'label'],
      [R1, 'tag'],
      [BASE, 'tag'],
    ] as const) {
      expect(promised(version)).toEqual(['size', name]);
      const plan = planOf(translator, 'logs.create', version);
      expect(plan.response({ fields: ['size'], field: 'label' }, undefined)).toEqual({ fields: ['size'], field: name });
      expect(plan.body({ fields: ['size'], field: name })).toEqual({ fields: ['size'], field: 'label' });
    }
    // To a version that has no such field, a list does not name it.
    expect(planOf(translator, 'logs.create').response({ fields: ['size', 'label'], field: 'size' }, undefined)).toEqual(
      {
        fields: ['size'],
        field: 'size',
      },
    );
  });
});

describe('a parameter that was renamed', () => {
  const older: Parameter = { name: 'token', in: 'query', description: 'Position.', schema: { type: 'string' } };
  const parameters = listParameters('Thing', ['size']);
  const translator = translatorOf(
    contractOf([Thing], [reading('things.list', 'Thing.page', { parameters })]),
    release(R1, operated('rename-token', renamedParameter('things.list', older, 'cursor'))),
  );

  it('is blamed under its older name', () => {
    const fault = { code: 'cursor_invalid' as const, message: 'No.', parameter: 'cursor' };
    const error = { code: 'validation_failed' as const, message: '', details: [fault], documentation_url: '' };
    expect(planOf(translator, 'things.list').error(error)?.error['details']).toEqual([
      { ...fault, message: expect.any(String), parameter: 'token' },
    ]);
  });
});

describe('an older PUT', () => {
  const Table = object('Table', {
    id: { ...text, readOnly: true },
    title: text,
    entries: { type: 'object', additionalProperties: { type: 'string' } },
  });
  const update = { mode: 'replace' as const, read: 'tables.get', patch: 'tables.update' };
  const operations = [
    reading('tables.get', 'Table', { path: '/tables/{id}' }),
    writing('tables.replace', 'Table.replace', 'Table', { method: 'PUT', path: '/tables/{id}', update }),
    writing('tables.update', 'Table.patch', 'Table', {
      method: 'PATCH',
      path: '/tables/{id}',
      update: { ...update, mode: 'patch' },
    }),
  ];
  const renamed = change({
    id: 'rename-name-to-title',
    sentence: 'A change.',
    resources: [{ resource: 'Table', edits: [rename('name', 'title')] }],
  });
  const plan = planOf(translatorOf(contractOf([Table], operations), release(R1, renamed)), 'tables.replace');

  it('removes the entries of a dictionary that it leaves out', () => {
    const body = { name: 'a', entries: { kept: '1', fresh: '2' } };
    expect(plan.update(body, 'replace', undefined)).toBe('needs-prior');
    const stored = { id: 'x', title: 'b', entries: { kept: '0', gone: '3' } };
    const patch = plan.update(body, 'replace', stored) as JsonObject;
    expect(mergePatch(stored, patch)).toEqual({ id: 'x', title: 'a', entries: { kept: '1', fresh: '2' } });
  });
});

describe('a merge patch', () => {
  it('takes a member called __proto__ for data', () => {
    const patch = JSON.parse('{"__proto__":{"admin":true},"a":{"__proto__":null,"b":1}}') as JsonObject;
    const merged = mergePatch({ a: {} }, patch);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect((merged as { admin?: unknown }).admin).toBeUndefined();
    expect(Object.getOwnPropertyNames(merged)).toContain('__proto__');
    expect(merged['a']).toEqual({ b: 1 });
  });
});

describe('a value that became a list', () => {
  const Tagged = object('Thing', { tags: { type: 'array', items: text } });
  const operations = [
    reading('things.get', 'Thing', { path: '/things/{id}' }),
    writing('things.update', 'Thing.patch', 'Thing', {
      method: 'PATCH',
      path: '/things/{id}',
      update: { mode: 'patch', read: 'things.get', patch: 'things.update' },
    }),
  ];
  const list = listed({ older: 'tag', newer: 'tags', value: Type.String(), item: Type.String() });
  const plan = planOf(
    translatorOf(contractOf([Tagged], operations), release(R1, edited('list-tags', list))),
    'things.update',
  );

  it('has no entry twice when it is set to one that stands further down', () => {
    expect(plan.update({ tag: '2' }, 'patch', { tags: ['1', '2', '3'] })).toEqual({ tags: ['2', '3'] });
    expect(plan.update({ tag: '4' }, 'patch', { tags: ['1', '2'] })).toEqual({ tags: ['4', '2'] });
  });
});

describe('words', () => {
  const Worded = object('Thing', {
    moods: { type: 'array', items: { type: 'string', enum: ['fine', 'ill'] } },
    label: text,
  });
  const worded = contractOf([Worded], [writing('things.create', 'Thing', 'Thing')]);

  it('are mapped one by one in a list', () => {
    const words = { down: { fine: 'well', ill: 'sick' }, up: { well: 'fine', sick: 'ill' } };
    const translator = translatorOf(worded, release(R1, edited('rename-moods', mapped('moods', words))));
    const plan = planOf(translator, 'things.create');
    expect(plan.response({ moods: ['ill', 'fine'], label: '' }, undefined)).toEqual({
      moods: ['sick', 'well'],
      label: '',
    });
    expect(plan.body({ moods: ['sick'], label: '' })).toEqual({ moods: ['ill'], label: '' });
    expect(translator.contract(BASE).resources.get('Thing')?.properties?.['moods']?.items?.enum).toEqual([
      'well',
      'sick',
    ]);
  });

  it('cannot be mapped where there are none, or where the stored word would be forgotten', () => {
    const two = { down: { fine: 'well', ill: 'well' }, up: { well: 'fine' } };
    expect(faultsOf(() => translatorOf(worded, release(R1, edited('map-moods', mapped('moods', two)))))[0]).toMatch(
      /map-moods does not fit Thing: "moods" is a list, of which nothing says which stored word/,
    );
    const none = { down: { a: 'b' }, up: { b: 'a' } };
    expect(faultsOf(() => translatorOf(worded, release(R1, edited('map-label', mapped('label', none)))))[0]).toMatch(
      /"label" is neither one of a list of words nor a list of such/,
    );
  });
});

describe('a change that changes nothing', () => {
  const operation = reading('things.get', 'Thing', { path: '/things/{id}', errors: ['not_found'] });
  const plain = contractOf(
    [Thing],
    [operation, reading('things.list', 'Thing', { parameters: listParameters('Thing', ['size']) })],
  );
  const same: Parameter = { name: 'cursor', in: 'query', description: 'Position.', schema: { type: 'string' } };
  it.each([
    ['a rename', edited('rename-it', rename('label', 'label')), '"label" is where it was'],
    [
      'a path',
      operated('move-it', movedPath('things.get', '/things/{id}')),
      'things.get has the path /things/{id} already',
    ],
    ['an error', operated('rename-it', renamedError('not_found', 'not_found')), 'the code is not_found already'],
    [
      'a parameter',
      operated('rename-it', renamedParameter('things.list', same, 'cursor')),
      'the parameter is called cursor already',
    ],
  ])('is refused at start: %s', (_what, unchanging, why) => {
    expect(faultsOf(() => translatorOf(plain, release(R1, unchanging)))).toContain(
      `change ${R1}/${unchanging.id} changes nothing: ${why}`,
    );
  });

  it('is refused for an older path that could not be served', () => {
    const moved = (older: string) =>
      faultsOf(() => translatorOf(plain, release(R1, operated('move-it', movedPath('things.get', older)))));
    expect(moved('/items/{item}')).toContainEqual(
      expect.stringContaining(
        'the older path /items/{item} of things.get has other parameters than /things/{id}: both need {id}',
      ),
    );
    expect(moved('/things.list')).toContainEqual(expect.stringContaining('two operations at GET /things.list'));
  });
});

describe('the tag of an answer', () => {
  const with_ = (down: (size: number) => number, mended?: number) =>
    planOf(
      translatorOf(
        contract,
        release(R1, {
          ...edited(
            'measure-otherwise',
            converted('size', { older: Type.Integer(), newer: Type.Integer(), down, up: (size) => size }),
          ),
          ...(mended === undefined ? {} : { mended }),
        }),
      ),
      'things.create',
    ).representation;

  it('is another one once a converter was mended', () => {
    const tag = with_((size) => size + 1);
    expect(with_((size) => size + 1)).toBe(tag);
    expect(with_((size) => size + 2)).not.toBe(tag);
    // Where only what the converter calls was mended, the change says so.
    expect(with_((size) => size + 1, 1)).not.toBe(tag);
  });
});
