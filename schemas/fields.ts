import Type, { type Static, type TSchema } from 'typebox';
import type { Id } from './platform/ids.ts';
import type { JsonSchema } from './platform/json-schema.ts';

/**
 * Building blocks of resource schemas. Each gives the JSON Schema that is published and the static type that
 * handlers and translators see.
 */

type Options = JsonSchema;

/** A reference to a resource by its `$id`; typed as that resource. */
export function ref<T extends TSchema>(resource: T): Type.TUnsafe<Static<T>> {
  return Type.Unsafe<Static<T>>({ $ref: (resource as JsonSchema).$id as string });
}

/** A string or null. Absent and null mean the same; answers always print the key. */
export function optionalText(maxLength: number, options: Options = {}): Type.TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, ...options });
}

/** One of the given words. */
export function oneOf<const T extends readonly string[]>(values: T, options: Options = {}): Type.TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
}

/** One of the given words, or null. */
export function optionalOneOf<const T extends readonly string[]>(
  values: T,
  options: Options = {},
): Type.TUnsafe<T[number] | null> {
  return Type.Unsafe<T[number] | null>({ type: ['string', 'null'], enum: [...values, null], ...options });
}

/** A calendar day, `YYYY-MM-DD`. */
export function day(options: Options = {}): Type.TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'date', ...options });
}

/** An instant as RFC 3339 text in UTC. */
export function instant(options: Options = {}): Type.TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'date-time', ...options });
}

/** A member that only the service sets; in what clients write it is accepted and ignored. */
export type ServerSet<T extends TSchema> = Type.TReadonly<T>;

/** Types a member as read-only. Its schema must say `readOnly: true` itself; a test holds the two together. */
export function serverSet<T extends TSchema>(schema: T): ServerSet<T> {
  // The builder's own type asks whether it was read-only before; either way it is now.
  return Type.Readonly(schema) as ServerSet<T>;
}

/** An instant that only the service sets. */
export function stamp(description: string): ServerSet<Type.TUnsafe<string>> {
  return Type.Readonly(instant({ readOnly: true, description }));
}

/** An identifier: a prefix and an opaque string. Only the service sets it. */
export function identifier<const P extends string>(prefix: P, description: string): ServerSet<Type.TUnsafe<Id<P>>> {
  return Type.Readonly(
    Type.Unsafe<Id<P>>({
      type: 'string',
      pattern: `^${prefix}_[0-9A-Za-z]{8,64}$`,
      readOnly: true,
      description,
      examples: [`${prefix}_8fJ2kQ0aZrT5mWxY7bLc`],
    }),
  );
}

/** The identifier of an object that is elsewhere: `reference<'pat'>()` is a patient's. */
export function reference<P extends string>(options: Options = {}): Type.TUnsafe<Id<P>> {
  return Type.Unsafe<Id<P>>({ type: 'string', ...options });
}

/** The identifier of an object that is elsewhere, or null. */
export function optionalReference<P extends string>(options: Options = {}): Type.TUnsafe<Id<P> | null> {
  return Type.Unsafe<Id<P> | null>({ type: ['string', 'null'], ...options });
}

/** A schema whose value may be null. */
export function orNull<T extends TSchema>(schema: T): Type.TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] });
}
