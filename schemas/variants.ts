import { isInlineObject, isNullable, type JsonSchema, mapRefs, nullable, typesOf } from './platform/json-schema.ts';

/**
 * References. `Patient` is the resource as it is answered; `Patient.create`, `Patient.replace` and `Patient.patch`
 * are what a client may write; `Patient.page` is a page of it. Variants are a pure function of the resource, so an
 * older version's variants follow from its older resource and nobody writes them.
 */
export const variants = ['create', 'replace', 'patch', 'page'] as const;

/** What a reference asks of a resource. */
export type Variant = (typeof variants)[number];

/** Splits `Patient.create` into the resource and the variant. */
export function parseRef(ref: string): { readonly resource: string; readonly variant: Variant | undefined } {
  const dot = ref.lastIndexOf('.');
  if (dot < 0) return { resource: ref, variant: undefined };
  const variant = ref.slice(dot + 1);
  if (!(variants as readonly string[]).includes(variant)) throw new Error(`${ref}: there is no variant ${variant}`);
  return { resource: ref.slice(0, dot), variant: variant as Variant };
}

/** Finds the schema a reference means among the resources of one version. */
export function resolveRef(resources: ReadonlyMap<string, JsonSchema>, ref: string): JsonSchema {
  const { resource, variant } = parseRef(ref);
  const schema = resources.get(resource);
  if (!schema) throw new Error(`${ref}: no resource has the $id ${resource}`);
  switch (variant) {
    case undefined:
      return schema;
    case 'create':
    case 'replace':
      return { ...writable(schema, 'full'), $id: ref, title: titleOf(ref) };
    case 'patch':
      return { ...writable(schema, 'patch'), $id: ref, title: titleOf(ref), minProperties: 1 };
    case 'page': {
      const page = resources.get('Page');
      if (!page) throw new Error(`${ref}: no resource has the $id Page`);
      return { ...mapRefs(page, (each) => (each === '#item' ? resource : each)), $id: ref, title: titleOf(ref) };
    }
  }
}

/** `Patient.create` → `PatientCreate`: the name of a reference where dots are not allowed. */
export function titleOf(ref: string): string {
  return ref.replace(/\.(.)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * What may be written: read-only members are accepted and ignored, members that may be null and lists that may be
 * empty can be left out, and unknown members are refused. In a patch nothing is required (RFC 7396).
 */
function writable(schema: JsonSchema, mode: 'full' | 'patch'): JsonSchema {
  if (schema.discriminator) return writableUnion(schema, mode);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const wasRequired = new Set(schema.required ?? []);
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (member.readOnly) {
      // Any value: it is ignored. Only its description is published.
      properties[name] = { readOnly: true, ...(member.description ? { description: member.description } : {}) };
      continue;
    }
    const inner = isInlineObject(member) ? writable(member, mode) : written(member, mode);
    const isOptional =
      !wasRequired.has(name) || isNullable(member) || mayBeEmpty(member) || hasOnlyOptional(inner, mode, member);
    properties[name] = isOptional ? nullable(inner) : inner;
    if (!isOptional && mode === 'full') required.push(name);
  }
  const { required: _, ...rest } = schema;
  return { ...rest, properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}

/**
 * A union is written as the same variant of its members. The discriminator is required even in a patch: it says what
 * the other members mean, and so an update can be checked and translated without what is stored.
 */
function writableUnion(schema: JsonSchema, mode: 'full' | 'patch'): JsonSchema {
  const name = schema.discriminator?.propertyName as string;
  const variant = mode === 'full' ? 'create' : 'patch';
  const mapping = Object.entries(schema.discriminator?.mapping ?? {}).map(([word, ref]) => [word, `${ref}.${variant}`]);
  return {
    ...mapRefs(schema, (ref) => `${ref}.${variant}`),
    discriminator: { propertyName: name, mapping: Object.fromEntries(mapping) },
    required: [name],
  };
}

/** A member that refers to other resources is written as their variants; the entries of a list are always whole. */
function written(schema: JsonSchema, mode: 'full' | 'patch'): JsonSchema {
  const variant = mode === 'full' || typesOf(schema).includes('array') ? 'create' : 'patch';
  return mapRefs(schema, (ref) => `${ref}.${variant}`);
}

function mayBeEmpty(schema: JsonSchema): boolean {
  return schema.type === 'array' && (schema.minItems ?? 0) === 0;
}

function hasOnlyOptional(inner: JsonSchema, mode: 'full' | 'patch', original: JsonSchema): boolean {
  if (!isInlineObject(original)) return false;
  const full = mode === 'full' ? inner : writable(original, 'full');
  return (full.required ?? []).length === 0;
}
