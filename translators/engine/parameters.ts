import type { Operation, Parameter } from '@perennial/schemas/operation.ts';
import { isNullable, type JsonSchema, notNull, typesOf } from '@perennial/schemas/platform/json-schema.ts';
import { parseSort } from '@perennial/schemas/validation.ts';
import type { QueryEdit, QueryRewrite, QueryValues } from './change.ts';
import { evaluate } from './evaluate.ts';
import { inputsOf } from './expression.ts';
import { TranslationFailed } from './failures.ts';
import { olderHeaders } from './headers.ts';
import { formatPath, parsePath } from './path.ts';
import { placesOf } from './places.ts';
import { answersPage, type Step } from './step.ts';
import { type Node, nodeAt, schemaOf } from './tree.ts';
import type { ConvertValue } from './values.ts';

/**
 * Operations and their queries across one step. Parameters that are linked to fields follow the fields by
 * themselves: names, sort keys and filter values.
 */

/** The operation before a step, given the one after it and the older trees of the resources that the step edits. */
export function olderOperation(newer: Operation, step: Step, trees: ReadonlyMap<string, Node>): Operation {
  let operation = newer;
  const parameters = newer.parameters.flatMap((parameter) => {
    const tree = parameter.link && trees.get(parameter.link.resource);
    return tree ? olderParameter(parameter, tree, newer.parameters) : [parameter];
  });
  operation = { ...operation, parameters };
  for (const edit of step.operationEdits) {
    switch (edit.kind) {
      case 'path':
        if (edit.operation === operation.id)
          operation = {
            ...operation,
            path: edit.older,
            parameters: withOlderNames(operation.parameters, edit.parameters),
          };
        break;
      case 'method':
        if (edit.operation === operation.id) operation = { ...operation, method: edit.older };
        break;
      case 'ended':
        break;
      case 'event':
        if (edit.operation === operation.id)
          operation = { ...operation, response: { ...operation.response, events: olderEvents(operation, edit) } };
        break;
      case 'status':
        if (edit.operation === operation.id)
          operation = { ...operation, response: { ...operation.response, status: edit.older } };
        break;
      case 'query':
        if (concerns(edit, newer))
          operation = {
            ...operation,
            parameters: [
              ...operation.parameters
                .filter(({ name }) => !edit.removes.includes(name))
                .map((each) =>
                  each.name === edit.adapts?.parameter ? { ...each, schema: edit.adapts.schema(each.schema) } : each,
                ),
              ...edit.adds,
            ],
          };
        break;
      case 'error-code':
        break;
      case 'operation-error':
      case 'refusal':
        break;
      case 'header':
        if (edit.operation === operation.id) operation = olderHeaders(operation, edit);
        break;
      case 'media-type':
        if (edit.operation === operation.id && operation.body)
          operation = { ...operation, body: { ...operation.body, mediaType: edit.older } };
        break;
    }
  }
  return operation;
}

/** The events of a stream before one was renamed or was there. */
function olderEvents(
  { response }: Operation,
  { older, newer }: { readonly older: string | undefined; readonly newer: string },
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(response.events ?? {}).flatMap(([name, ref]) =>
      name !== newer ? [[name, ref]] : older === undefined ? [] : [[older, ref]],
    ),
  );
}

/** Path parameters under the names that they had. */
function withOlderNames(
  parameters: readonly Parameter[],
  newerNames: Readonly<Record<string, string>>,
): readonly Parameter[] {
  return parameters.map((parameter) => {
    const older = Object.keys(newerNames).find((name) => newerNames[name] === parameter.name);
    return parameter.in === 'path' && older !== undefined ? { ...parameter, name: older } : parameter;
  });
}

/** Whether a query edit speaks of the operation. */
export function concerns(edit: QueryEdit, operation: Operation): boolean {
  return edit.of === 'pages' ? answersPage(operation) : edit.of.includes(operation.id);
}

function olderParameter(parameter: Parameter, tree: Node, all: readonly Parameter[]): readonly Parameter[] {
  const link = parameter.link;
  if (!link) return [parameter];
  const places = placesOf(tree);
  if (link.role === 'sort') {
    // An order by a converted value would be another order: only members that merely moved can be sorted by.
    const fields = link.fields.flatMap((field) => {
      const place = places.get(field);
      return place?.exact ? [formatPath(place.path)] : [];
    });
    return fields.length === 0 ? [] : [{ ...parameter, link: { ...link, fields } }];
  }
  const [field] = link.fields as [string];
  const place = places.get(field);
  const node = place && nodeAt(tree, place.path);
  if (!place || !node) return [];
  if (!place.exact && !isAskable(parameter, node, all)) return [];
  const name = formatPath(place.path);
  return [
    {
      ...parameter,
      name: parameter.name === field ? name : parameter.name,
      schema: place.exact ? knownWords(parameter.schema, node) : filterSchema(schemaOf(node)),
      link: { ...link, fields: [name] },
    },
  ];
}

/**
 * Whether a filter on a converted member can be asked at the newer version: there is a way up from that member alone, to
 * single values, and where it leads to several members, each can be filtered by and always has a value. Any other
 * filter ends, unless `relatedParameters` says how it is asked.
 */
function isAskable(parameter: Parameter, node: Node, all: readonly Parameter[]): boolean {
  if (node.kind !== 'leaf') return false;
  const fields = inputsOf(node.from).map(formatPath);
  if (fields[0] !== parameter.link?.fields[0]) return false;
  const inverse = node.from.op === 'output' ? node.from.call.inverse : undefined;
  if (!inverse?.exists || inverse.starts !== 1) return false;
  if (inverse.leadsTo.some((schema) => schema.$ref !== undefined || typesOf(notNull(schema)).some(isCompound)))
    return false;
  if (fields.length === 1) return true;
  const resource = parameter.link?.resource;
  const isFiltered = (field: string): boolean =>
    all.some(({ link }) => link?.role === 'filter' && link.resource === resource && link.fields[0] === field);
  return fields.every(isFiltered) && !inverse.leadsTo.some(isNullable);
}

function isCompound(type: string): boolean {
  return type === 'array' || type === 'object';
}

/** What a filter may ask of a member that is the same: of a list of words, those that the older version has. */
function knownWords(schema: JsonSchema, node: Node): JsonSchema {
  const words = schemaOf(node).enum;
  const isNarrowed = node.kind === 'leaf' && node.from.op !== 'get';
  return schema.enum && words && isNarrowed
    ? { ...schema, enum: schema.enum.filter((word) => words.includes(word)) }
    : schema;
}

/** What a filter may ask of a converted member: the member's schema without null. */
function filterSchema(schema: JsonSchema): JsonSchema {
  const types = (typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])).filter(
    (type) => type !== 'null',
  );
  return {
    ...schema,
    ...(types.length === 1 ? { type: types[0] as string } : types.length > 1 ? { type: types } : {}),
    ...(schema.enum ? { enum: schema.enum.filter((value) => value !== null) } : {}),
  };
}

/** Rewrites a query of the older contract to the newer one, across one step. */
export type QueryUp = (query: QueryValues) => QueryRewrite;

/**
 * The rewriting across one step, or undefined when the step leaves the operation's query alone.
 * @param up trees of the resources that the step edits, newer members as expressions over the older body.
 * @param conversions of parameters whose values are others now, whatever they filter by.
 */
export function queryUp(
  older: Operation,
  newer: Operation,
  step: Step,
  down: ReadonlyMap<string, Node>,
  up: ReadonlyMap<string, Node>,
  conversions: readonly { readonly name: string; readonly conversion: ConvertValue }[] = [],
): QueryUp | undefined {
  // Each reads the older query and writes the newer one, so that two members may have swapped their names.
  const renames: ((from: QueryValues, to: Record<string, string | number | boolean>) => void)[] = [];
  const gone = new Set<string>();
  for (const parameter of newer.parameters) {
    const { link } = parameter;
    const downTree = link && down.get(link.resource);
    const upTree = link && up.get(link.resource);
    if (!link || !downTree || !upTree) continue;
    const places = placesOf(downTree);
    if (link.role === 'sort') {
      const names = new Map(
        link.fields.flatMap((field) => {
          const place = places.get(field);
          return place?.exact ? [[formatPath(place.path), field] as const] : [];
        }),
      );
      if ([...names].some(([from, to]) => from !== to))
        renames.push((from, to) => sortUp(from, to, parameter.name, names));
      continue;
    }
    const [field] = link.fields as [string];
    const place = places.get(field);
    if (!place) continue;
    const olderName = parameter.name === field ? formatPath(place.path) : parameter.name;
    if (place.exact && olderName === parameter.name) continue;
    // A filter that ended is none of the older version.
    if (!older.parameters.some(({ name }) => name === olderName)) continue;
    const node = nodeAt(upTree, parsePath(field));
    const convert = place.exact || node?.kind !== 'leaf' ? undefined : node.from;
    gone.add(olderName);
    renames.push((from, to) => {
      if (!Object.hasOwn(from, olderName)) return;
      const given = from[olderName] as string | number | boolean;
      const value = convert ? evaluate(convert, nested(place.path, given)) : given;
      // Said as text it would ask for something: for `undefined`, for `null`.
      if (value === undefined || value === null || typeof value === 'object')
        throw new TranslationFailed(step.name, new TypeError(`${parameter.name} would be asked for nothing`));
      to[parameter.name] = value as typeof given;
    });
  }
  for (const { name, conversion } of conversions) {
    const before = older.parameters.find((each) => each.in === 'query' && each.name === name);
    if (before)
      renames.push((from, to) => {
        if (Object.hasOwn(from, name)) to[name] = conversion(from[name]) as string;
      });
  }
  const edits = step.operationEdits.filter((edit): edit is QueryEdit => edit.kind === 'query' && concerns(edit, older));
  if (renames.length === 0 && edits.length === 0) return undefined;
  return (query) => {
    let result: QueryRewrite = { query };
    try {
      for (const edit of edits) result = { ...result, ...edit.up(result.query) };
    } catch (error) {
      throw new TranslationFailed(step.name, error);
    }
    if (renames.length === 0) return result;
    const to = Object.fromEntries(Object.entries(result.query).filter(([name]) => !gone.has(name)));
    for (const apply of renames) apply(result.query, to);
    return { ...result, query: to };
  };
}

function sortUp(
  from: QueryValues,
  to: Record<string, string | number | boolean>,
  name: string,
  names: ReadonlyMap<string, string>,
): void {
  const sort = from[name];
  if (typeof sort !== 'string') return;
  to[name] = parseSort(sort)
    .map(({ field, descending }) => `${descending ? '-' : ''}${names.get(field) ?? field}`)
    .join(',');
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}
