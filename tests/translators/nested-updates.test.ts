import { describe, expect, it } from '@jest/globals';
import { type Contract, head as shipped } from '@perennial/schemas/contract.ts';
import type { History } from '@perennial/schemas/history.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import type { JsonObject, JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { change, type ReleaseChanges } from '@perennial/translators/engine/change.ts';
import { added, rename } from '@perennial/translators/engine/describe.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';

const text: JsonSchema = { type: ['string', 'null'] };
const word = (value: string): JsonSchema => ({ type: 'string', const: value });
const object = ($id: string, properties: Record<string, JsonSchema>): JsonSchema => ({
  $id,
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const resources: readonly JsonSchema[] = [
  ...['Page', 'ErrorBody', 'ErrorDetail'].map((name) => shipped.resources.get(name) as JsonSchema),
  object('Address', { street: text, postcode: text, country: text }),
  object('House', { kind: word('house'), address: { $ref: 'Address' }, garden: text, owner: { $ref: 'Owner' } }),
  object('Flat', { kind: word('flat'), floor_number: { type: ['integer', 'null'] }, lift: text }),
  object('Owner', { title: text, addresses: { type: 'array', items: { $ref: 'Tag' } } }),
  object('Tag', { label: text }),
  {
    $id: 'Home',
    oneOf: [{ $ref: 'House' }, { $ref: 'Flat' }],
    discriminator: { propertyName: 'kind', mapping: { house: 'House', flat: 'Flat' } },
  },
];

const operation = (id: string, method: Operation['method'], more: Partial<Operation>): Operation => ({
  id,
  method,
  path: '/homes/{home_id}',
  category: 'homes',
  summary: id,
  scope: 'patients:write',
  parameters: [],
  response: { status: 200, description: 'The home.', ref: 'Home' },
  errors: [],
  ...more,
});

const head: Contract = {
  resources: new Map(resources.map((schema) => [schema.$id as string, schema])),
  operations: [
    operation('homes.get', 'GET', {}),
    operation('homes.replace', 'PUT', {
      body: { ref: 'Home.replace', mediaType: 'application/json' },
      update: { read: 'homes.get', patch: 'homes.update', mode: 'replace' },
    }),
    operation('homes.update', 'PATCH', {
      body: { ref: 'Home.patch', mediaType: 'application/merge-patch+json' },
      update: { read: 'homes.get', patch: 'homes.update', mode: 'patch' },
    }),
  ],
};

const history: History = {
  today: 'system',
  releases: [
    { id: '2021-01-01', semver: '1.0.0', released: '2021-01-01' },
    { id: '2022-01-01', semver: '1.1.0', released: '2022-01-01' },
  ],
};

const release = (resources_: NonNullable<Parameters<typeof change>[0]['resources']>): readonly ReleaseChanges[] => [
  { id: '2022-01-01', changes: [change({ id: 'change-homes', sentence: 'Homes changed.', resources: resources_ })] },
];

describe('an update of a resource inside another', () => {
  const translator = createTranslator(
    head,
    history,
    release([
      { resource: 'Address', edits: [rename('zip', 'postcode'), added('country')] },
      { resource: 'Flat', edits: [rename('floor', 'floor_number')] },
    ]),
  );
  const replace = (body: JsonObject): unknown =>
    translator.plan('2021-01-01', 'homes.replace')?.update(body, 'replace', undefined);
  const patch = (body: JsonObject): unknown =>
    translator.plan('2021-01-01', 'homes.update')?.update(body, 'patch', undefined);

  it('clears what a PUT leaves out there, and keeps what the older version cannot see there', () => {
    expect(replace({ kind: 'house', address: { zip: '1010' }, garden: null, owner: { title: 'Dr' } })).toEqual({
      kind: 'house',
      garden: null,
      address: { street: null, postcode: '1010' },
      owner: { title: 'Dr', addresses: null },
    });
  });

  it('touches by a PATCH only what it names', () => {
    expect(patch({ kind: 'house', address: { zip: '1010' } })).toEqual({
      kind: 'house',
      address: { postcode: '1010' },
    });
  });

  it('follows the member of a union that the discriminator names', () => {
    expect(patch({ kind: 'flat', floor: 3 })).toEqual({ kind: 'flat', floor_number: 3 });
  });
});

it('a list whose entries hide something from an older version that writes it stops the start', () => {
  expect(() => createTranslator(head, history, release([{ resource: 'Tag', edits: [added('label')] }]))).toThrow(
    'would lose Tag.label',
  );
});
