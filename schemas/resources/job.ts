import Type, { type Static, type TSchema } from 'typebox';
import { identifier, oneOf, orNull, ref, stamp } from '../fields.ts';
import { ErrorBody } from './error-body.ts';
import { ImagingResult } from './imaging-result.ts';
import { Patient } from './patient.ts';

/** Where a job stands. It ends as succeeded, failed or cancelled, and is expired once its result has been erased. */
export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const;

/** Where a job stands. */
export type JobState = (typeof jobStates)[number];

/** How far a job has come. */
export const JobProgress = Type.Object(
  {
    done: Type.Integer({ minimum: 0, description: 'Parts that are done.', examples: [40] }),
    total: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Parts in all; null while that is not known.',
      examples: [150],
    }),
  },
  { $id: 'JobProgress', title: 'JobProgress', description: 'How far a job has come.' },
);

/** Where a job’s other operations are. */
export const JobLinks = Type.Object(
  {
    self: Type.String({ description: 'The job.', examples: ['/jobs/job_8fJ2kQ0aZrT5mWxY7bLc'] }),
    result: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'What came out; null while there is nothing to read.',
    }),
    cancel: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Post there to cancel; null once the job has ended.',
    }),
  },
  {
    $id: 'JobLinks',
    title: 'JobLinks',
    description: 'Paths of the job’s operations, below the version segment.',
  },
);

/** Work that outlives the request that asked for it. */
export const Job = Type.Object(
  {
    id: identifier('job', 'Job identifier.'),
    kind: Type.String({ maxLength: 60, description: 'What is done.', examples: ['patients.bulk'] }),
    state: oneOf(jobStates, { description: 'Where the job stands.', examples: ['running'] }),
    progress: ref(JobProgress),
    error: orNull(ref(ErrorBody)),
    created_at: stamp('When the job was asked for.'),
    started_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      readOnly: true,
      description: 'When work on it began; null before that.',
    }),
    finished_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      readOnly: true,
      description: 'When it ended; null before that.',
    }),
    expires_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      readOnly: true,
      description: 'When its result is erased; null before it has ended.',
    }),
    links: ref(JobLinks),
  },
  { $id: 'Job', title: 'Job', description: 'Work that outlives the request that asked for it.' },
);
/** A job as core answers it. */
export type Job = Static<typeof Job>;

/** What can be done to a patient in bulk. */
export const patientActions = ['create', 'update', 'delete'] as const;

/** What became of one entry of a bulk request. */
export const bulkStatuses = ['succeeded', 'failed', 'not_done'] as const;

/** What became of one operation on a patient. */
export const PatientBulkResult = Type.Object(
  {
    kind: oneOf(['patient'], { description: 'Tells results apart.' }),
    index: Type.Integer({ minimum: 0, description: 'Place of the operation in what was sent, from 0.' }),
    action: oneOf(patientActions, { description: 'What was asked.' }),
    status: oneOf(bulkStatuses, {
      description: 'What became of it; `not_done` when the whole was rolled back or cancelled before its turn.',
    }),
    id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The patient; null when none was created.',
      examples: ['pat_8fJ2kQ0aZrT5mWxY7bLc'],
    }),
    data: orNull(ref(Patient)),
    error: orNull(ref(ErrorBody)),
  },
  {
    $id: 'PatientBulkResult',
    title: 'PatientBulkResult',
    description:
      'What became of one operation on a patient. `data` is the patient as it was written; null after a deletion, ' +
      'and once the patient has been deleted. Pointers of `error` lead into what was sent.',
  },
);
/** What became of one operation on a patient. */
export type PatientBulkResult = Static<typeof PatientBulkResult>;

/** What an analysis of an image has seen. */
export const ImagingJobResult = Type.Object(
  {
    kind: oneOf(['imaging'], { description: 'Tells results apart.' }),
    data: ref(ImagingResult),
  },
  { $id: 'ImagingJobResult', title: 'ImagingJobResult', description: 'What an analysis of an image has seen.' },
);
/** What an analysis of an image has seen. */
export type ImagingJobResult = Static<typeof ImagingJobResult>;

/** One line of a job’s result. */
export const JobResult = Type.Unsafe<PatientBulkResult | ImagingJobResult>({
  $id: 'JobResult',
  title: 'JobResult',
  description: 'One line of a job’s result.',
  oneOf: [{ $ref: 'PatientBulkResult' }, { $ref: 'ImagingJobResult' }],
  discriminator: { propertyName: 'kind', mapping: { patient: 'PatientBulkResult', imaging: 'ImagingJobResult' } },
});

/** Every resource of this file. */
export const jobResources: readonly TSchema[] = [
  JobProgress,
  JobLinks,
  Job,
  PatientBulkResult,
  ImagingJobResult,
  JobResult,
];
