import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { type Change, change } from '@perennial/translators/engine/change.ts';
import { added, relate, rename } from '@perennial/translators/engine/describe.ts';
import type { Edit } from '@perennial/translators/engine/edit.ts';
import Type from 'typebox';
import { overTheWire } from '../../support/stored.ts';
import {
  BASE,
  contractOf,
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
 * A change that looks inside another resource runs by itself: what it sees there has the shape of its own place in
 * history, whatever was changed before and after.
 */
const R1 = '2021-01-01';
const R2 = '2022-01-01';
const R3 = '2023-01-01';

const on = (id: string, resource: string, ...edits: readonly Edit[]): Change =>
  change({ id, sentence: 'Changed.', resources: [{ resource, edits }] });

/** The result was its bare label, and the label of a result had three names: `name`, `label`, `title`. */
const bare: Edit = relate({
  older: [{ path: 'result', schema: Type.String() }],
  newer: ['result'],
  down: ([result]) => [(result as { label: string }).label],
  up: ([label]) => [{ label }],
  looksInside: true,
});

describe('a change that looks inside', () => {
  const result: JsonSchema = { $ref: 'Result' };
  const translator = translatorOf(
    contractOf(
      [object('Thing', { id: text, result }), object('Result', { title: text })],
      [
        reading('things.get', 'Thing'),
        reading('things.list', 'Thing.page'),
        writing('things.send', 'Thing', 'Thing'),
        reading('results.get', 'Result'),
      ],
    ),
    release(R1, on('label-results', 'Result', rename('name', 'label'))),
    release(R2, on('widen-result', 'Thing', bare)),
    release(R3, on('title-results', 'Result', rename('label', 'title'))),
  );
  const expected: Readonly<Record<string, unknown>> = {
    [BASE]: 'x',
    [R1]: 'x',
    [R2]: { label: 'x' },
    [R3]: { title: 'x' },
  };

  it('sees what it looks at as it was at its own release, on the way down and on the way up', () => {
    for (const [version, older] of Object.entries(expected)) {
      const head = { id: '1', result: { title: 'x' } };
      expect(overTheWire(planOf(translator, 'things.get', version).response(head, undefined))).toEqual({
        id: '1',
        result: older,
      });
      const page = { items: [head], next_cursor: null, has_more: false };
      expect(overTheWire(planOf(translator, 'things.list', version).response(page, undefined))).toMatchObject({
        items: [{ id: '1', result: older }],
      });
      expect(overTheWire(planOf(translator, 'things.send', version).body({ id: '1', result: older }))).toEqual(head);
    }
  });

  it('leaves the resource by itself to its own changes', () => {
    expect(planOf(translator, 'results.get').response({ title: 'x' }, undefined)).toEqual({ name: 'x' });
    expect(planOf(translator, 'results.get', R1).response({ title: 'x' }, undefined)).toEqual({ label: 'x' });
  });
});

describe('errors across several runs', () => {
  it('are translated newest change first', () => {
    const translator = translatorOf(
      contractOf([object('Thing', { id: text })], [reading('things.get', 'Thing')]),
      release(
        R1,
        on(
          'detail-faults',
          'ErrorBody',
          relate({
            older: [{ path: 'words', schema: Type.Array(Type.String()) }],
            newer: ['faults'],
            down: ([faults]) => [(faults as { code: string }[]).map(({ code }) => code)],
            looksInside: true,
          }),
        ),
      ),
      release(R2, on('rename-faults', 'ErrorBody', rename('faults', 'details'))),
    );
    const error = {
      code: 'validation_failed',
      message: '',
      documentation_url: '',
      details: [{ code: 'too_long', message: '', pointer: '/x' }],
    } as const;
    const sent = { ...error, details: [...error.details] };
    expect(translator.error(BASE, sent).error).toMatchObject({ words: ['too_long'] });
    expect(translator.error(R1, sent).error).toMatchObject({ faults: error.details });
    expect(translator.error(R2, sent).error).toMatchObject({ details: error.details });
  });
});

describe('a replacement across several runs', () => {
  it('clears what its version can see and has left out, and nothing that any release between has hidden', () => {
    const translator = translatorOf(
      contractOf(
        [
          object('Person', { name: textOrNull, hidden: textOrNull, label: textOrNull }),
          object('Friend', { nick: text }),
        ],
        [
          reading('people.get', 'Person'),
          writing('people.replace', 'Person.replace', 'Person', {
            method: 'PUT',
            update: { read: 'people.get', patch: 'people.update', mode: 'replace' },
          }),
          writing('people.update', 'Person.patch', 'Person', {
            method: 'PATCH',
            update: { read: 'people.get', patch: 'people.update', mode: 'patch' },
          }),
        ],
      ),
      release(
        R1,
        on(
          'hide-and-look',
          'Person',
          added('hidden'),
          relate({
            older: [{ path: 'mark', schema: Type.Union([Type.String(), Type.Null()]) }],
            newer: ['sign'],
            down: ([sign]) => [sign],
            up: ([mark]) => [mark],
            looksInside: true,
          }),
        ),
      ),
      release(R2, on('rename-sign', 'Person', rename('sign', 'label'))),
    );
    const stored: JsonObject = { name: 'a', hidden: 'h', label: 'l' };
    const replaced = planOf(translator, 'people.replace').update({ mark: 'm' }, 'replace', stored);
    expect(replaced).toEqual({ name: null, label: 'm' });
    expect(planOf(translator, 'people.update').update({ mark: 'm' }, 'patch', stored)).toEqual({ label: 'm' });
  });
});
