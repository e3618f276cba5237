import { describe, expect, it } from '@jest/globals';
import { type Change, change } from '@perennial/translators/engine/change.ts';
import {
  added,
  converted,
  listed,
  mapped,
  nest,
  removed,
  rename,
  split,
} from '@perennial/translators/engine/describe.ts';
import type { Edit } from '@perennial/translators/engine/edit.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
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

const R1 = '2021-01-01';
const R2 = '2022-01-01';

/** Notes its mark at the end of a text on the way up, and takes exactly that mark off again on the way down. */
function marked(path: string, mark: string, log: string[] = []): Edit {
  return converted(path, {
    older: Type.String(),
    newer: Type.String(),
    up: (value) => {
      log.push(`up ${mark}`);
      return `${value}${mark}`;
    },
    down: (value) => {
      log.push(`down ${mark}`);
      if (!value.endsWith(mark)) throw new Error(`out of order: ${mark}`);
      return value.slice(0, -mark.length);
    },
  });
}

function on(id: string, ...edits: readonly Edit[]): Change {
  return change({ id, sentence: 'Changed.', resources: [{ resource: 'Item', edits }] });
}

function itemContract(properties: Parameters<typeof object>[1]): Parameters<typeof translatorOf>[0] {
  return contractOf(
    [object('Item', properties)],
    [reading('items.get', 'Item'), writing('items.create', 'Item.create', 'Item')],
  );
}

const up = (translator: Translator, body: unknown, version: string = BASE): unknown =>
  overTheWire(planOf(translator, 'items.create', version).body(body));
const down = (translator: Translator, body: unknown, version: string = BASE): unknown =>
  overTheWire(planOf(translator, 'items.get', version).response(body, undefined));

describe('several changes', () => {
  it('apply in order upward and in exact reverse order downward: edits of one change, changes of one release, releases', () => {
    const log: string[] = [];
    const translator = translatorOf(
      itemContract({ value: text }),
      release(
        R1,
        on('mark-first', marked('value', 'a', log), marked('value', 'b', log)),
        on('mark-second', marked('value', 'c', log)),
      ),
      release(R2, on('mark-third', marked('value', 'd', log))),
    );
    expect(up(translator, { value: '-' })).toEqual({ value: '-abcd' });
    expect(log.splice(0)).toEqual(['up a', 'up b', 'up c', 'up d']);
    expect(down(translator, { value: '-abcd' })).toEqual({ value: '-' });
    expect(log.splice(0)).toEqual(['down d', 'down c', 'down b', 'down a']);
    expect(up(translator, { value: '-' }, R1)).toEqual({ value: '-d' });
    expect(down(translator, { value: '-d' }, R1)).toEqual({ value: '-' });
  });

  it('see the names and the values that their own place in history has', () => {
    // `a` was named `b`, then another member took the name `a`: only the order tells them apart.
    const translator = translatorOf(
      itemContract({ a: text, b: text }),
      release(R1, on('swap-names', rename('a', 'spare'), rename('b', 'a'), rename('spare', 'b'))),
      release(R2, on('mark-a', marked('a', '!'))),
    );
    expect(up(translator, { a: '1', b: '2' })).toEqual({ a: '2!', b: '1' });
    expect(down(translator, { a: '2!', b: '1' })).toEqual({ a: '1', b: '2' });
  });

  it('map words one after the other, each from what the one before gave', () => {
    const translator = translatorOf(
      itemContract({ level: { type: ['string', 'null'], enum: ['one', 'two', null] } }),
      release(R1, on('swap-words', mapped('level', { down: { b: 'a', a: 'b' }, up: { a: 'b', b: 'a' } }))),
      release(R2, on('name-words', mapped('level', { down: { one: 'a', two: 'b' }, up: { a: 'one', b: 'two' } }))),
    );
    expect(up(translator, { level: 'a' })).toEqual({ level: 'two' });
    expect(down(translator, { level: 'two' })).toEqual({ level: 'a' });
    expect(down(translator, { level: null })).toEqual({ level: null });
    expect(translator.contract(BASE).resources.get('Item')?.properties?.['level']?.enum).toEqual(['a', 'b', null]);
  });

  it('compose a move into an object, a conversion there and a rename of the object', () => {
    const translator = translatorOf(
      itemContract({ id: text, reach: inline({ mail: text, phone: textOrNull }) }),
      release(
        R1,
        on('nest-contact', ...nest(['mail', 'phone'], 'contact')),
        on('mark-mail', marked('contact.mail', '!')),
        on('rename-contact', rename('contact', 'reach')),
      ),
    );
    expect(up(translator, { id: '1', mail: 'm', phone: null })).toEqual({
      id: '1',
      reach: { mail: 'm!', phone: null },
    });
    expect(down(translator, { id: '1', reach: { mail: 'm!', phone: null } })).toEqual({
      id: '1',
      mail: 'm',
      phone: null,
    });
    const members = Object.keys(translator.contract(BASE).resources.get('Item')?.properties ?? {});
    expect(members.sort()).toEqual(['id', 'mail', 'phone']);
  });

  it('carry a value through a split of what a list’s first entry was made of', () => {
    const translator = translatorOf(
      itemContract({ given: text, family: textOrNull }),
      release(
        R1,
        on('rename-title', rename('title', 'name')),
        on(
          'split-name',
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
        ),
      ),
    );
    expect(up(translator, { title: 'Ada Lovelace' })).toEqual({ given: 'Ada', family: 'Lovelace' });
    expect(down(translator, { given: 'Ada', family: null })).toEqual({ title: 'Ada' });
  });
});

describe('a failure', () => {
  const translator = translatorOf(
    contractOf(
      [
        object('Item', { value: text, friends: { type: 'array', items: { $ref: 'Friend' } } }),
        object('Friend', { nick: text }),
      ],
      [reading('items.get', 'Item')],
    ),
    release(
      R1,
      on('mark-value', marked('value', '!')),
      change({
        id: 'rename-nick',
        sentence: 'Nick.',
        resources: [{ resource: 'Friend', edits: [rename('name', 'nick')] }],
      }),
    ),
  );

  it('names the change whose converter threw', () => {
    expect(() => down(translator, { value: 'no mark', friends: [] })).toThrow(
      expect.objectContaining({ change: `${R1}/mark-value` }),
    );
  });

  it('of the body’s own structure names none, whatever converter ran before', () => {
    for (const friends of ['nobody', { nick: 'x' }, ['x']])
      expect(() => down(translator, { value: 'x!', friends })).toThrow(
        expect.objectContaining({ name: 'TranslationFailed', change: undefined }),
      );
  });
});

describe('the keys of an answer', () => {
  it('stay in their order when members are renamed, converted or listed', () => {
    const translator = translatorOf(
      itemContract({
        id: text,
        first: text,
        level: { type: 'string', enum: ['one'] },
        phones: { type: 'array', items: text },
        inner: inline({ a: text, b: text, c: text }),
        last: text,
      }),
      release(R1, on('rename-start', rename('start', 'first')), on('rename-inner', rename('inner.middle', 'inner.b'))),
      release(
        R2,
        on('map-level', mapped('level', { down: { one: 'eins' }, up: { eins: 'one' } })),
        on('list-phones', listed({ older: 'phone', newer: 'phones', value: Type.String(), item: Type.String() })),
        on('rename-end', rename('end', 'last')),
      ),
    );
    const body = {
      id: '1',
      first: 'f',
      level: 'one',
      phones: ['p', 'q'],
      inner: { a: 'a', b: 'b', c: 'c' },
      last: 'l',
    };
    expect(JSON.stringify(planOf(translator, 'items.get').response(body, undefined))).toBe(
      '{"id":"1","start":"f","level":"eins","phone":"p","inner":{"a":"a","middle":"b","c":"c"},"end":"l"}',
    );
    expect(Object.keys(translator.contract(BASE).resources.get('Item')?.properties ?? {})).toEqual([
      'id',
      'start',
      'level',
      'phone',
      'inner',
      'end',
    ]);
    // However core orders them.
    const { id, ...others } = body;
    expect(Object.keys(planOf(translator, 'items.get').response({ ...others, id }, undefined) as object)[0]).toBe('id');
  });
});

describe('a member that takes another form', () => {
  it('keeps null and absence, in both directions, without troubling its converters', () => {
    const strict = <T>(value: T): T => {
      if (value === null || value === undefined) throw new Error('given nothing');
      return value;
    };
    const translator = translatorOf(
      contractOf(
        [object('Item', { id: text, size: { type: ['number', 'null'] } }, ['size'])],
        [reading('items.get', 'Item'), writing('items.create', 'Item.create', 'Item')],
      ),
      release(
        R1,
        on(
          'number-size',
          converted('size', {
            older: Type.String(),
            newer: Type.Number(),
            down: (size) => String(strict(size)),
            up: (size) => Number(strict(size)),
          }),
        ),
      ),
    );
    expect(translator.contract(BASE).resources.get('Item')?.properties?.['size']?.type).toEqual(['string', 'null']);
    for (const [older, newer] of [
      [{ size: '2' }, { size: 2 }],
      [{ size: null }, { size: null }],
      [{}, {}],
    ]) {
      expect(up(translator, { id: '1', ...older })).toEqual({ id: '1', ...newer });
      expect(down(translator, { id: '1', ...newer })).toEqual({ id: '1', ...older });
    }
  });
});

describe('a member that is gone', () => {
  it('is printed with its fixed value to older versions, which may still write it', () => {
    const translator = translatorOf(
      itemContract({ id: text }),
      release(R1, on('remove-colour', removed('colour', Type.String(), { printed: 'none' }))),
    );
    expect(down(translator, { id: '1' })).toEqual({ id: '1', colour: 'none' });
    expect(up(translator, { id: '1', colour: 'red' })).toEqual({ id: '1' });
    expect(down(translator, { id: '1' }, R1)).toEqual({ id: '1' });
  });
});

describe('a member that is new', () => {
  it('is not shown to older versions and starts with what its change says in what they create', () => {
    const translator = translatorOf(
      itemContract({ id: text, colour: text, size: textOrNull }),
      release(R1, on('add-colour', added('colour', { initially: 'grey' }), added('size'))),
    );
    expect(down(translator, { id: '1', colour: 'red', size: null })).toEqual({ id: '1' });
    expect(up(translator, { id: '1' })).toEqual({ id: '1', colour: 'grey' });
  });
});
