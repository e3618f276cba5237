import { randomBase62 } from '@perennial/schemas/platform/base62.ts';

/**
 * An identifier of one kind: its prefix, an underscore, and what is opaque. The prefix is part of the type, so that
 * identifiers of two kinds cannot be given in each other's place.
 */
export type Id<Prefix extends string> = `${Prefix}_${string}`;

export type AccountId = Id<'acc'>;
export type KeyId = Id<'key'>;
export type PatientId = Id<'pat'>;
export type RecordId = Id<'rec'>;
export type DiagnosticId = Id<'diag'>;
export type JobId = Id<'job'>;

/** A new identifier such as `pat_4fG…`: the prefix, an underscore and 20 characters (119 bits), so two never meet. */
export function newId<const Prefix extends string>(prefix: Prefix): Id<Prefix> {
  return `${prefix}_${randomBase62(20)}`;
}
