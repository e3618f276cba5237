import type { PathParameter, QueryParameter, SchemaOf } from '../operation.ts';
import type { JsonSchema } from '../platform/json-schema.ts';

/** An identifier in the path. Malformed identifiers are looked up like others, and found missing. */
export function pathId<const N extends string>(name: N, description: string): PathParameter<N> {
  return { name, in: 'path', description, required: true, schema: { type: 'string', minLength: 1, maxLength: 80 } };
}

/** The parameters of every page: its size, its position, and whether the whole is counted. */
export type PageParameters = readonly [
  QueryParameter<'limit', SchemaOf<'integer'>>,
  QueryParameter<'cursor', SchemaOf<'string'>>,
  QueryParameter<'include_total', SchemaOf<'boolean'>>,
];

/** The parameters of every list: those of its pages, and its order. */
export type ListParameters = readonly [...PageParameters, QueryParameter<'sort', SchemaOf<'string'>>];

/** The parameters of a list that has an order of its own. */
export const pageParameters: PageParameters = [
  {
    name: 'limit',
    in: 'query',
    description: 'Most entries per page.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
  {
    name: 'cursor',
    in: 'query',
    description: 'Position to continue from: `next_cursor` of the page before, with the same filters and order.',
    schema: { type: 'string', minLength: 1, maxLength: 2000 },
    isPosition: true,
  },
  {
    name: 'include_total',
    in: 'query',
    description: 'Whether to count the whole list.',
    schema: { type: 'boolean', default: false },
  },
];

/** The parameters of a list. `sortable` are paths of `resource` at head. */
export function listParameters(resource: string, sortable: readonly string[]): ListParameters {
  return [
    ...pageParameters,
    {
      name: 'sort',
      in: 'query',
      description:
        'Fields to order by, separated by commas; a minus sign before one reverses it. Ties are ordered by id.',
      schema: { type: 'string', minLength: 1, maxLength: 200 },
      link: { resource, role: 'sort', fields: sortable },
    },
  ];
}

/** What answers with bytes, and with some of them where Range asks for them. */
export const partOfBytes = { 206: 'The bytes that Range names.' } as const;

/**
 * Whether there are diagnostic records of images for the caller. Where there are none, they are not in lists, and who
 * asks for one, or for what tells of one, finds nothing.
 */
export const includeImaging: QueryParameter<'include_imaging', SchemaOf<'boolean'>> = {
  name: 'include_imaging',
  in: 'query',
  description: 'Whether diagnostic records of images, and what tells of them, are found as well.',
  schema: { type: 'boolean', default: true },
  isView: true,
};

/** A query parameter that is named after a field and selects objects by its value. */
export function filter<const N extends string, const S extends JsonSchema>(
  resource: string,
  path: N,
  description: string,
  schema: S,
): QueryParameter<N, S> {
  return {
    name: path,
    in: 'query',
    description,
    schema,
    link: { resource, role: 'filter', fields: [path] },
  };
}
