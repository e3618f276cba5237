/**
 * The kinds of events: what can happen to an object that subscribers are told of. A kind is named after the type of
 * the object and what happened to it, and never gets another meaning.
 */

interface KindEntry {
  /** The release in which it came; subscriptions pinned to an older one are not sent it. */
  readonly since: string;
  readonly description: string;
}

/** Every kind. */
export const eventKinds = {
  'patient.created': { since: '2023-04-30', description: 'A patient was created.' },
  'patient.updated': { since: '2023-04-30', description: 'A patient was changed.' },
  'patient.deleted': { since: '2023-04-30', description: 'A patient was deleted.' },
  'patient.restored': { since: '2023-04-30', description: 'A deleted patient was brought back.' },
  'record.created': { since: '2023-04-30', description: 'A medical record was created.' },
  'record.updated': { since: '2023-04-30', description: 'A medical record was corrected.' },
  'record.deleted': { since: '2023-04-30', description: 'A medical record was deleted.' },
  'record.restored': { since: '2023-04-30', description: 'A deleted medical record was brought back.' },
  'attachment.created': { since: '2023-04-30', description: 'A file was attached to a medical record.' },
  'attachment.updated': { since: '2023-04-30', description: 'Name or description of an attached file was changed.' },
  'attachment.deleted': { since: '2023-04-30', description: 'An attached file was deleted.' },
  'diagnostic.completed': { since: '2023-04-30', description: 'An analysis ended and its result was kept.' },
  'bulk.completed': { since: '2023-04-30', description: 'A bulk job ended, well or not.' },
  'imaging.completed': { since: '2023-10-15', description: 'The analysis of an image ended.' },
  'subscription.disabled': { since: '2023-04-30', description: 'A webhook subscription is no longer served.' },
  'webhook.test': { since: '2023-04-30', description: 'Somebody asked for an event to test a subscription with.' },
} as const satisfies Record<string, KindEntry>;

/** A kind of event. */
export type EventKind = keyof typeof eventKinds;

/** What an event can be about: the part of a kind before the dot. */
export type EventObjectType = EventKind extends `${infer T}.${string}` ? T : never;
