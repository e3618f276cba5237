import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import {
  type Difference,
  type Direction,
  type Documents,
  nameOf,
  type Report,
  type Severity,
  without,
} from './difference.ts';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, OpenApiResponse } from './document.ts';
import { compareSchemas, shapeOf } from './schema-differences.ts';

/*
 * What differs between two contracts, judged by the specification, section 9.3, for a client that was written for
 * the first and meets the second. What the section leaves open is decided here:
 *
 * - A new value in a closed list of an answer breaks: a client may have handled every value there was. Lists marked
 *   `x-open` (error codes) may grow, because clients are told to expect it; a value that goes breaks.
 * - An answer's member that may now be absent or null breaks; one that is now always there does not.
 * - A limit in an answer (length, range, number of entries) may change; its format or pattern may not.
 * - A default of a request is behaviour: changing it breaks.
 * - An error code that an operation gains does not break, one that it loses or whose status moves does.
 * - Descriptions, summaries, titles and examples are wording.
 */

/** What is said of an operation that only the newer contract has. */
export const OPERATION_ADDED = 'operation added';

/** Compares two documents; the client was written for `older`. Breaking differences come first. */
export function compareContracts(older: OpenApiDocument, newer: OpenApiDocument): readonly Difference[] {
  const found = new Map<string, Difference>();
  const add = (difference: Difference): void => {
    const key = `${difference.direction} ${difference.place} ${difference.text}`;
    const known = found.get(key);
    const operations = [...new Set([...(known?.operations ?? []), ...difference.operations])].sort();
    found.set(key, { ...difference, operations });
  };
  const before = operationsOf(older);
  const after = operationsOf(newer);
  compareSecurity(older, newer, (severity, place, text) =>
    add({ severity, place, text, direction: 'operation', operations: [] }),
  );
  for (const [id, { operation }] of after)
    if (!before.has(id))
      add({
        severity: 'compatible',
        place: id,
        text: OPERATION_ADDED,
        direction: 'operation',
        operations: [operation.operationId],
      });
  for (const [id, a] of before) {
    const b = after.get(id);
    const at =
      (direction: Direction): Report =>
      (severity, place, text) =>
        add({ severity, place, text, direction, operations: [id] });
    if (!b) {
      at('operation')('breaking', id, 'operation removed');
      continue;
    }
    compareOperation(id, a, b, { older, newer }, at);
  }
  const differences = [...found.values()];
  if (differences.length === 0) differences.push(...wordingOf(older, newer));
  return differences.sort((a, b) => rank(a.severity) - rank(b.severity) || compareText(a.place, b.place));
}

/**
 * Compares one member of a component with the member that it became elsewhere.
 * @param place where the differences are said to be.
 */
export function compareMember(
  older: OpenApiDocument,
  newer: OpenApiDocument,
  member: { readonly component: string; readonly older: readonly string[]; readonly newer: readonly string[] },
  place: string,
  direction: Direction,
): readonly Pick<Difference, 'severity' | 'place' | 'text'>[] {
  const find = (document: OpenApiDocument, path: readonly string[]): JsonSchema | undefined =>
    path.reduce<JsonSchema | undefined>(
      (schema, name) => schema && shapeOf(schema, document).schema.properties?.[name],
      document.components.schemas[member.component],
    );
  const a = find(older, member.older);
  const b = find(newer, member.newer);
  const found: Pick<Difference, 'severity' | 'place' | 'text'>[] = [];
  if (a && b)
    compareSchemas(place, a, b, direction, { older, newer }, (severity, at, text) =>
      found.push({ severity, place: at, text }),
    );
  return found;
}

/** Whether any difference breaks clients. */
export function isBreaking(differences: readonly Difference[]): boolean {
  return differences.some(({ severity }) => severity === 'breaking');
}

interface Located {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

function operationsOf(document: OpenApiDocument): ReadonlyMap<string, Located> {
  const found = new Map<string, Located>();
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      found.set(operation.operationId, { path, method, operation });
  return found;
}

function compareOperation(
  id: string,
  a: Located,
  b: Located,
  documents: Documents,
  at: (direction: Direction) => Report,
): void {
  const report = at('operation');
  if (a.method !== b.method)
    report('breaking', id, `method changed from ${a.method.toUpperCase()} to ${b.method.toUpperCase()}`);
  if (a.path !== b.path) report('breaking', id, `path changed from ${a.path} to ${b.path}`);
  if (a.operation['x-scope'] !== b.operation['x-scope'])
    report('breaking', id, `scope changed from ${a.operation['x-scope']} to ${b.operation['x-scope']}`);
  if (a.operation.summary !== b.operation.summary) report('wording', id, 'summary changed');
  compareParameters(id, a.operation, b.operation, documents, at);
  compareRequestBodies(id, a.operation, b.operation, documents, at);
  compareResponses(id, a.operation, b.operation, documents, at);
}

function compareParameters(
  id: string,
  a: OpenApiOperation,
  b: OpenApiOperation,
  documents: Documents,
  at: (direction: Direction) => Report,
): void {
  const report = at('request');
  const key = ({ in: where, name }: OpenApiParameter): string => `${where} parameter ${name}`;
  const before = new Map((a.parameters ?? []).map((each) => [key(each), each]));
  const after = new Map((b.parameters ?? []).map((each) => [key(each), each]));
  for (const [name, parameter] of after)
    if (!before.has(name))
      report(
        parameter.required ? 'breaking' : 'compatible',
        id,
        `${parameter.required ? 'required ' : ''}${name} added`,
      );
  for (const [name, old] of before) {
    const now = after.get(name);
    if (!now) {
      // An unknown header is ignored, an unknown query parameter refused.
      report(old.in === 'header' ? 'compatible' : 'breaking', id, `${name} removed`);
      continue;
    }
    if (old.required !== now.required)
      report(now.required ? 'breaking' : 'compatible', id, `${name} is now ${now.required ? 'required' : 'optional'}`);
    if (old.description !== now.description) report('wording', id, `description of ${name} changed`);
    const lost = without(old['x-sort-fields'], now['x-sort-fields']);
    const gained = without(now['x-sort-fields'], old['x-sort-fields']);
    if (lost.length > 0) report('breaking', id, `${name} no longer takes ${lost.join(', ')}`);
    if (gained.length > 0) report('compatible', id, `${name} also takes ${gained.join(', ')}`);
    // Which fields the pattern has is told above.
    const isRetold = lost.length + gained.length > 0;
    const schemaOf = ({ schema: { pattern, ...rest } }: OpenApiParameter): JsonSchema =>
      isRetold || pattern === undefined ? rest : { ...rest, pattern };
    compareSchemas(`${id} ${name}`, schemaOf(old), schemaOf(now), 'request', documents, report);
  }
}

function compareRequestBodies(
  id: string,
  a: OpenApiOperation,
  b: OpenApiOperation,
  documents: Documents,
  at: (direction: Direction) => Report,
): void {
  const report = at('request');
  if (!a.requestBody || !b.requestBody) {
    if (a.requestBody) report('breaking', id, 'request body removed');
    if (b.requestBody) report(b.requestBody.required ? 'breaking' : 'compatible', id, 'request body added');
    return;
  }
  if (a.requestBody.required !== b.requestBody.required)
    report(b.requestBody.required ? 'breaking' : 'compatible', id, 'whether a request body is required changed');
  compareContent(id, a.requestBody.content, b.requestBody.content, 'request', documents, report);
}

function compareResponses(
  id: string,
  a: OpenApiOperation,
  b: OpenApiOperation,
  documents: Documents,
  at: (direction: Direction) => Report,
): void {
  const report = at('response');
  const before = responsesOf(a, documents.older);
  const after = responsesOf(b, documents.newer);
  const success = (responses: ReadonlyMap<string, OpenApiResponse>): string =>
    [...responses.keys()].filter((status) => status.startsWith('2')).join(', ');
  if (success(before) !== success(after))
    report('breaking', id, `status of success changed from ${success(before)} to ${success(after)}`);
  const statusOf = (responses: ReadonlyMap<string, OpenApiResponse>): Map<string, string> =>
    new Map([...responses].flatMap(([status, { 'x-error-codes': codes = [] }]) => codes.map((code) => [code, status])));
  const codesBefore = statusOf(before);
  const codesAfter = statusOf(after);
  for (const [code, status] of codesBefore) {
    const now = codesAfter.get(code);
    if (now === undefined) report('breaking', 'errors', `error code ${code} removed`);
    else if (now !== status)
      report('breaking', 'errors', `status of error code ${code} changed from ${status} to ${now}`);
  }
  for (const code of codesAfter.keys())
    if (!codesBefore.has(code)) report('compatible', 'errors', `error code ${code} added`);
  const pairs = [...before].map(([status, response]) => {
    const successes = [...after].filter(([each]) => each.startsWith('2'));
    // A success whose status changed is still compared.
    return [status, response, after.get(status) ?? (status.startsWith('2') ? successes[0]?.[1] : undefined)] as const;
  });
  for (const [status, old, now] of pairs) {
    if (!now) {
      if (status === '304') report('breaking', id, 'conditional requests removed');
      continue;
    }
    if (old.description !== now.description)
      report('wording', old['x-error-codes'] ? 'errors' : id, `description of ${status} changed`);
    const headersBefore = Object.keys(old.headers ?? {});
    const headersAfter = Object.keys(now.headers ?? {});
    for (const name of without(headersBefore, headersAfter))
      report('breaking', id, `header ${name} of ${status} removed`);
    for (const name of without(headersAfter, headersBefore))
      report('compatible', id, `header ${name} of ${status} added`);
    compareContent(id, old.content ?? {}, now.content ?? {}, 'response', documents, report);
  }
  if (!before.has('304') && after.has('304')) report('compatible', id, 'conditional requests added');
}

function responsesOf(operation: OpenApiOperation, document: OpenApiDocument): ReadonlyMap<string, OpenApiResponse> {
  return new Map(
    Object.entries(operation.responses).map(([status, response]) => [
      status,
      '$ref' in response ? (document.components.responses[nameOf(response.$ref)] as OpenApiResponse) : response,
    ]),
  );
}

function compareContent(
  id: string,
  a: NonNullable<OpenApiResponse['content']>,
  b: NonNullable<OpenApiResponse['content']>,
  direction: Direction,
  documents: Documents,
  report: Report,
): void {
  const what = direction === 'request' ? 'request body' : 'answer';
  for (const type of Object.keys(b)) if (!a[type]) report('compatible', id, `media type ${type} of the ${what} added`);
  for (const [type, old] of Object.entries(a)) {
    const now = b[type];
    if (!now) report('breaking', id, `media type ${type} of the ${what} removed`);
    else compareSchemas(`${id} ${what}`, old.schema, now.schema, direction, documents, report);
  }
}

function compareSecurity(older: OpenApiDocument, newer: OpenApiDocument, report: Report): void {
  const before = older.components.securitySchemes;
  const after = newer.components.securitySchemes;
  const say = (scheme: Readonly<Record<string, string>> | undefined): string =>
    scheme?.['in'] === 'query' ? `the query parameter ${scheme['name']}` : 'the Authorization header';
  for (const [name, scheme] of Object.entries(before)) {
    const now = after[name];
    if (!now) report('breaking', 'authentication', `the API key is no longer taken in ${say(scheme)}`);
    else if (scheme['bearerFormat'] !== now['bearerFormat'])
      report(
        'breaking',
        'authentication',
        `the form of API keys changed from ${scheme['bearerFormat']} to ${now['bearerFormat']}`,
      );
  }
  for (const [name, scheme] of Object.entries(after))
    if (!before[name]) report('compatible', 'authentication', `the API key is also taken in ${say(scheme)}`);
}

/** When no rule found anything: the places whose text differs, so that nothing changes unseen. */
function wordingOf(older: OpenApiDocument, newer: OpenApiDocument): readonly Difference[] {
  const places: string[] = [];
  const visit = (a: unknown, b: unknown, pointer: string): void => {
    if (isDeepStrictEqual(a, b) || places.length >= 20) return;
    if (isObject(a) && isObject(b)) {
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) visit(a[name], b[name], `${pointer}/${name}`);
      return;
    }
    if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
      for (const [index, each] of a.entries()) visit(each, b[index], `${pointer}/${index}`);
      return;
    }
    places.push(pointer);
  };
  visit(older, newer, '');
  return places.map((place) => ({
    severity: 'wording',
    place,
    direction: 'operation',
    text: 'text changed',
    operations: [],
  }));
}

function rank(severity: Severity): number {
  return ['breaking', 'compatible', 'wording'].indexOf(severity);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
