import Type, { type Static, type TSchema } from 'typebox';
import { type EventKind, type EventObjectType, eventKinds } from '../event-kinds.ts';
import { identifier, oneOf, optionalReference, orNull, ref, serverSet, stamp } from '../fields.ts';
import { Attachment } from './attachment.ts';
import { DiagnosticRecord } from './diagnostic.ts';
import { Job } from './job.ts';
import { Patient } from './patient.ts';
import { MedicalRecord } from './record.ts';
import { WebhookSubscription } from './webhook.ts';

/** The kinds of events about one type of object. */
function kindsOf<T extends EventObjectType>(objectType: T): readonly Extract<EventKind, `${T}.${string}`>[] {
  return Object.keys(eventKinds).filter((kind): kind is Extract<EventKind, `${T}.${string}`> =>
    kind.startsWith(`${objectType}.`),
  );
}

/** An event about one type of object; `data` is that object. */
function eventAbout<T extends EventObjectType, R extends TSchema>(
  objectType: T,
  $id: string,
  description: string,
  resource: R,
) {
  return Type.Object(
    {
      id: identifier('evt', 'Event identifier; the same in every delivery of it.'),
      type: oneOf(kindsOf(objectType), { description: 'What happened.' }),
      timestamp: stamp('When it happened.'),
      sequence: serverSet(
        Type.Integer({
          minimum: 1,
          readOnly: true,
          description:
            'Number of the event among those of its object: deliveries can overtake each other, numbers do not.',
        }),
      ),
      object_type: oneOf([objectType], { description: 'What it happened to.' }),
      object_id: serverSet(Type.String({ readOnly: true, description: 'The object it happened to.' })),
      patient_id: serverSet(
        optionalReference<'pat'>({
          readOnly: true,
          description: 'Whose data it is about; null for an object that is nobody’s.',
        }),
      ),
      data: Type.Unsafe<Static<R> | null>({
        ...orNull(ref(resource)),
        description:
          'The object as the change left it. Null when it was deleted, when its patient has been, when the key may not read it, where only identifiers were asked for, and when it was written before this version, which has another shape for it.',
      }),
    },
    { $id, title: $id, description },
  );
}

/** The event of each type of object. */
const members = {
  patient: eventAbout('patient', 'PatientEvent', 'Something that happened to a patient.', Patient),
  record: eventAbout('record', 'RecordEvent', 'Something that happened to a medical record.', MedicalRecord),
  attachment: eventAbout('attachment', 'AttachmentEvent', 'Something that happened to an attachment.', Attachment),
  diagnostic: eventAbout(
    'diagnostic',
    'DiagnosticEvent',
    'Something that happened to a kept result of an analysis.',
    DiagnosticRecord,
  ),
  bulk: eventAbout('bulk', 'BulkEvent', 'Something that happened to a bulk job.', Job),
  imaging: eventAbout('imaging', 'ImagingEvent', 'Something that happened to a result of imaging.', DiagnosticRecord),
  subscription: eventAbout(
    'subscription',
    'SubscriptionEvent',
    'Something that happened to a webhook subscription.',
    WebhookSubscription,
  ),
  webhook: eventAbout(
    'webhook',
    'WebhookTestEvent',
    'An event that somebody asked for to test a subscription with.',
    WebhookSubscription,
  ),
} as const;

type Member = Static<(typeof members)[keyof typeof members]>;

/** Something that happened to an object. */
export const Event = Type.Unsafe<Member>({
  $id: 'Event',
  title: 'Event',
  description:
    'Something that happened to an object; `object_type` says of which type it is. Also the body of webhooks.',
  oneOf: Object.values(members).map((member) => ({ $ref: idOf(member) })),
  discriminator: {
    propertyName: 'object_type',
    mapping: Object.fromEntries(Object.entries(members).map(([type, member]) => [type, idOf(member)])),
  },
});
/** Something that happened to an object. */
export type Event = Member;

function idOf(schema: TSchema): string {
  return (schema as { $id?: string }).$id as string;
}

/** Every resource of this file. */
export const eventResources = {
  PatientEvent: members.patient,
  RecordEvent: members.record,
  AttachmentEvent: members.attachment,
  DiagnosticEvent: members.diagnostic,
  BulkEvent: members.bulk,
  ImagingEvent: members.imaging,
  SubscriptionEvent: members.subscription,
  WebhookTestEvent: members.webhook,
  Event,
} as const;
