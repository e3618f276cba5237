import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema, JsonValue } from '@perennial/schemas/platform/json-schema.ts';
import { type Direction, type Documents, nameOf, type Report, type Severity, say, without } from './difference.ts';
import type { OpenApiDocument } from './document.ts';

/* What differs between two schemas; `differences.ts` says by which rules. */

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

export function shapeOf(schema: JsonSchema, document: OpenApiDocument): Shape {
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
export function compareSchemas(
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
