import type { ImagingAnalysisAnswer, ImagingAnalysisRequest } from '@perennial/schemas/resources/imaging.ts';
import { toDiagnosticRecord } from '../diagnostics/record.ts';
import { diagnosticOrder, diagnosticOutcome } from '../diagnostics/routes.ts';
import { download } from '../http/download.ts';
import type { Context, Handlers, Outcome } from '../http/operations.ts';
import { toJob } from '../jobs/job.ts';
import { answerPage, type Ordering } from '../ordering.ts';
import type { Answer, ImagingAnalyses } from './analyses.ts';
import { preview, subjectsOf, thumbnail } from './look.ts';
import { toInstance, toStudy } from './rows.ts';
import type { ImagingService, StudyPatch } from './service.ts';
import type { InstanceRow, StudyRow } from './store.ts';

/** The operations on imaging studies. @param secret signs the cursors; the gateway shares it. */
export function imagingHandlers(imaging: ImagingService, analyses: ImagingAnalyses, secret: string): Handlers {
  return {
    'imaging.studies.list': async (context) => {
      const { query, caller } = context;
      const filter = { patientId: text(query['patient_id']), modality: text(query['modality']) };
      const data = await answerPage(
        context,
        secret,
        studyOrder,
        (request) => imaging.list(caller.accountId, filter, request),
        toStudy,
      );
      return { data };
    },
    'imaging.studies.create': async (context) => {
      const { study, isNew } = await imaging.create(context);
      return created(study, isNew);
    },
    'imaging.studies.get': async (context) => outcome(await imaging.get(context.caller.accountId, studyId(context))),
    'imaging.studies.update': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await imaging.update(caller, studyId(context), body as StudyPatch, conditions));
    },
    'imaging.studies.delete': async (context) => {
      const { caller, conditions } = context;
      return { subjects: subjectsOf(await imaging.remove(caller.accountId, studyId(context), conditions)) };
    },
    'imaging.studies.deidentify': async (context) => {
      const { study, isNew } = await imaging.deidentify(context.caller, studyId(context));
      return created(study, isNew);
    },
    'imaging.studies.preview': (context) => preview(imaging, context),
    'imaging.studies.thumbnail': (context) => thumbnail(imaging, context),
    'imaging.studies.analyze': async (context) => {
      const { caller, requestId, body } = context;
      const answer = await analyses.analyze(caller, requestId, studyId(context), body as ImagingAnalysisRequest);
      return answerOf(answer);
    },
    'imaging.instances.list': async (context) => {
      const { accountId } = context.caller;
      const fetch = imaging.listInstances.bind(imaging, accountId, studyId(context));
      return { data: await answerPage(context, secret, instanceOrder, fetch, toInstance) };
    },
    'imaging.instances.download': async (context) => {
      const { caller, params, request } = context;
      const { study, instance } = await imaging.locate(caller.accountId, studyId(context), params['instance_id']);
      const file = { ...instance, fileName: fileNameOf(instance) };
      const outcome = download(file, request.headers, (range) => imaging.open(instance, range));
      return { ...outcome, subjects: subjectsOf(study) };
    },
    'imaging.results.list': async (context) => {
      const { accountId } = context.caller;
      const fetch = imaging.listResults.bind(imaging, accountId, studyId(context));
      return { data: await answerPage(context, secret, diagnosticOrder, fetch, toDiagnosticRecord) };
    },
    'imaging.results.get': async (context) => {
      const { caller, params } = context;
      return diagnosticOutcome(await imaging.result(caller.accountId, studyId(context), params['result_id'] as string));
    },
  };
}

const studyOrder: Ordering<StudyRow> = {
  fields: {
    created_at: { column: 's.created_at', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
    updated_at: { column: 's.updated_at', type: 'timestamptz', value: (row) => row.updatedAt.toISOString() },
    study_date: { column: 's.study_date', type: 'text', nullable: true, value: (row) => row.studyDate },
    id: { column: 's.id', type: 'text', value: (row) => row.id },
  },
  byDefault: '-created_at',
  unique: 'id',
};

const instanceOrder: Ordering<InstanceRow> = {
  fields: {
    created_at: { column: 'i.created_at', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
    instance_number: {
      column: 'i.instance_number',
      type: 'double precision',
      nullable: true,
      value: (row) => row.instanceNumber,
    },
    id: { column: 'i.id', type: 'text', value: (row) => row.id },
  },
  byDefault: 'instance_number',
  unique: 'id',
};

function studyId({ params }: Context): string {
  return params['study_id'] as string;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function outcome(row: StudyRow): Outcome {
  return { data: toStudy(row), revision: row.revision };
}

function created(study: StudyRow, isNew: boolean): Outcome {
  const headers = { location: `/imaging/studies/${study.id}` };
  return { ...outcome(study), status: isNew ? 201 : 200, headers };
}

function answerOf(answer: Answer): Outcome {
  if (answer.kind === 'result') {
    const data: ImagingAnalysisAnswer = { result: toDiagnosticRecord(answer.result), job: null };
    return { data };
  }
  const data: ImagingAnalysisAnswer = { result: null, job: toJob(answer.job) };
  return { status: 202, data };
}

/** A name that says what the file is and nothing of whom. */
function fileNameOf({ id, mediaType }: InstanceRow): string {
  return `${id}.${{ 'image/png': 'png', 'image/jpeg': 'jpg' }[mediaType] ?? 'dcm'}`;
}
