import { describe, expect, it } from '@jest/globals';
import { listParameters } from '@perennial/schemas/operations/parameters.ts';
import { addDays } from '@perennial/schemas/platform/calendar.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { change, type ReleaseChanges } from '@perennial/translators/engine/change.ts';
import {
  changedStatus,
  mapped,
  movedPath,
  relate,
  rename,
  renamedError,
  renamedParameter,
} from '@perennial/translators/engine/describe.ts';
import Type from 'typebox';
import { BASE, contractOf, inline, object, planOf, reading, release, text, translatorOf, writing } from './fixture.ts';

const RELEASES = 200;
const dayOf = (index: number): string => addDays(BASE, index + 1);

/** 200 releases that each rename the one member of `Busy`: `f0` in the oldest version is `f200` at head. */
const contract = contractOf(
  [object('Busy', { f200: text, other: text }), object('Calm', { f200: text, inner: inline({ a: text }) })],
  [
    reading('busy.get', 'Busy'),
    reading('calm.get', 'Calm'),
    writing('calm.create', 'Calm.create', 'Calm'),
    writing('busy.create', 'Busy.create', 'Busy'),
  ],
);
const releases: readonly ReleaseChanges[] = Array.from({ length: RELEASES }, (_, index) =>
  release(
    dayOf(index),
    change({
      id: `rename-${index}`,
      sentence: 'Renamed.',
      resources: [{ resource: 'Busy', edits: [rename(`f${index}`, `f${index + 1}`)] }],
    }),
  ),
);
const translator = translatorOf(contract, ...releases);

/** Counts what is read of a body. */
function watched(body: JsonObject): { readonly body: JsonObject; readonly reads: Map<string, number> } {
  const reads = new Map<string, number>();
  return {
    reads,
    body: new Proxy(body, {
      get(target, name) {
        if (typeof name === 'string') reads.set(name, (reads.get(name) ?? 0) + 1);
        return target[name as string];
      },
      ownKeys() {
        throw new Error('a body is read by the names of its contract, never enumerated');
      },
    }),
  };
}

describe('renames that follow one another', () => {
  it('collapse into one access to the one property that is there', () => {
    const { body, reads } = watched({ f200: 'value', other: 'o' });
    expect(planOf(translator, 'busy.get').response(body, undefined)).toEqual({ f0: 'value', other: 'o' });
    expect([...reads]).toEqual([
      ['f200', 1],
      ['other', 1],
    ]);
    const sent = watched({ f0: 'value', other: 'o' });
    expect(planOf(translator, 'busy.create').body(sent.body)).toEqual({ f200: 'value', other: 'o' });
    expect([...sent.reads]).toEqual([
      ['f0', 1],
      ['other', 1],
    ]);
  });

  it('read the name that each version has', () => {
    for (const index of [0, 1, 99, 198, 199])
      expect(planOf(translator, 'busy.get', dayOf(index)).response({ f200: 'v', other: 'o' }, undefined)).toEqual({
        [`f${index + 1}`]: 'v',
        other: 'o',
      });
  });
});

describe('an operation that no release touches', () => {
  it('is the identity across 200 releases, and says so', () => {
    for (const id of ['calm.get', 'calm.create']) {
      const plan = planOf(translator, id);
      expect(plan.changes).toEqual([]);
      expect([plan.touchesQuery, plan.touchesBody, plan.touchesResponse]).toEqual(
        Array.from({ length: 3 }, () => false),
      );
      const body = { f200: 'v', inner: { a: 'a' } };
      expect(plan.response(body, undefined)).toBe(body);
      expect(plan.body(body)).toBe(body);
      const query = {};
      expect(plan.query(query).query).toBe(query);
    }
    expect(translator.contract(BASE).resources.get('Calm')).toBe(contract.resources.get('Calm'));
  });

  it('and head itself is the identity for every operation', () => {
    const body = { f200: 'v', other: 'o' };
    for (const { id } of contract.operations) {
      const plan = planOf(translator, id, translator.headRelease);
      expect(plan.response(body, undefined)).toBe(body);
      expect(plan.changes).toEqual([]);
    }
  });
});

describe('requests of different versions at the same time', () => {
  const paged = contractOf(
    [object('Thing', { name: text, mood: { type: 'string', enum: ['good', 'bad'] } })],
    [reading('things.list', 'Thing.page', { parameters: [...listParameters('Thing', ['name'])] })],
  );
  const versions = [BASE, dayOf(0), dayOf(1)] as const;
  const things = translatorOf(
    paged,
    release(
      versions[1],
      change({
        id: 'number-pages',
        sentence: 'Pages.',
        resources: [
          {
            resource: 'Page',
            edits: [
              relate({
                older: [{ path: 'start', schema: Type.Integer() }],
                newer: ['next_cursor', 'has_more', 'total'],
                down: (_values, _priors, context) => [context],
              }),
            ],
          },
        ],
        operations: [
          {
            kind: 'query',
            of: 'pages',
            removes: ['cursor', 'include_total'],
            adds: [{ name: 'start', in: 'query', description: 'Start.', schema: { type: 'integer' } }],
            up: ({ start, ...query }) => ({ query, context: start }),
          },
        ],
      }),
      change({
        id: 'rename-name',
        sentence: 'Name.',
        resources: [{ resource: 'Thing', edits: [rename('title', 'name')] }],
      }),
    ),
    release(
      versions[2],
      change({
        id: 'map-mood',
        sentence: 'Mood.',
        resources: [
          {
            resource: 'Thing',
            edits: [mapped('mood', { down: { good: 'up', bad: 'down' }, up: { up: 'good', down: 'bad' } })],
          },
        ],
      }),
    ),
  );

  it('never mix, whatever order their halves run in', async () => {
    const expected: Readonly<Record<string, (n: number) => object>> = {
      [versions[0]]: (n: number): object => ({ items: [{ title: `n${n}`, mood: 'up' }], start: n }),
      [versions[1]]: (n: number): object => ({
        items: [{ name: `n${n}`, mood: 'up' }],
        next_cursor: null,
        has_more: false,
      }),
      [versions[2]]: (n: number): object => ({
        items: [{ name: `n${n}`, mood: 'good' }],
        next_cursor: null,
        has_more: false,
      }),
    };
    const exchange = async (n: number): Promise<void> => {
      const version = versions[n % 3] as (typeof versions)[number];
      const plan = planOf(things, 'things.list', version);
      const { contexts } = plan.query(version === BASE ? { start: n } : {});
      // The answer of core comes when it comes: late ones overtake early ones.
      await new Promise((resolve) => setTimeout(resolve, (n * 7919) % 13));
      const answer = { items: [{ name: `n${n}`, mood: 'good' }], next_cursor: null, has_more: false };
      expect(plan.response(answer, contexts)).toEqual(expected[version]?.(n));
    };
    await Promise.all(Array.from({ length: 300 }, (_, n) => exchange(n)));
  });

  it('remember nothing of a request in the plan: without its context an answer does not get another’s', () => {
    const plan = planOf(things, 'things.list');
    plan.query({ start: 41 });
    const page = plan.response({ items: [], next_cursor: null, has_more: false }, undefined) as JsonObject;
    expect(page['start']).toBeUndefined();
  });

  it('have names of their own for their form of the answer, which follow the schema', () => {
    const names = versions.map((version) => planOf(things, 'things.list', version).representation);
    expect(new Set(names).size).toBe(versions.length);
    for (const name of names) expect(name).toMatch(/^[0-9A-Za-z_-]{8}$/);
  });
});

describe('how an operation is called and answered', () => {
  const older = { name: 'words', in: 'query', description: 'Words.', schema: text } as const;
  const R1 = dayOf(0);
  const R2 = dayOf(1);
  const calls = translatorOf(
    contractOf(
      [object('Thing', { name: text })],
      [
        reading('things.search', 'Thing', {
          path: '/things/search',
          parameters: [{ name: 'q', in: 'query', description: 'Words.', schema: text }],
          response: { status: 202, description: 'Found.', ref: 'Thing' },
          errors: ['not_found', 'validation_failed'],
        }),
        reading('things.other', 'Thing', { response: { status: 202, description: 'Other.', ref: 'Thing' } }),
      ],
    ),
    release(
      R1,
      change({
        id: 'move-search',
        sentence: 'Search.',
        operations: [movedPath('things.search', '/find'), changedStatus('things.search', 200)],
      }),
    ),
    release(
      R2,
      change({
        id: 'rename-words',
        sentence: 'Words.',
        operations: [renamedParameter('things.search', older, 'q'), renamedError('missing', 'not_found', 410)],
      }),
    ),
  );
  const error = (code: 'not_found' | 'conflict' | 'validation_failed', details: readonly object[] = []): never =>
    ({ code, message: '', documentation_url: '', details }) as never;

  it('has the path, the parameters and the status of its version', () => {
    const at = (version: string): unknown[] => {
      const { operation } = planOf(calls, 'things.search', version);
      return [operation.path, operation.parameters.map(({ name }) => name), operation.response.status];
    };
    expect(at(BASE)).toEqual(['/find', ['words'], 200]);
    expect(at(R1)).toEqual(['/things/search', ['words'], 202]);
    expect(at(R2)).toEqual(['/things/search', ['q'], 202]);
    expect(planOf(calls, 'things.search').status(202)).toBe(200);
    expect(planOf(calls, 'things.search').status(404)).toBe(404);
    expect(planOf(calls, 'things.other').status(202)).toBe(202);
  });

  it('takes the parameter under its older name and tells faults in it by that name', () => {
    const plan = planOf(calls, 'things.search');
    expect(plan.query({ words: 'a' }).query).toEqual({ q: 'a' });
    expect(plan.query({}).query).toEqual({});
  });

  it('answers an error by its older code and status, and others as they are', () => {
    expect(planOf(calls, 'things.search', R1).error(error('not_found'))).toMatchObject({
      error: { code: 'missing' },
      status: 410,
    });
    expect(planOf(calls, 'things.search', R1).error(error('conflict'))).toMatchObject({
      error: { code: 'conflict' },
      status: undefined,
    });
    expect(planOf(calls, 'things.search', R2).error(error('not_found'))).toMatchObject({
      error: { code: 'not_found' },
    });
    expect(calls.error(BASE, error('not_found'))).toMatchObject({ error: { code: 'missing' }, status: 410 });
    const codes = calls.contract(BASE).resources.get('ErrorBody')?.properties?.['code']?.enum;
    expect(codes).toContain('missing');
    expect(codes).not.toContain('not_found');
  });

  it('names the changes that touch it, oldest first', () => {
    expect(planOf(calls, 'things.search').changes).toEqual([`${R1}/move-search`, `${R2}/rename-words`]);
    expect(planOf(calls, 'things.search', R1).changes).toEqual([`${R2}/rename-words`]);
    expect(planOf(calls, 'things.search', R2).changes).toEqual([]);
  });

  it('does not exist before the release that introduced it', () => {
    const later = translatorOf(
      contractOf(
        [object('Thing', { name: text })],
        [reading('things.get', 'Thing', { since: R2 }), reading('things.old', 'Thing')],
      ),
      release(
        R1,
        change({
          id: 'rename-name',
          sentence: 'Name.',
          resources: [{ resource: 'Thing', edits: [rename('title', 'name')] }],
        }),
      ),
      release(R2, change({ id: 'behave', sentence: 'Behave.', behaviours: { 'credential.formats': ['legacy'] } })),
    );
    const ids = (version: string): string[] => later.contract(version).operations.map(({ id }) => id);
    expect(ids(BASE)).toEqual(['things.old']);
    expect(ids(R1)).toEqual(['things.old']);
    expect(ids(R2)).toEqual(['things.get', 'things.old']);
    expect(later.plan(R1, 'things.get')).toBeUndefined();
  });
});
