import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { change } from '@perennial/translators/engine/change.ts';
import { added, rename } from '@perennial/translators/engine/describe.ts';
import { overTheWire } from '../../support/stored.ts';
import { BASE, contractOf, inline, object, planOf, reading, release, text, translatorOf, writing } from './fixture.ts';

/*
 * `Person.name` was called `title`, `Person.secret` did not exist, and `Cat.purrs` was called `hums`. Nothing else
 * changed: wherever a person or a cat stands, and only there, the older version must see the older names.
 */
const person: JsonSchema = { $ref: 'Person' };
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const table = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties });
const pet: JsonSchema = {
  oneOf: [{ $ref: 'Cat' }, { $ref: 'Dog' }],
  discriminator: { propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog' } },
};

const Person = object('Person', { name: text, secret: text, boss: orNull(person), friends: list(person) }, [
  'boss',
  'friends',
]);
const Cat = object('Cat', { kind: text, purrs: text, owner: person }, ['owner']);
const Dog = object('Dog', { kind: text, purrs: text, owner: person }, ['owner']);

/** Every kind of place, each of which holds persons in some way: a schema, and a body with `P` for a person. */
const places: Readonly<Record<string, readonly [JsonSchema, (person: unknown) => unknown]>> = {
  'a reference': [person, (P) => P],
  'a nullable reference': [orNull(person), (P) => P],
  'a nullable reference that is null': [orNull(person), () => null],
  'a list': [list(person), (P) => [P, P]],
  'an empty list': [list(person), () => []],
  'a list that may be null': [{ type: ['array', 'null'], items: person }, (P) => [P]],
  'a list that is null': [{ type: ['array', 'null'], items: person }, () => null],
  'a list of nullable entries': [list(orNull(person)), (P) => [null, P]],
  'a list of lists': [list(list(person)), (P) => [[P], [], [P, P]]],
  'an inline object': [inline({ who: person, note: text }), (P) => ({ who: P, note: 'name' })],
  'inline objects in inline objects': [inline({ at: inline({ who: person }) }), (P) => ({ at: { who: P } })],
  'inline objects in a list': [
    list(inline({ who: person, note: text })),
    (P) => [
      { who: P, note: 'n' },
      { who: P, note: 'm' },
    ],
  ],
  'inline objects in a list, without the optional member': [
    list(inline({ who: person, note: text }, ['who'])),
    () => [{ note: 'n' }],
  ],
  'a list inside inline objects in a list': [list(inline({ all: list(person) })), (P) => [{ all: [P] }, { all: [] }]],
  'a dictionary': [table(person), (P) => ({ name: P, secret: P })],
  'a dictionary that may be null': [orNull(table(person)), (P) => ({ x: P })],
  'a dictionary of lists': [table(list(person)), (P) => ({ x: [P], y: [] })],
  'a dictionary of inline objects': [
    table(inline({ who: orNull(person) })),
    (P) => ({ a: { who: P }, b: { who: null } }),
  ],
  'a nullable inline object': [orNull(inline({ who: person })), (P) => ({ who: P })],
  'a list of dictionaries': [list(table(person)), (P) => [{ a: P }, {}]],
};

const Everything = object(
  'Everything',
  Object.fromEntries(Object.entries(places).map(([name, [schema]]) => [name, schema])),
);
const Zoo = object('Zoo', { one: pet, many: list(pet), none: orNull(pet) }, ['none']);
const Untouched = object('Untouched', { name: text, secret: text, purrs: text });

const R1 = '2021-01-01';
const translator = translatorOf(
  contractOf(
    [Person, Cat, Dog, Everything, Zoo, Untouched],
    [
      reading('people.get', 'Person'),
      reading('people.list', 'Person.page'),
      writing('people.create', 'Person.create', 'Person'),
      reading('everything.get', 'Everything'),
      reading('everything.list', 'Everything.page'),
      writing('everything.create', 'Everything.create', 'Everything'),
      writing('everything.send', 'Everything', 'Everything'),
      reading('zoo.get', 'Zoo'),
      writing('zoo.send', 'Zoo', 'Zoo'),
      reading('untouched.get', 'Untouched'),
    ],
  ),
  release(
    R1,
    change({
      id: 'name-people',
      sentence: 'People have names.',
      resources: [{ resource: 'Person', edits: [rename('title', 'name'), added('secret')] }],
    }),
    change({
      id: 'name-sounds',
      sentence: 'Cats purr.',
      resources: [{ resource: 'Cat', edits: [rename('hums', 'purrs')] }],
    }),
  ),
);

const newer = { name: 'Ada', secret: 's' };
const older = { title: 'Ada' };
const withoutSecret = { name: 'Ada' };
const read = (operation: string, body: unknown): unknown =>
  overTheWire(planOf(translator, operation).response(body, undefined));
const write = (operation: string, body: unknown): unknown => overTheWire(planOf(translator, operation).body(body));

describe('a change of a resource is applied', () => {
  for (const [place, [, fill]] of Object.entries(places)) {
    it(`in ${place}, downward`, () => {
      expect(read('everything.get', { [place]: fill(newer) })).toEqual({ [place]: fill(older) });
      expect(
        read('everything.list', { items: [{ [place]: fill(newer) }], next_cursor: null, has_more: false }),
      ).toEqual({
        items: [{ [place]: fill(older) }],
        next_cursor: null,
        has_more: false,
      });
    });
    it(`in ${place}, upward`, () => {
      for (const operation of ['everything.create', 'everything.send'])
        expect(write(operation, { [place]: fill(older) })).toEqual({ [place]: fill(withoutSecret) });
    });
  }

  it('at the root and in every entry of a page', () => {
    expect(read('people.get', newer)).toEqual(older);
    expect(write('people.create', older)).toEqual(withoutSecret);
    expect(read('people.list', { items: [newer, newer], next_cursor: 'c', has_more: true })).toEqual({
      items: [older, older],
      next_cursor: 'c',
      has_more: true,
    });
  });

  it('as deep as a cycle goes, through a nullable reference and through a list', () => {
    const chain = (one: object, depth: number): object =>
      depth === 0
        ? { ...one, boss: null, friends: [] }
        : { ...one, boss: chain(one, depth - 1), friends: [chain(one, depth - 1)] };
    expect(read('people.get', chain(newer, 6))).toEqual(chain(older, 6));
    expect(write('people.create', chain(older, 6))).toEqual(chain(withoutSecret, 6));
  });

  it('to the alternative of a union that the discriminator names, and to nothing else', () => {
    const body = (purrs: string, P: object): object => ({
      one: { kind: 'cat', [purrs]: 'loud', owner: P },
      many: [
        { kind: 'dog', purrs: 'never', owner: P },
        { kind: 'cat', [purrs]: 'soft' },
      ],
    });
    expect(read('zoo.get', body('purrs', newer))).toEqual(body('hums', older));
    expect(write('zoo.send', body('hums', older))).toEqual(body('purrs', withoutSecret));
    // A kind that this contract does not know is left as it is.
    expect(read('zoo.get', { one: { kind: 'owl', purrs: 'x' }, many: [] })).toEqual({
      one: { kind: 'owl', purrs: 'x' },
      many: [],
    });
  });

  it('to a dictionary’s entry under any key, `__proto__` too, which stays data', () => {
    const body = JSON.parse(
      '{"a dictionary": {"__proto__": {"name": "Ada", "secret": "s"}, "constructor": {"name": "Ada", "secret": "s"}}}',
    );
    const result = planOf(translator, 'everything.get').response(body, undefined);
    expect(JSON.stringify(result)).toContain(
      '"a dictionary":{"__proto__":{"title":"Ada"},"constructor":{"title":"Ada"}}',
    );
    expect(({} as { title?: string }).title).toBeUndefined();
  });

  it('nowhere else: members of the same name elsewhere keep it', () => {
    const body = { name: 'n', secret: 's', purrs: 'p' };
    expect(planOf(translator, 'untouched.get').response(body, undefined)).toBe(body);
    expect(planOf(translator, 'untouched.get').changes).toEqual([]);
  });

  it('in the derived contract at the resource itself, so that every place that refers to it follows', () => {
    const { resources } = translator.contract(BASE);
    expect(Object.keys(resources.get('Person')?.properties ?? {})).toEqual(['title', 'boss', 'friends']);
    expect(resources.get('Everything')).toEqual(Everything);
    const shape = (place: string, each: unknown): Record<string, unknown> => ({
      ...Object.fromEntries(Object.entries(places).map(([name, [, fill]]) => [name, fill({ title: 'x' })])),
      [place]: each,
    });
    const validator = translator.validator(BASE);
    for (const [place, [, fill]] of Object.entries(places)) {
      expect(validator.body('Everything', shape(place, fill(older)))).toEqual([]);
      // Places that hold no person in this body cannot tell.
      if (JSON.stringify(fill('P')).includes('"P"'))
        expect(validator.body('Everything', shape(place, fill(newer)))).not.toEqual([]);
    }
  });

  it('without changing the body that was given, and sharing what no change touches', () => {
    const untouched = { note: ['deep'] };
    const body = overTheWire({ ...newer, friends: [newer], boss: { ...newer, boss: null, friends: [] } });
    const before = JSON.stringify(body);
    planOf(translator, 'people.get').response(deepFrozen(body), undefined);
    planOf(translator, 'people.create').body(deepFrozen(overTheWire({ ...older, friends: [older] })));
    expect(JSON.stringify(body)).toBe(before);
    const dog = { kind: 'owl', untouched };
    expect((planOf(translator, 'zoo.get').response({ one: dog, many: [] }, undefined) as { one: unknown }).one).toBe(
      dog,
    );
  });
});

describe('a body that is not what its contract says', () => {
  for (const [what, body] of Object.entries({
    'a list in place of an object': [newer],
    'a text in place of an object': 'text',
    'nothing in place of an object': null,
    'an object in place of a list': { ...newer, friends: { name: 'x' } },
    'a text inside a list': { ...newer, friends: ['x'] },
  }))
    it(`is refused rather than half translated: ${what}`, () => {
      expect(() => planOf(translator, 'people.get').response(body, undefined)).toThrow(
        expect.objectContaining({ name: 'TranslationFailed', change: undefined }),
      );
    });
});

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFrozen(member);
  }
  return value;
}
