import Type, { type Static, type TSchema, type TUnsafe } from 'typebox';
import { oneOf, orNull, ref, reference } from '../fields.ts';
import type { DiagnosticId, PatientId } from '../platform/ids.ts';
import { Analysis, AnalysisRequest } from './analysis.ts';
import { DiagnosticRecord, DiagnosticRequest } from './diagnostic.ts';
import { ErrorBody } from './error-body.ts';
import { Job } from './job.ts';
import { Patient } from './patient.ts';

/** Operations of one bulk request. */
export const BULK_OPERATIONS_MAX = 10_000;
/** Operations of one bulk request that is done as a whole or not at all: one transaction holds them. */
export const BULK_ATOMIC_MAX = 1_000;
/** Operations that are answered at once; more are a job. */
export const BULK_AT_ONCE_MAX = 100;
/** Largest operation, in bytes. */
export const BULK_OPERATION_BYTES_MAX = 65_536;

/** Whether the operations stand and fall together. */
export const bulkModes = ['independent', 'atomic'] as const;
/** Whether the operations stand and fall together. */
export type BulkMode = (typeof bulkModes)[number];

/** What became of one operation. */
export const bulkStatuses = ['succeeded', 'refused', 'failed', 'not_done'] as const;
/** What became of one operation. */
export type BulkStatus = (typeof bulkStatuses)[number];

const closed = { additionalProperties: false } as const;

const mode = (): TUnsafe<BulkMode> =>
  Type.Unsafe<BulkMode>({
    type: 'string',
    enum: [...bulkModes],
    default: 'independent',
    description:
      'independent: each operation by itself. atomic: all of them or, when one cannot be done, none; ' +
      `at most ${BULK_ATOMIC_MAX}.`,
  });

const patientId = (): Type.TUnsafe<PatientId> =>
  reference<'pat'>({
    minLength: 1,
    maxLength: 80,
    description: 'The patient.',
    examples: ['pat_8fJ2kQ0aZrT5mWxY7bLc'],
  });

const ifMatch = (): Type.TOptional<TUnsafe<string | null>> =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 200,
      description:
        'ETag of the object as it was read: where it has changed since, the operation fails with `conflict`.',
    }),
  );

/** A variant of a resource; see `variants.ts`. */
function variantOf<T extends TSchema>(resource: T, variant: 'create' | 'patch'): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ $ref: `${(resource as { $id?: string }).$id}.${variant}` });
}

/* Patients. */

/** Creates a patient. */
export const PatientCreateOperation = Type.Object(
  { action: oneOf(['create'], { description: 'What to do.' }), data: variantOf(Patient, 'create') },
  { $id: 'PatientCreateOperation', title: 'PatientCreateOperation', description: 'Creates a patient.', ...closed },
);

/** Updates parts of a patient. */
export const PatientUpdateOperation = Type.Object(
  {
    action: oneOf(['update'], { description: 'What to do.' }),
    id: patientId(),
    data: variantOf(Patient, 'patch'),
    if_match: ifMatch(),
  },
  {
    $id: 'PatientUpdateOperation',
    title: 'PatientUpdateOperation',
    description: 'Updates parts of a patient: a merge patch.',
    ...closed,
  },
);

/** Deletes a patient. */
export const PatientDeleteOperation = Type.Object(
  { action: oneOf(['delete'], { description: 'What to do.' }), id: patientId(), if_match: ifMatch() },
  {
    $id: 'PatientDeleteOperation',
    title: 'PatientDeleteOperation',
    description: 'Deletes a patient; it can be restored.',
    ...closed,
  },
);

/** One operation on a patient. */
export type PatientOperation =
  | Static<typeof PatientCreateOperation>
  | Static<typeof PatientUpdateOperation>
  | Static<typeof PatientDeleteOperation>;

/** One operation on a patient. */
export const PatientOperation = Type.Unsafe<PatientOperation>({
  $id: 'PatientOperation',
  title: 'PatientOperation',
  description: 'One operation on a patient.',
  oneOf: [{ $ref: 'PatientCreateOperation' }, { $ref: 'PatientUpdateOperation' }, { $ref: 'PatientDeleteOperation' }],
  discriminator: {
    propertyName: 'action',
    mapping: {
      create: 'PatientCreateOperation',
      update: 'PatientUpdateOperation',
      delete: 'PatientDeleteOperation',
    },
  },
});

/** Operations on patients. */
export const PatientBulkRequest = Type.Object(
  {
    mode: Type.Optional(mode()),
    operations: Type.Array(ref(PatientOperation), {
      minItems: 1,
      maxItems: BULK_OPERATIONS_MAX,
      description: 'The operations, carried out in this order.',
    }),
  },
  {
    $id: 'PatientBulkRequest',
    title: 'PatientBulkRequest',
    description: 'Operations on patients.',
    ...closed,
  },
);

const resultIndex = (): Type.TInteger =>
  Type.Integer({ minimum: 0, description: 'Place of the operation in what was sent, from 0.' });
const resultStatus = (): TUnsafe<BulkStatus> =>
  oneOf(bulkStatuses, {
    description:
      'What became of it. refused: it was not valid as it was sent, and its pointers are in the names of the version ' +
      'it was sent in. failed: it could not be done. not_done: its turn did not come, or what it did was rolled back.',
  });
const resultError = (into: string): TUnsafe<Static<typeof ErrorBody> | null> =>
  Type.Unsafe<Static<typeof ErrorBody> | null>({
    ...orNull(ref(ErrorBody)),
    'x-pointers': { into, asSent: { member: 'status', value: 'refused' } },
    description: 'Why it was refused or failed; pointers lead into what was sent: `/operations/<index>/…`.',
  });

/** What became of one operation on a patient. */
export const PatientBulkResult = Type.Object(
  {
    kind: oneOf(['patient'], { description: 'Tells results apart.' }),
    index: resultIndex(),
    action: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: ['create', 'update', 'delete', null],
      description: 'What was asked; null where that could not be read.',
    }),
    status: resultStatus(),
    id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The patient; null where none was created.',
      examples: ['pat_8fJ2kQ0aZrT5mWxY7bLc'],
    }),
    data: Type.Unsafe<Static<typeof Patient> | null>({
      ...orNull(ref(Patient)),
      description: 'The patient as it was written; null after a deletion, and once the patient has been deleted.',
    }),
    error: resultError('PatientBulkRequest'),
  },
  {
    $id: 'PatientBulkResult',
    title: 'PatientBulkResult',
    description: 'What became of one operation on a patient.',
  },
);
/** What became of one operation on a patient. */
export type PatientBulkResult = Static<typeof PatientBulkResult>;

/* Diagnostics. */

const diagnosticId = (): Type.TUnsafe<DiagnosticId> =>
  reference<'diag'>({
    minLength: 1,
    maxLength: 80,
    description: 'The diagnostic record.',
    examples: ['diag_8fJ2kQ0aZrT5mWxY7bLc'],
  });

/** Analyzes symptoms and vital signs. */
export const DiagnosticAnalyzeOperation = Type.Object(
  { action: oneOf(['analyze'], { description: 'What to do.' }), data: ref(AnalysisRequest) },
  {
    $id: 'DiagnosticAnalyzeOperation',
    title: 'DiagnosticAnalyzeOperation',
    description: 'Analyzes symptoms and vital signs.',
    ...closed,
  },
);

/** Analyzes and keeps the result as a diagnostic record. */
export const DiagnosticCreateOperation = Type.Object(
  { action: oneOf(['create'], { description: 'What to do.' }), data: ref(DiagnosticRequest) },
  {
    $id: 'DiagnosticCreateOperation',
    title: 'DiagnosticCreateOperation',
    description: 'Analyzes, and keeps the result as a diagnostic record.',
    ...closed,
  },
);

/** Changes a diagnostic record. */
export const DiagnosticUpdateOperation = Type.Object(
  {
    action: oneOf(['update'], { description: 'What to do.' }),
    id: diagnosticId(),
    data: variantOf(DiagnosticRecord, 'patch'),
    if_match: ifMatch(),
  },
  {
    $id: 'DiagnosticUpdateOperation',
    title: 'DiagnosticUpdateOperation',
    description: 'Changes the note of a diagnostic record: a merge patch.',
    ...closed,
  },
);

/** Deletes a diagnostic record. */
export const DiagnosticDeleteOperation = Type.Object(
  { action: oneOf(['delete'], { description: 'What to do.' }), id: diagnosticId(), if_match: ifMatch() },
  {
    $id: 'DiagnosticDeleteOperation',
    title: 'DiagnosticDeleteOperation',
    description: 'Deletes a diagnostic record; it can be restored.',
    ...closed,
  },
);

/** One operation of diagnostics. */
export type DiagnosticOperation =
  | Static<typeof DiagnosticAnalyzeOperation>
  | Static<typeof DiagnosticCreateOperation>
  | Static<typeof DiagnosticUpdateOperation>
  | Static<typeof DiagnosticDeleteOperation>;

/** One operation of diagnostics. */
export const DiagnosticOperation = Type.Unsafe<DiagnosticOperation>({
  $id: 'DiagnosticOperation',
  title: 'DiagnosticOperation',
  description: 'One operation of diagnostics.',
  oneOf: [
    { $ref: 'DiagnosticAnalyzeOperation' },
    { $ref: 'DiagnosticCreateOperation' },
    { $ref: 'DiagnosticUpdateOperation' },
    { $ref: 'DiagnosticDeleteOperation' },
  ],
  discriminator: {
    propertyName: 'action',
    mapping: {
      analyze: 'DiagnosticAnalyzeOperation',
      create: 'DiagnosticCreateOperation',
      update: 'DiagnosticUpdateOperation',
      delete: 'DiagnosticDeleteOperation',
    },
  },
});

/** Operations of diagnostics. */
export const DiagnosticBulkRequest = Type.Object(
  {
    mode: Type.Optional(mode()),
    operations: Type.Array(ref(DiagnosticOperation), {
      minItems: 1,
      maxItems: BULK_OPERATIONS_MAX,
      description: 'The operations, carried out in this order.',
    }),
  },
  {
    $id: 'DiagnosticBulkRequest',
    title: 'DiagnosticBulkRequest',
    description: 'Operations of diagnostics.',
    ...closed,
  },
);

/** What became of one analysis. */
export const AnalysisBulkResult = Type.Object(
  {
    kind: oneOf(['analysis'], { description: 'Tells results apart.' }),
    index: resultIndex(),
    action: oneOf(['analyze'], { description: 'What was asked.' }),
    status: resultStatus(),
    id: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'The result; null where there is none.' }),
    data: Type.Unsafe<Static<typeof Analysis> | null>({ ...orNull(ref(Analysis)), description: 'The analysis.' }),
    error: resultError('DiagnosticBulkRequest'),
  },
  { $id: 'AnalysisBulkResult', title: 'AnalysisBulkResult', description: 'What became of one analysis.' },
);

/** What became of one operation on a diagnostic record. */
export const DiagnosticRecordBulkResult = Type.Object(
  {
    kind: oneOf(['diagnostic_record'], { description: 'Tells results apart.' }),
    index: resultIndex(),
    action: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: ['create', 'update', 'delete', null],
      description: 'What was asked; null where that could not be read.',
    }),
    status: resultStatus(),
    id: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'The record; null where there is none.' }),
    data: Type.Unsafe<Static<typeof DiagnosticRecord> | null>({
      ...orNull(ref(DiagnosticRecord)),
      description: 'The record as it was written; null after a deletion, and once the patient has been deleted.',
    }),
    error: resultError('DiagnosticBulkRequest'),
  },
  {
    $id: 'DiagnosticRecordBulkResult',
    title: 'DiagnosticRecordBulkResult',
    description: 'What became of one operation on a diagnostic record.',
  },
);

/** What became of one operation of diagnostics. */
export type DiagnosticBulkResult = Static<typeof AnalysisBulkResult> | Static<typeof DiagnosticRecordBulkResult>;

/** What became of one operation of diagnostics. */
export const DiagnosticBulkResult = Type.Unsafe<DiagnosticBulkResult>({
  $id: 'DiagnosticBulkResult',
  title: 'DiagnosticBulkResult',
  description: 'What became of one operation of diagnostics.',
  oneOf: [{ $ref: 'AnalysisBulkResult' }, { $ref: 'DiagnosticRecordBulkResult' }],
  discriminator: {
    propertyName: 'kind',
    mapping: { analysis: 'AnalysisBulkResult', diagnostic_record: 'DiagnosticRecordBulkResult' },
  },
});

/* Answers. */

const counts = {
  mode: oneOf(bulkModes, { description: 'Whether the operations stand and fall together.' }),
  total: Type.Integer({ minimum: 0, description: 'Operations that were sent.' }),
  succeeded: Type.Integer({ minimum: 0, description: 'Operations that are done.' }),
  failed: Type.Integer({ minimum: 0, description: 'Operations that were refused or failed.' }),
  not_done: Type.Integer({ minimum: 0, description: 'Operations that were rolled back, or are still to be done.' }),
  job: Type.Unsafe<Job | null>({
    ...orNull(ref(Job)),
    description: `The job that carries the operations out; null where they were few (${BULK_AT_ONCE_MAX}) and are done.`,
  }),
};

/** `data` of a bulk request on patients. */
export const PatientBulk = Type.Object(
  {
    ...counts,
    results: Type.Array(ref(PatientBulkResult), {
      description: 'What became of each operation, in their order; empty where a job carries them out.',
    }),
  },
  { $id: 'PatientBulk', title: 'PatientBulk', description: 'What became of a bulk request on patients.' },
);

/** `data` of a bulk request on patients. */
export type PatientBulk = Static<typeof PatientBulk>;

/** `data` of a bulk request of diagnostics. */
export const DiagnosticBulk = Type.Object(
  {
    ...counts,
    results: Type.Array(ref(DiagnosticBulkResult), {
      description: 'What became of each operation, in their order; empty where a job carries them out.',
    }),
  },
  { $id: 'DiagnosticBulk', title: 'DiagnosticBulk', description: 'What became of a bulk request of diagnostics.' },
);

/** Every resource of this file. */
export const bulkResources = {
  PatientCreateOperation,
  PatientUpdateOperation,
  PatientDeleteOperation,
  PatientOperation,
  PatientBulkRequest,
  PatientBulkResult,
  PatientBulk,
  DiagnosticAnalyzeOperation,
  DiagnosticCreateOperation,
  DiagnosticUpdateOperation,
  DiagnosticDeleteOperation,
  DiagnosticOperation,
  DiagnosticBulkRequest,
  AnalysisBulkResult,
  DiagnosticRecordBulkResult,
  DiagnosticBulkResult,
  DiagnosticBulk,
} as const;
