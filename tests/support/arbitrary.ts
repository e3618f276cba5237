import { isInlineObject, type JsonSchema, typesOf } from '@perennial/schemas/platform/json-schema.ts';
import { resolveRef } from '@perennial/schemas/variants.ts';
import fc from 'fast-check';

/** How many bodies each property is tried with; `npm run test:properties` sets more. */
export const propertyRuns = Number(process.env['PROPERTY_RUNS'] ?? 1000);

const DEPTH_MAX = 4;

/** Entries of a list at most: three tell an order from a pair, two within something else are enough to be several. */
const entriesMax = (depth: number): number => (depth === 0 ? 3 : 2);

/** Values that a schema of one version allows: every optional member sometimes there, sometimes not. */
export function valuesOf(
  resources: ReadonlyMap<string, JsonSchema>,
  schema: JsonSchema,
  depth = 0,
): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return referredValuesOf(resources, schema.$ref, depth + 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) {
    const { propertyName, mapping } = schema.discriminator ?? {};
    // Whoever writes to a union says to which of its members, in a patch too.
    const all =
      propertyName !== undefined && mapping !== undefined
        ? Object.entries(mapping).map(([word, ref]) =>
            valuesOf(resources, { $ref: ref }, depth).map((value) => ({ ...(value as object), [propertyName]: word })),
          )
        : alternatives.map((each) => valuesOf(resources, each, depth));
    // Recursive unions end: beyond the depth the last alternative, which is null where there is one.
    return depth > DEPTH_MAX ? (all.at(-1) as fc.Arbitrary<unknown>) : fc.oneof(...all);
  }
  if (isInlineObject(schema)) return objectsOf(resources, schema, depth);
  const types = typesOf(schema);
  if (types.length > 1) return fc.oneof(...types.map((type) => valuesOf(resources, { ...schema, type }, depth)));
  switch (types[0]) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000_000, max: schema.maximum ?? 1_000_000 });
    case 'number':
      // Minus zero is not JSON.
      return fc
        .double({
          min: schema.minimum ?? schema.exclusiveMinimum ?? -1e6,
          minExcluded: schema.minimum === undefined && schema.exclusiveMinimum !== undefined,
          max: schema.maximum ?? 1e6,
          noNaN: true,
        })
        .map((value) => (Object.is(value, -0) ? 0 : value));
    case 'string':
      return stringsOf(schema);
    case 'array':
      // Beyond the depth only lists that may not be empty have entries.
      return schema.items && (depth <= DEPTH_MAX || (schema.minItems ?? 0) > 0)
        ? listsOf(schema, valuesOf(resources, schema.items, depth + 1), depth)
        : fc.constant([]);
    case 'object':
      return typeof schema.additionalProperties === 'object'
        ? fc.dictionary(
            fc.string({ minLength: 1, maxLength: 8 }),
            valuesOf(resources, schema.additionalProperties, depth + 1),
            {
              maxKeys: 3,
            },
          )
        : fc.constant({});
    default:
      // A member that is accepted and ignored.
      return fc.constant('ignored');
  }
}

/** Generators of references, by the version they belong to: the same ones are met in many places. */
const referred = new WeakMap<ReadonlyMap<string, JsonSchema>, Map<string, fc.Arbitrary<unknown>>>();

function referredValuesOf(
  resources: ReadonlyMap<string, JsonSchema>,
  ref: string,
  depth: number,
): fc.Arbitrary<unknown> {
  let known = referred.get(resources);
  if (!known) {
    known = new Map();
    referred.set(resources, known);
  }
  const key = `${ref} ${depth}`;
  let values = known.get(key);
  if (!values) {
    values = valuesOf(resources, resolveRef(resources, ref), depth);
    known.set(key, values);
  }
  return values;
}

function listsOf(schema: JsonSchema, items: fc.Arbitrary<unknown>, depth: number): fc.Arbitrary<unknown> {
  const minLength = schema.minItems ?? 0;
  const most = Math.min(schema.maxItems ?? entriesMax(depth), entriesMax(depth));
  const bounds = { minLength, maxLength: depth <= DEPTH_MAX ? Math.max(most, minLength) : minLength };
  return schema.uniqueItems === true
    ? fc.uniqueArray(items, { ...bounds, selector: (item) => JSON.stringify(item) })
    : fc.array(items, bounds);
}

function objectsOf(
  resources: ReadonlyMap<string, JsonSchema>,
  schema: JsonSchema,
  depth: number,
): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, member]) => [name, valuesOf(resources, member, depth)]),
  );
  const required = [...(schema.required ?? [])];
  const object = fc.record(members, { requiredKeys: required, noNullPrototype: true });
  const least = schema.minProperties ?? 0;
  return least > 0 ? object.filter((value) => Object.keys(value).length >= least) : object;
}

function stringsOf(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.pattern !== undefined) return matchesOf(schema, schema.pattern);
  switch (schema.format) {
    case 'date':
      return fc
        .date({ min: new Date('1900-01-01'), max: new Date('2020-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10));
    case 'date-time':
      return fc
        .date({ min: new Date('2000-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString());
    case 'email':
      return fc
        .tuple(fc.stringMatching(/^[a-z]{1,10}$/), fc.stringMatching(/^[a-z]{1,10}$/))
        .map(([a, b]) => `${a}@${b}.org`);
    case 'uri':
      return fc.stringMatching(/^[a-z]{1,10}$/).map((name) => `https://${name}.example`);
    case 'uri-reference':
      return fc.stringMatching(/^\/[a-z]{1,10}$/);
    default:
      return textsOf(schema.minLength ?? 0, schema.maxLength ?? 20);
  }
}

/** A schema counts code points, of which one letter may have several. */
function textsOf(minLength: number, most: number): fc.Arbitrary<string> {
  const maxLength = Math.min(most, 20);
  const texts = fc.string({ unit: 'grapheme', minLength, maxLength });
  return most > 80 ? texts : texts.filter((text) => [...text].length <= most);
}

/** Strings of each pattern. Most are ids: making each letter by letter would take most of the time of a property. */
const MATCHES = 100;
const matches = new Map<string, fc.Arbitrary<string>>();

function matchesOf(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: JsonSchema,
  pattern: string,
): fc.Arbitrary<string> {
  const key = `${minLength} ${maxLength} ${pattern}`;
  let known = matches.get(key);
  if (!known) {
    const all = fc
      .stringMatching(new RegExp(pattern))
      .filter(({ length }) => length >= minLength && length <= maxLength);
    known = fc.constantFrom(...new Set(fc.sample(all, { numRuns: MATCHES, seed: 20_231_015 })));
    matches.set(key, known);
  }
  return known;
}
