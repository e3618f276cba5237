import { describe, expect, it } from '@jest/globals';
import { pathId } from '@perennial/schemas/operations/parameters.ts';
import { change, type OperationEdit } from '@perennial/translators/engine/change.ts';
import { changedMethod, ended, movedPath } from '@perennial/translators/engine/describe.ts';
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
 * What changes in how an operation is called: whether it is there, its method, the names in its path.
 */
const R1 = '2021-01-01';
const R2 = '2022-01-01';
const Thing = object('Thing', { id: { ...text, readOnly: true }, label: text });
const contract = contractOf(
  [Thing],
  [
    reading('things.get', 'Thing', { path: '/things/{thing_id}', parameters: [pathId('thing_id', 'The thing.')] }),
    writing('things.update', 'Thing.patch', 'Thing', { method: 'PATCH', path: '/things/{thing_id}' }),
    writing('things.old', 'Thing', 'Thing', { path: '/old-things' }),
  ],
);
const operated = (id: string, ...operations: readonly OperationEdit[]) =>
  change({ id, sentence: 'A change.', operations });
const idsAt = (translator: ReturnType<typeof translatorOf>, version: string) =>
  translator.contract(version).operations.map(({ id }) => id);

describe('an operation that ends', () => {
  const translator = translatorOf(
    contract,
    release(R1, operated('begin', movedPath('things.get', '/items/{thing_id}'))),
    release(R2, operated('end-old-things', ended('things.old'))),
  );

  it('is there before the release that ends it, and not from there on', () => {
    expect(idsAt(translator, BASE)).toContain('things.old');
    expect(idsAt(translator, R1)).toContain('things.old');
    expect(idsAt(translator, R2)).not.toContain('things.old');
    expect(translator.plan(R2, 'things.old')).toBeUndefined();
    expect(planOf(translator, 'things.old', R1).changes).toEqual([`${R2}/end-old-things`]);
  });

  it('must be one', () => {
    expect(faultsOf(() => translatorOf(contract, release(R1, operated('end-it', ended('things.none')))))).toEqual([
      `change ${R1}/end-it matches nothing: there is no operation things.none`,
    ]);
  });
});

describe('a path', () => {
  const translator = translatorOf(
    contract,
    release(R1, operated('rename-item', movedPath('things.get', '/items/{item}', { item: 'thing' }))),
    release(R2, operated('rename-thing', movedPath('things.get', '/things/{thing}', { thing: 'thing_id' }))),
  );

  it('has the names of its version, and core is asked under its own', () => {
    const plan = planOf(translator, 'things.get');
    expect(plan.operation.path).toBe('/items/{item}');
    expect(plan.operation.parameters.map(({ name }) => name)).toEqual(['item']);
    expect(plan.parameters({ item: 'a' })).toEqual({ thing_id: 'a' });
    expect(planOf(translator, 'things.get', R1).parameters({ thing: 'a' })).toEqual({ thing_id: 'a' });
    const given = { thing_id: 'a' };
    expect(planOf(translator, 'things.get', R2).parameters(given)).toBe(given);
  });

  it('is blamed under its older name', () => {
    const fault = { code: 'too_long' as const, message: 'No.', parameter: 'thing_id' };
    const error = { code: 'validation_failed' as const, message: '', details: [fault], documentation_url: '' };
    expect(planOf(translator, 'things.get').error(error)?.error['details']).toEqual([
      { ...fault, message: expect.any(String), parameter: 'item' },
    ]);
  });
});

describe('a method', () => {
  it('is the older one before, and head is asked with its own', () => {
    const translator = translatorOf(
      contract,
      release(R1, operated('patch-things', changedMethod('things.update', 'POST'))),
    );
    const plan = planOf(translator, 'things.update');
    expect([plan.operation.method, plan.head.method]).toEqual(['POST', 'PATCH']);
  });

  it.each([
    [
      'that is the same',
      changedMethod('things.update', 'PATCH'),
      /changes nothing: things.update has the method PATCH already/,
    ],
    [
      'without the body that the other has',
      changedMethod('things.update', 'GET'),
      /one has a body and the other has none/,
    ],
    [
      'that another operation has there',
      changedMethod('things.update', 'POST'),
      /two operations at POST \/things\/\{thing_id\}/,
    ],
  ])('is refused %s', (_what, edit, message) => {
    const extra = writing('things.post', 'Thing.patch', 'Thing', { path: '/things/{thing_id}' });
    const other = { ...contract, operations: [...contract.operations, extra] };
    const faults = faultsOf(() => translatorOf(other, release(R1, operated('change-method', edit))));
    expect(faults.join('\n')).toMatch(message);
  });
});
