import Type, { type Static } from 'typebox';
import { identifier, oneOf, orNull, ref, serverSet, stamp } from '../fields.ts';
import type { DiagnosticBulkResult, PatientBulkResult } from './bulk.ts';
import { DiagnosticRecord } from './diagnostic.ts';
import { ErrorBody } from './error-body.ts';

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
    started_at: serverSet(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        format: 'date-time',
        readOnly: true,
        description: 'When work on it began; null before that.',
      }),
    ),
    finished_at: serverSet(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        format: 'date-time',
        readOnly: true,
        description: 'When it ended; null before that.',
      }),
    ),
    expires_at: serverSet(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        format: 'date-time',
        readOnly: true,
        description: 'When its result is erased; null before it has ended.',
      }),
    ),
    links: ref(JobLinks),
  },
  { $id: 'Job', title: 'Job', description: 'Work that outlives the request that asked for it.' },
);
/** A job as core answers it. */
export type Job = Static<typeof Job>;

/** What an analysis of an image has seen. */
export const ImagingJobResult = Type.Object(
  {
    kind: oneOf(['imaging'], { description: 'Tells results apart.' }),
    data: ref(DiagnosticRecord),
  },
  { $id: 'ImagingJobResult', title: 'ImagingJobResult', description: 'What an analysis of an image has seen.' },
);
/** What an analysis of an image has seen. */
export type ImagingJobResult = Static<typeof ImagingJobResult>;

/** One line of a job’s result. */
export const JobResult = Type.Unsafe<PatientBulkResult | DiagnosticBulkResult | ImagingJobResult>({
  $id: 'JobResult',
  title: 'JobResult',
  description: 'One line of a job’s result.',
  oneOf: [
    { $ref: 'PatientBulkResult' },
    { $ref: 'AnalysisBulkResult' },
    { $ref: 'DiagnosticRecordBulkResult' },
    { $ref: 'ImagingJobResult' },
  ],
  discriminator: {
    propertyName: 'kind',
    mapping: {
      patient: 'PatientBulkResult',
      analysis: 'AnalysisBulkResult',
      diagnostic_record: 'DiagnosticRecordBulkResult',
      imaging: 'ImagingJobResult',
    },
  },
});

/** One line of a job’s result. */
export type JobResult = Static<typeof JobResult>;

/** Every resource of this file. */
export const jobResources = { JobProgress, JobLinks, Job, ImagingJobResult, JobResult } as const;
