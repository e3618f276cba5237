import { describe, expect, it } from '@jest/globals';
import type { Contract } from '@perennial/schemas/contract.ts';
import { head } from '@perennial/schemas/contract.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { Severity } from '@perennial/translators/contract/difference.ts';
import { compareContracts } from '@perennial/translators/contract/differences.ts';
import type { OpenApiDocument } from '@perennial/translators/contract/document.ts';
import { documentOf } from '@perennial/translators/contract/openapi.ts';

/** A contract of one resource with a member of every kind, and the operations on it. */
interface Parts {
  readonly thing: JsonSchema;
  readonly list: Operation;
  readonly create: Operation;
}

const dog: JsonSchema = member({
  type: 'object',
  properties: { kind: { type: 'string', const: 'dog' } },
  required: ['kind'],
});

const parts: Parts = {
  thing: {
    $id: 'Thing',
    type: 'object',
    description: 'A thing.',
    properties: {
      name: member({ type: 'string', maxLength: 10 }),
      size: member({ type: 'integer', minimum: 1 }),
      color: member({ type: 'string', enum: ['red', 'blue'] }),
      note: member({ type: ['string', 'null'] }),
      code: member({ type: 'string', enum: ['a', 'b'], 'x-open': true, readOnly: true }),
      made: member({ type: 'string', format: 'date', readOnly: true }),
      pet: member({
        oneOf: [{ $ref: 'Cat' }, { $ref: 'Dog' }],
        discriminator: { propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog' } },
        readOnly: true,
      }),
      tags: member({ type: 'array', items: { type: 'string' }, readOnly: true }),
    },
    required: ['name', 'size', 'color', 'note', 'code', 'made', 'pet', 'tags'],
  },
  list: {
    id: 'things.list',
    method: 'GET',
    path: '/things',
    category: 'things',
    summary: 'List things',
    scope: 'patients:read',
    parameters: [
      { name: 'color', in: 'query', description: 'Color.', schema: { type: 'string', enum: ['red', 'blue'] } },
      { name: 'limit', in: 'query', description: 'Limit.', schema: { type: 'integer', maximum: 100, default: 20 } },
    ],
    response: { status: 200, description: 'Things.', ref: 'Thing.page' },
    errors: ['validation_failed'],
  },
  create: {
    id: 'things.create',
    method: 'POST',
    path: '/things',
    category: 'things',
    summary: 'Create a thing',
    scope: 'patients:write',
    parameters: [],
    body: { ref: 'Thing.create', mediaType: 'application/json' },
    response: { status: 201, description: 'The thing.', ref: 'Thing' },
    conditional: true,
    errors: ['validation_failed', 'conflict'],
  },
};

function member(schema: JsonSchema): JsonSchema {
  return { ...schema, description: 'A member.' };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] extends object ? Writable<T[K]> : T[K] };

function documentOfParts(edit: (parts: Writable<Parts>) => void, without: readonly string[] = []): OpenApiDocument {
  const copy = structuredClone(parts) as Writable<Parts>;
  edit(copy);
  const cat: JsonSchema = { ...dog, properties: { kind: { type: 'string', const: 'cat' } } };
  const contract: Contract = {
    resources: new Map<string, JsonSchema>([
      ['Thing', copy.thing as JsonSchema],
      ['Cat', { ...cat, $id: 'Cat' }],
      ['Dog', { ...dog, $id: 'Dog' }],
      ...(['Page', 'ErrorBody', 'ErrorDetail'] as const).map((id) => [id, head.resources.get(id)!] as const),
    ]),
    operations: ([copy.list, copy.create] as Operation[]).filter(({ id }) => !without.includes(id)),
  };
  return documentOf({
    release: { id: '2023-10-15', semver: '2.5.0' },
    contract,
    behaviours: { 'credential.places': ['header'], 'credential.formats': ['current'] },
    error: (error) => ({ error, status: undefined }),
  });
}

type Properties = Record<string, Writable<JsonSchema>>;
const properties = (each: Writable<Parts>): Properties => each.thing.properties as unknown as Properties;
const base = documentOfParts(() => undefined);

/** [what, the edit, what must be found among the differences] */
const table: [string, (each: Writable<Parts>) => void, ...(readonly [Severity, RegExp])[]][] = [
  // An answer's fields.
  [
    'a field of an answer that is removed breaks',
    (each) => {
      delete properties(each)['made'];
      each.thing.required = (each.thing.required as string[]).filter((name) => name !== 'made') as never;
    },
    ['breaking', /^Thing\.made \(response\) field removed$/],
  ],
  [
    'a field that is added does not break',
    (each) => {
      properties(each)['extra'] = member({ type: 'string', readOnly: true }) as never;
    },
    ['compatible', /^Thing\.extra \(response\) field added$/],
  ],
  [
    'a field of another type breaks',
    (each) => {
      properties(each)['size'] = member({ type: 'string' }) as never;
    },
    ['breaking', /^Thing\.size \(response\) type changed from integer to string$/],
    ['breaking', /^Thing\.size \(request\) type/],
  ],
  [
    'a number where there was an integer breaks readers, not writers',
    (each) => {
      properties(each)['size'] = member({ type: 'number', minimum: 1 }) as never;
    },
    ['breaking', /^Thing\.size \(response\) type changed/],
    ['compatible', /^Thing\.size \(request\) type changed/],
  ],
  [
    'a list of something else breaks',
    (each) => {
      properties(each)['tags'] = member({ type: 'array', items: { type: 'integer' }, readOnly: true }) as never;
    },
    ['breaking', /^Thing\.tags\[\] \(response\) type changed/],
  ],
  [
    'an answer that may be null breaks, a request that may be does not',
    (each) => {
      properties(each)['size'] = member({ type: ['integer', 'null'], minimum: 1 }) as never;
    },
    ['breaking', /^Thing\.size \(response\) may now be null$/],
    ['compatible', /^Thing\.size \(request\) may now be null$/],
  ],
  [
    'an answer that can no longer be null does not break, a request that cannot be does',
    (each) => {
      properties(each)['note'] = member({ type: 'string' }) as never;
    },
    ['compatible', /^Thing\.note \(response\) can no longer be null$/],
    ['breaking', /^Thing\.note \(request\) can no longer be null$/],
  ],
  [
    'a field that may be absent breaks readers',
    (each) => {
      each.thing.required = (each.thing.required as string[]).filter((name) => name !== 'made') as never;
    },
    ['breaking', /^Thing\.made \(response\) may now be absent$/],
  ],
  [
    'another format breaks',
    (each) => {
      properties(each)['made'] = member({ type: 'string', format: 'date-time', readOnly: true }) as never;
    },
    ['breaking', /^Thing\.made \(response\) format changed from "date" to "date-time"$/],
  ],
  [
    'a wider limit of an answer does not break',
    (each) => {
      properties(each)['name'] = member({ type: 'string', maxLength: 20 }) as never;
    },
    ['compatible', /^Thing\.name \(response\) maxLength changed from 10 to 20$/],
    ['compatible', /^Thing\.name \(request\) maxLength/],
  ],
  // Closed and open lists of values.
  [
    'a new value in an answer breaks, in a request it does not',
    (each) => {
      properties(each)['color'] = member({ type: 'string', enum: ['red', 'blue', 'green'] }) as never;
    },
    ['breaking', /^Thing\.color \(response\) values added: green$/],
    ['compatible', /^Thing\.color \(request\) values added: green$/],
  ],
  [
    'a value that is gone breaks writers, not readers',
    (each) => {
      properties(each)['color'] = member({ type: 'string', enum: ['red'] }) as never;
    },
    ['compatible', /^Thing\.color \(response\) values removed: blue$/],
    ['breaking', /^Thing\.color \(request\) values removed: blue$/],
  ],
  [
    'an open list may grow',
    (each) => {
      properties(each)['code'] = member({
        type: 'string',
        enum: ['a', 'b', 'c'],
        'x-open': true,
        readOnly: true,
      }) as never;
    },
    ['compatible', /^Thing\.code \(response\) values added: c$/],
  ],
  [
    'an open list may not lose a value',
    (each) => {
      properties(each)['code'] = member({ type: 'string', enum: ['a'], 'x-open': true, readOnly: true }) as never;
    },
    ['breaking', /^Thing\.code \(response\) values removed: b$/],
  ],
  [
    'a new alternative of an answer breaks',
    (each) => {
      properties(each)['pet'] = member({
        oneOf: [{ $ref: 'Cat' }, { $ref: 'Dog' }, { $ref: 'Thing' }],
        discriminator: { propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog', thing: 'Thing' } },
        readOnly: true,
      }) as never;
    },
    ['breaking', /^Thing\.pet \(response\) alternative thing added$/],
  ],
  // Requests.
  [
    'a new required field of a request breaks',
    (each) => {
      properties(each)['extra'] = member({ type: 'string' }) as never;
      (each.thing.required as string[]).push('extra');
    },
    ['breaking', /^Thing\.extra \(request\) required field added$/],
  ],
  [
    'a new optional field of a request does not',
    (each) => {
      properties(each)['extra'] = member({ type: ['string', 'null'] }) as never;
    },
    ['compatible', /^Thing\.extra \(request\) field added$/],
  ],
  [
    'a narrower limit of a request breaks',
    (each) => {
      properties(each)['name'] = member({ type: 'string', maxLength: 5 }) as never;
    },
    ['breaking', /^Thing\.name \(request\) maxLength changed from 10 to 5$/],
  ],
  [
    'a new required parameter breaks',
    (each) => {
      (each.list.parameters as unknown[]).push({
        name: 'q',
        in: 'query',
        description: 'Q.',
        required: true,
        schema: { type: 'string' },
      });
    },
    ['breaking', /^things\.list \(request\) required query parameter q added$/],
  ],
  [
    'a new optional parameter does not',
    (each) => {
      (each.list.parameters as unknown[]).push({
        name: 'q',
        in: 'query',
        description: 'Q.',
        schema: { type: 'string' },
      });
    },
    ['compatible', /^things\.list \(request\) query parameter q added$/],
  ],
  [
    'a parameter that is gone breaks',
    (each) => {
      (each.list.parameters as unknown[]).shift();
    },
    ['breaking', /^things\.list \(request\) query parameter color removed$/],
  ],
  [
    'a parameter that takes fewer values breaks',
    (each) => {
      (each.list.parameters[0] as { schema: JsonSchema }).schema = { type: 'string', enum: ['red'] };
    },
    ['breaking', /values removed: blue$/],
  ],
  [
    'another default of a request breaks',
    (each) => {
      (each.list.parameters[1] as { schema: JsonSchema }).schema = { type: 'integer', maximum: 100, default: 50 };
    },
    ['breaking', /default changed from 20 to 50$/],
  ],
  // Operations.
  [
    'another path breaks',
    (each) => {
      each.list.path = '/stuff';
    },
    ['breaking', /^things\.list path changed from \/things to \/stuff$/],
  ],
  [
    'another method breaks',
    (each) => {
      each.create.method = 'PUT';
    },
    ['breaking', /^things\.create method changed from POST to PUT$/],
  ],
  [
    'another status of success breaks',
    (each) => {
      each.create.response.status = 200;
    },
    ['breaking', /^things\.create \(response\) status of success changed from 201 to 200$/],
  ],
  [
    'another scope breaks',
    (each) => {
      each.list.scope = 'patients:write';
    },
    ['breaking', /^things\.list scope changed/],
  ],
  [
    'an error code that is gone breaks',
    (each) => {
      each.create.errors = ['validation_failed'] as never;
    },
    ['breaking', /^errors \(response\) error code conflict removed$/],
  ],
  [
    'an error code more does not',
    (each) => {
      each.create.errors = ['validation_failed', 'conflict', 'not_found'] as never;
    },
    ['compatible', /^errors \(response\) error code not_found added$/],
  ],
  [
    'another media type of the body breaks',
    (each) => {
      (each.create.body as { mediaType: string }).mediaType = 'application/merge-patch+json';
    },
    ['breaking', /media type application\/json of the request body removed$/],
  ],
  [
    'an answer without an ETag breaks',
    (each) => {
      each.create.conditional = false;
    },
    ['breaking', /header ETag of 201 removed$/],
  ],
  // Wording.
  [
    'another description is wording',
    (each) => {
      properties(each)['name'] = { ...properties(each)['name'], description: 'Its name.' } as never;
    },
    ['wording', /^Thing\.name \(response\) description changed$/],
  ],
  [
    'another summary is wording',
    (each) => {
      each.list.summary = 'Things';
    },
    ['wording', /^things\.list summary changed$/],
  ],
];

const texts = (older: OpenApiDocument, newer: OpenApiDocument): readonly string[] =>
  compareContracts(older, newer).map(
    ({ severity, place, direction, text }) =>
      `${severity} ${place}${direction === 'operation' ? '' : ` (${direction})`} ${text}`,
  );

describe('a difference between two contracts', () => {
  it.each(table)('%s', (_name, edit, ...expected) => {
    const found = texts(base, documentOfParts(edit));
    for (const [severity, pattern] of expected)
      expect(found).toContainEqual(
        expect.stringMatching(new RegExp(`^${severity} .*${pattern.source.replace(/^\^/, '')}`)),
      );
    const isBreaking = expected.some(([severity]) => severity === 'breaking');
    expect(found.some((each) => each.startsWith('breaking'))).toBe(isBreaking);
  });

  it('is not found between a contract and itself', () => {
    expect(
      compareContracts(
        base,
        documentOfParts(() => undefined),
      ),
    ).toEqual([]);
  });

  it('an operation that is gone breaks, one that is new does not', () => {
    const smaller = documentOfParts(() => undefined, ['things.create']);
    expect(texts(base, smaller)).toContain('breaking things.create operation removed');
    expect(texts(smaller, base)).toEqual(['compatible things.create operation added']);
  });

  it('a key that is taken in one place less breaks', () => {
    const inQuery: OpenApiDocument = {
      ...base,
      components: {
        ...base.components,
        securitySchemes: { ...base.components.securitySchemes, apiKeyInQuery: { in: 'query', name: 'api_key' } },
      },
    };
    expect(texts(inQuery, base)).toEqual([
      'breaking authentication the API key is no longer taken in the query parameter api_key',
    ]);
    expect(texts(base, inQuery)[0]).toMatch(/^compatible/);
  });

  it('is told even where no rule knows it', () => {
    const other: OpenApiDocument = { ...base, info: { ...base.info, description: 'Other words.' } };
    expect(texts(base, other)).toEqual(['wording /info/description text changed']);
  });

  it('is told once for a resource, however many operations it concerns', () => {
    const newer = documentOfParts((each) => {
      properties(each)['extra'] = member({ type: ['string', 'null'] }) as never;
    });
    const found = compareContracts(base, newer).filter(({ place }) => place === 'Thing.extra');
    expect(found.map(({ direction, operations }) => [direction, operations])).toEqual([
      ['response', ['things.create', 'things.list']],
      ['request', ['things.create']],
    ]);
  });
});
