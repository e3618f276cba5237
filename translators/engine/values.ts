import type { Contract } from '@perennial/schemas/contract.ts';
import type { Parameter } from '@perennial/schemas/operation.ts';
import {
  isNullable,
  type JsonSchema,
  mapSchemas,
  membersOf,
  typesOf,
} from '@perennial/schemas/platform/json-schema.ts';
import type { Catalogue } from './catalogue.ts';
import type { ValueEdit } from './change.ts';
import { EditRefused, NotInVersion, TranslationFailed } from './failures.ts';
import { parsePath } from './path.ts';
import type { Run } from './run.ts';
import { reachable, type Step } from './step.ts';

/**
 * Values that travel under many names and are the same everywhere: identifiers, kinds of events. Where they stand follows
 * from the contract: what has the pattern of the member that is named, the same list of words, or says so (`x-same-as`).
 */

/** The values of one edit, and the schema of the member that it names. */
export interface KnownValues {
  readonly edit: ValueEdit;
  readonly reference: JsonSchema;
}

/** The same on one side of its step. */
interface Side extends KnownValues {
  readonly step: Step;
}

/** Converts one value; what is none of the values is the same. */
export type ConvertValue = (value: unknown) => unknown;

/** The schema of the member that an edit names. @throws {EditRefused} when there is none, or nothing tells its values. */
export function referenceOf(contract: Contract, { of }: Pick<ValueEdit, 'of'>): JsonSchema {
  const [resource = '', ...path] = parsePath(of);
  let schema = contract.resources.get(resource);
  for (const name of path) schema = schema?.properties?.[name];
  if (!schema) throw new EditRefused(`there is no member ${of}`);
  const one = schema.items ?? schema;
  const hasWords = (one.enum ?? []).some((word) => typeof word === 'string');
  if (!typesOf(one).includes('string') || (one.pattern === undefined && !hasWords))
    throw new EditRefused(
      `${of} is no text with a pattern and no list of words: nothing would tell where such values stand`,
    );
  return one;
}

/** Whether values of a schema are those of the member, by what the contract says. */
export function isOf(schema: JsonSchema, edit: Pick<ValueEdit, 'of'>, reference: JsonSchema): boolean {
  if (schema['x-same-as']?.includes(edit.of)) return true;
  if (reference.pattern !== undefined) return schema.pattern === reference.pattern;
  const words = wordsOf(schema);
  const known = wordsOf(reference);
  return words.length > 0 && words.length === known.length && words.every((word) => known.includes(word));
}

function wordsOf({ enum: words = [] }: JsonSchema): readonly unknown[] {
  return words.filter((word) => word !== null);
}

/** A schema, and all below it that hold such values, as the older version has them. */
export function olderValues(schema: JsonSchema, edit: ValueEdit, reference: JsonSchema): JsonSchema {
  return mapSchemas(schema, (each) => {
    if (each.discriminator?.mapping) return olderUnion(each, edit, reference);
    return isOf(each, edit, reference) ? { ...each, ...edit.older(each, isNullable(each)) } : each;
  });
}

/** Parameters with the values that the older version has. */
export function olderParameters(
  parameters: readonly Parameter[],
  values: readonly KnownValues[],
): readonly Parameter[] {
  return parameters.map((parameter) => {
    let { schema } = parameter;
    for (const { edit, reference } of values) schema = olderValues(schema, edit, reference);
    return { ...parameter, schema };
  });
}

/** A union whose members are told apart by such words. */
function olderUnion(schema: JsonSchema, edit: ValueEdit, reference: JsonSchema): JsonSchema {
  const words = Object.keys(schema.discriminator?.mapping ?? {});
  if (reference.enum === undefined || !words.every((word) => reference.enum?.includes(word))) return schema;
  const kept = words.flatMap((word) => {
    const older = edit.down(word);
    return older === undefined ? [] : [[older, schema.discriminator?.mapping?.[word] as string] as const];
  });
  const refs = new Set(kept.map(([, ref]) => ref));
  return {
    ...schema,
    ...(schema.oneOf && { oneOf: schema.oneOf.filter(({ $ref }) => $ref === undefined || refs.has($ref)) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.filter(({ $ref }) => $ref === undefined || refs.has($ref)) }),
    discriminator: {
      propertyName: schema.discriminator?.propertyName as string,
      mapping: Object.fromEntries(kept),
    },
  };
}

/** Whether a schema itself, references apart, has a place for values that the run converts. */
export function holdsValues(catalogue: Catalogue, run: Run, schema: JsonSchema): boolean {
  return (['newer', 'older'] as const).some((at) => {
    const sides = sidesOf(catalogue, run, at);
    return (
      sides.length > 0 && anyBelow(schema, (each) => sides.some(({ edit, reference }) => isOf(each, edit, reference)))
    );
  });
}

function anyBelow(schema: JsonSchema, matches: (schema: JsonSchema) => boolean): boolean {
  return matches(schema) || membersOf(schema).some((each) => anyBelow(each, matches));
}

/** The values that a run converts: a run in which values are converted is one step. */
function sidesOf(catalogue: Catalogue, run: Run, at: 'newer' | 'older'): readonly Side[] {
  if (run.newer - run.older !== 1) return [];
  const step = catalogue.steps[run.older] as Step;
  if (step.values.length === 0) return [];
  const contract = catalogue.contracts[at === 'newer' ? run.newer : run.older] as Contract;
  return step.values.map((edit) => ({ edit, step, reference: referenceOf(contract, edit) }));
}

/** The conversion of the values of a schema across a run, or undefined where it has none. */
export function valueConversion(
  catalogue: Catalogue,
  run: Run,
  schema: JsonSchema,
  direction: 'down' | 'up',
): ConvertValue | undefined {
  const sides = sidesOf(catalogue, run, direction === 'down' ? 'newer' : 'older').filter(({ edit, reference }) =>
    isOf(schema, edit, reference),
  );
  if (sides.length === 0) return undefined;
  const conversions = sides.map(({ edit, step, reference }) => {
    const has = hasValue(reference);
    return (value: unknown): unknown => {
      if (typeof value !== 'string' || !has(value)) return value;
      const other = named(step, () => edit[direction](value));
      if (other === undefined) throw new NotInVersion(`the older version has no ${edit.of} like it`);
      return other;
    };
  });
  return (value) => {
    for (const convert of conversions) {
      const other = convert(value);
      // A value of one kind is none of another.
      if (other !== value) return other;
    }
    return value;
  };
}

function named<T>(step: Step, convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    throw new TranslationFailed(step.name, error);
  }
}

/** Whether a text is one of the values: what is none, such as a wrong identifier in a path, is left as it is. */
function hasValue(reference: JsonSchema): (value: string) => boolean {
  if (reference.pattern === undefined) return (value) => reference.enum?.includes(value) === true;
  const pattern = new RegExp(reference.pattern, 'u');
  return (value) => pattern.test(value);
}

/** Whether what `ref` leads to may have to be kept from the older version of a run. */
export function mayHide(catalogue: Catalogue, run: Run, ref: string): boolean {
  const resources = reachable(catalogue.contracts[run.newer] as Contract, ref);
  const holds = (name: string): boolean => {
    const schema = catalogue.contracts[run.newer]?.resources.get(name);
    return schema !== undefined && holdsValues(catalogue, run, schema);
  };
  return catalogue.steps
    .slice(run.older, run.newer)
    .some(
      (step) =>
        [...resources].some((name) => step.edits.get(name)?.some(({ kind }) => kind === 'narrow')) ||
        (step.values.some(({ hides }) => hides) && [...resources].some(holds)),
    );
}

/** The `id` of another resource that has the same pattern, where the values are identifiers. */
export function otherWithPattern(
  resources: ReadonlyMap<string, JsonSchema>,
  { of }: ValueEdit,
  reference: JsonSchema,
  originalOf: (resource: string) => string,
): string | undefined {
  if (reference.pattern === undefined) return undefined;
  for (const [name, { properties = {} }] of resources) {
    const id = properties['id'];
    // What is the same object under another name says so.
    if (`${originalOf(name)}.id` !== of && id?.pattern === reference.pattern && !id['x-same-as']?.includes(of))
      return `${name}.id`;
  }
  return undefined;
}
