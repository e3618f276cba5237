import { randomBase62 } from '@perennial/schemas/platform/base62.ts';

/**
 * An identifier of one kind: its prefix, an underscore, and what is opaque. The prefix is part of the type, so that
 * identifiers of two kinds cannot be given in each other's place.
 */
export type Id<Prefix extends string> = `${Prefix}_${string}`;

export type AccountId = Id<'acc'>;
export type AttachmentId = Id<'att'>;
/** Of the elements that a bulk request keeps for the job that works on them. */
export type BulkId = Id<'blk'>;
export type CohortId = Id<'coh'>;
export type DeliveryId = Id<'dlv'>;
export type DiagnosticId = Id<'diag'>;
export type EventId = Id<'evt'>;
export type InstanceId = Id<'imi'>;
export type JobId = Id<'job'>;
export type KeyId = Id<'key'>;
/** Of a decision that an interaction may stand. */
export type OverrideId = Id<'iov'>;
export type PatientId = Id<'pat'>;
export type RecordId = Id<'rec'>;
export type StudyId = Id<'img'>;
/** Of a subscription to webhooks. */
export type SubscriptionId = Id<'whk'>;

/** A new identifier such as `pat_4fG…`: the prefix, an underscore and 20 characters (119 bits), so two never meet. */
export function newId<const Prefix extends string>(prefix: Prefix): Id<Prefix> {
  return `${prefix}_${randomBase62(20)}`;
}
