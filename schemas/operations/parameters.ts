import type { JsonSchema } from '../json-schema.ts';
import type { Parameter } from '../operation.ts';

/** An identifier in the path. Malformed identifiers are looked up like others, and found missing. */
export function pathId(name: string, description: string): Parameter {
  return { name, in: 'path', description, required: true, schema: { type: 'string', minLength: 1, maxLength: 80 } };
}

/** The parameters of every list: page size, position, order, total. `sortable` are paths of `resource` at head. */
export function listParameters(resource: string, sortable: readonly string[]): readonly Parameter[] {
  return [
    {
      name: 'limit',
      in: 'query',
      description: 'Entries per page.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    },
    {
      name: 'cursor',
      in: 'query',
      description: 'Position to continue from: `next_cursor` of the page before, with the same filters and order.',
      schema: { type: 'string', minLength: 1, maxLength: 2000 },
    },
    {
      name: 'include_total',
      in: 'query',
      description: 'Whether to count the whole list.',
      schema: { type: 'boolean', default: false },
    },
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

/**
 * Whether there are diagnostic records of images for the caller. Where there are none, they are not in lists, and who
 * asks for one, or for what tells of one, finds nothing.
 */
export const includeImaging: Parameter = {
  name: 'include_imaging',
  in: 'query',
  description: 'Whether diagnostic records of images, and what tells of them, are found as well.',
  schema: { type: 'boolean', default: true },
  isView: true,
};

/** A query parameter that is named after a field and selects objects by its value. */
export function filter(resource: string, path: string, description: string, schema: JsonSchema): Parameter {
  return {
    name: path,
    in: 'query',
    description,
    schema,
    link: { resource, role: 'filter', fields: [path] },
  };
}
