import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonSchema, type JsonValue } from '@perennial/schemas/platform/json-schema.ts';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, OpenApiResponse } from './document.ts';

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

/** Whether a difference breaks clients, adds something, or is only said differently. */
export type Severity = 'breaking' | 'compatible' | 'wording';

/** One difference. */
export interface Difference {
  readonly severity: Severity;
  /** What it is about: `patients.list`, or `Patient.contact.email` of a schema. */
  readonly place: string;
  /** Whether clients send it or receive it. */
  readonly direction: Direction;
  /** What differs, in words, without the place. */
  readonly text: string;
  /** Operations that it concerns. Empty when it concerns all. */
  readonly operations: readonly string[];
}

/** Which way a schema travels. */
export type Direction = 'request' | 'response' | 'operation';

/** What is said of an operation that only the newer contract has. */
export const OPERATION_ADDED = 'operation added';

type Report = (severity: Severity, place: string, text: string) => void;

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

interface Documents {
  readonly older: OpenApiDocument;
  readonly newer: OpenApiDocument;
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

// Schemas.

/** A schema with its null, reference and alternatives apart. */
interface Shape {
  readonly schema: JsonSchema;
  readonly nullable: boolean;
  readonly types: readonly string[];
  readonly values: readonly JsonValue[] | undefined;
  /** The last component passed through on the way. */
  readonly named: string | undefined;
  readonly alternatives: ReadonlyMap<string, JsonSchema> | undefined;
}

function shapeOf(schema: JsonSchema, document: OpenApiDocument): Shape {
  let current = schema;
  let nullable = false;
  let named: string | undefined;
  for (let depth = 0; depth < 20; depth++) {
    if (current.$ref !== undefined) {
      named = nameOf(current.$ref);
      current = document.components.schemas[named] ?? {};
      continue;
    }
    const alternatives = current.oneOf ?? current.anyOf;
    const present = alternatives?.filter(({ type }) => type !== 'null');
    if (alternatives && present && present.length < alternatives.length) nullable = true;
    if (present?.length === 1 && present[0]) {
      current = present[0];
      continue;
    }
    break;
  }
  const types = (typeof current.type === 'string' ? [current.type] : (current.type ?? [])).filter((type) => {
    if (type === 'null') nullable = true;
    return type !== 'null';
  });
  const values = current.const === undefined ? current.enum?.filter((value) => value !== null) : [current.const];
  const alternatives = (current.oneOf ?? current.anyOf)?.filter(({ type }) => type !== 'null');
  return {
    schema: current,
    nullable,
    types,
    values,
    named,
    alternatives: alternatives && byName(current, alternatives),
  };
}

function byName(schema: JsonSchema, alternatives: readonly JsonSchema[]): ReadonlyMap<string, JsonSchema> {
  const words = Object.entries(schema.discriminator?.mapping ?? {});
  return new Map(
    alternatives.map((each, index) => {
      const word = words.find(([, ref]) => ref === each.$ref)?.[0];
      const event = each.properties?.['event']?.const;
      if (typeof event === 'string') return [event, each];
      return [word ?? (each.$ref === undefined ? `alternative ${index + 1}` : nameOf(each.$ref)), each];
    }),
  );
}

/** Compares two schemas at a place. A component is entered once: the same pair inside itself adds nothing. */
function compareSchemas(
  place: string,
  older: JsonSchema,
  newer: JsonSchema,
  direction: Direction,
  documents: Documents,
  report: Report,
  entered: Set<string> = new Set(),
): void {
  const a = shapeOf(older, documents.older);
  const b = shapeOf(newer, documents.newer);
  let here = place;
  let isEntered = false;
  if (a.named !== undefined) {
    const pair = `${a.named}>${b.named ?? ''}`;
    isEntered = entered.has(pair);
    entered.add(pair);
    // Differences inside a component are told once, under the name of its resource.
    here = resourceName(a.named, documents.older);
  }
  const breaksIf = (condition: boolean): Severity => (condition ? 'breaking' : 'compatible');
  const isRequest = direction === 'request';

  if (a.nullable !== b.nullable)
    report(
      breaksIf(isRequest ? a.nullable : b.nullable),
      place,
      b.nullable ? 'may now be null' : 'can no longer be null',
    );
  const lostTypes = without(a.types, b.types);
  const gainedTypes = without(b.types, a.types);
  if (!isSameType(a, b)) {
    const isWider = lostTypes.every((type) => type === 'integer' && b.types.includes('number'));
    const isNarrower = gainedTypes.every((type) => type === 'integer' && a.types.includes('number'));
    report(breaksIf(!(isRequest ? isWider : isNarrower)), place, `type changed from ${typeText(a)} to ${typeText(b)}`);
    return;
  }
  if (isEntered) return;
  compareValues(place, a, b, direction, report);
  compareLimits(place, a.schema, b.schema, direction, report);
  if (a.alternatives && b.alternatives) {
    for (const [name, old] of a.alternatives) {
      const now = b.alternatives.get(name);
      if (!now) report(breaksIf(isRequest), place, `alternative ${name} removed`);
      else compareSchemas(`${here}(${name})`, old, now, direction, documents, report, entered);
    }
    for (const name of b.alternatives.keys())
      if (!a.alternatives.has(name)) report(breaksIf(!isRequest), place, `alternative ${name} added`);
  }
  compareMembers(here, a.schema, b.schema, direction, documents, report, entered);
  if (a.schema.items && b.schema.items)
    compareSchemas(`${here}[]`, a.schema.items, b.schema.items, direction, documents, report, entered);
  const restBefore = a.schema.additionalProperties;
  const restAfter = b.schema.additionalProperties;
  if (typeof restBefore === 'object' && typeof restAfter === 'object')
    compareSchemas(`${here}{}`, restBefore, restAfter, direction, documents, report, entered);
  else if (isRequest && (restBefore === false) !== (restAfter === false))
    report(
      breaksIf(restAfter === false),
      here,
      restAfter === false ? 'unknown members are now refused' : 'unknown members are now accepted',
    );
  if (older.description !== newer.description || a.schema.description !== b.schema.description)
    report('wording', here, 'description changed');
}

function isSameType(a: Shape, b: Shape): boolean {
  if ((a.alternatives === undefined) !== (b.alternatives === undefined)) return false;
  return without(a.types, b.types).length === 0 && without(b.types, a.types).length === 0;
}

function typeText({ types, alternatives, named, schema }: Shape): string {
  if (alternatives) return `one of ${[...alternatives.keys()].join(', ')}`;
  const text = types.length === 0 ? 'any value' : types.join(' or ');
  const items = schema.items && (schema.items.$ref ? nameOf(schema.items.$ref) : schema.items.type);
  if (items !== undefined) return `${text} of ${items}`;
  return named === undefined ? text : `${text} ${named}`;
}

function compareValues(place: string, a: Shape, b: Shape, direction: Direction, report: Report): void {
  const isRequest = direction === 'request';
  if (a.values === undefined || b.values === undefined) {
    if (a.values !== undefined)
      report(isRequest ? 'compatible' : 'breaking', place, `took only ${a.values.join(', ')} and can be anything now`);
    if (b.values !== undefined)
      report(isRequest ? 'breaking' : 'compatible', place, `took any value and takes only ${b.values.join(', ')} now`);
    return;
  }
  const lost = without(a.values, b.values);
  const gained = without(b.values, a.values);
  const isOpen = b.schema['x-open'] === true;
  if (lost.length > 0)
    report(isRequest || isOpen ? 'breaking' : 'compatible', place, `values removed: ${lost.join(', ')}`);
  if (gained.length > 0)
    report(isRequest || isOpen ? 'compatible' : 'breaking', place, `values added: ${gained.join(', ')}`);
}

const lowerLimits = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;
const upperLimits = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

function compareLimits(place: string, a: JsonSchema, b: JsonSchema, direction: Direction, report: Report): void {
  const isRequest = direction === 'request';
  for (const name of [...lowerLimits, ...upperLimits]) {
    const before = a[name];
    const after = b[name];
    if (before === after) continue;
    const sign = (lowerLimits as readonly string[]).includes(name) ? 1 : -1;
    const narrower = after !== undefined && (before === undefined || (after - before) * sign > 0);
    report(
      isRequest && narrower ? 'breaking' : 'compatible',
      place,
      `${name} changed from ${say(before)} to ${say(after)}`,
    );
  }
  for (const name of ['format', 'pattern', 'multipleOf', 'uniqueItems'] as const) {
    if (a[name] === b[name]) continue;
    const isLoosened = isRequest && b[name] === undefined;
    report(isLoosened ? 'compatible' : 'breaking', place, `${name} changed from ${say(a[name])} to ${say(b[name])}`);
  }
  if (!isDeepStrictEqual(a.default, b.default))
    report(isRequest ? 'breaking' : 'wording', place, `default changed from ${say(a.default)} to ${say(b.default)}`);
}

function compareMembers(
  place: string,
  a: JsonSchema,
  b: JsonSchema,
  direction: Direction,
  documents: Documents,
  report: Report,
  entered: Set<string>,
): void {
  const isRequest = direction === 'request';
  const before = a.properties ?? {};
  const after = b.properties ?? {};
  for (const name of Object.keys(after)) {
    if (Object.hasOwn(before, name)) continue;
    const isRequired = b.required?.includes(name) ?? false;
    report(
      isRequest && isRequired ? 'breaking' : 'compatible',
      `${place}.${name}`,
      isRequest && isRequired ? 'required field added' : 'field added',
    );
  }
  for (const [name, old] of Object.entries(before)) {
    const now = after[name];
    const at = `${place}.${name}`;
    if (!now) {
      report('breaking', at, 'field removed');
      continue;
    }
    const was = a.required?.includes(name) ?? false;
    const is = b.required?.includes(name) ?? false;
    if (was !== is) report((isRequest ? is : was) ? 'breaking' : 'compatible', at, requiredText(isRequest, is));
    if ((old.readOnly ?? false) !== (now.readOnly ?? false))
      report(
        isRequest && now.readOnly ? 'breaking' : 'compatible',
        at,
        now.readOnly ? 'is now read-only' : 'is now writable',
      );
    compareSchemas(at, old, now, direction, documents, report, entered);
  }
}

function requiredText(isRequest: boolean, is: boolean): string {
  if (isRequest) return is ? 'is now required' : 'is now optional';
  return is ? 'is now always there' : 'may now be absent';
}

/** `PatientCreate` → `Patient`, `PatientPage` → `Page`: what is true of a resource is said of it once. */
function resourceName(component: string, document: OpenApiDocument): string {
  const match = /^(.+)(Create|Replace|Patch|Page)$/.exec(component);
  if (!match || document.components.schemas[match[1] as string] === undefined) return component;
  return match[2] === 'Page' ? 'Page' : (match[1] as string);
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

function nameOf(ref: string): string {
  return ref.split('/').at(-1) as string;
}

function without<T>(list: readonly T[] | undefined, others: readonly T[] | undefined): readonly T[] {
  return (list ?? []).filter((each) => !(others ?? []).includes(each));
}

function say(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

function rank(severity: Severity): number {
  return ['breaking', 'compatible', 'wording'].indexOf(severity);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
