import type { OperationId } from '@perennial/schemas/operation-types.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type { ImagingAnalysisAnswer, ImagingStudy } from '@perennial/schemas/resources/imaging.ts';
import { toDiagnosticRecord } from '../diagnostics/record.ts';
import { diagnosticOrder, diagnosticOutcome } from '../diagnostics/routes.ts';
import { download } from '../platform/http/download.ts';
import type { DataOutcome, HandlersFor } from '../platform/http/handler.ts';
import { toJob } from '../platform/jobs/job.ts';
import { answerPage, type Ordering } from '../platform/ordering.ts';
import type { Answer, ImagingAnalyses } from './analyses.ts';
import { preview, resultPicture, subjectsOf, thumbnail } from './look.ts';
import { toInstance, toStudy } from './rows.ts';
import type { ImagingService } from './service.ts';
import type { InstanceRow, StudyRow } from './store.ts';
import { deidentifyOptions } from './upload.ts';

type ImagingOperationId = Extract<OperationId, `imaging.${string}`>;

/** The operations on imaging studies. @param secret signs the cursors; the gateway shares it. */
export function imagingHandlers(
  imaging: ImagingService,
  analyses: ImagingAnalyses,
  secret: SharedSecret,
): HandlersFor<ImagingOperationId> {
  return {
    'imaging.studies.list': async (context) => {
      const { query, caller } = context;
      const filter = { patientId: query.patient_id, modality: query.modality };
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
    'imaging.studies.get': async (context) =>
      outcome(await imaging.get(context.caller.accountId, context.params.study_id)),
    'imaging.studies.update': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await imaging.update(caller, context.params.study_id, body, conditions));
    },
    'imaging.studies.delete': async (context) => {
      const { caller, conditions } = context;
      return { subjects: subjectsOf(await imaging.remove(caller.accountId, context.params.study_id, conditions)) };
    },
    'imaging.studies.deidentify': async (context) => {
      const { study, isNew } = await imaging.deidentify(
        context.caller,
        context.params.study_id,
        deidentifyOptions(context.query),
      );
      return created(study, isNew);
    },
    'imaging.studies.preview': (context) => preview(imaging, context),
    'imaging.studies.thumbnail': (context) => thumbnail(imaging, context),
    'imaging.studies.analyze': async (context) => {
      const { caller, requestId, body } = context;
      const answer = await analyses.analyze(caller, requestId, context.params.study_id, body);
      return answerOf(answer);
    },
    'imaging.instances.list': async (context) => {
      const { accountId } = context.caller;
      const fetch = imaging.listInstances.bind(imaging, accountId, context.params.study_id);
      return { data: await answerPage(context, secret, instanceOrder, fetch, toInstance) };
    },
    'imaging.instances.download': async (context) => {
      const { caller, params, request } = context;
      const { study, instance } = await imaging.locate(caller.accountId, context.params.study_id, params.instance_id);
      const file = { ...instance, fileName: fileNameOf(instance) };
      const outcome = download(file, request.headers, (range) => imaging.open(instance, range));
      return { ...outcome, subjects: subjectsOf(study) };
    },
    'imaging.results.list': async (context) => {
      const { accountId } = context.caller;
      const fetch = imaging.listResults.bind(imaging, accountId, context.params.study_id);
      return { data: await answerPage(context, secret, diagnosticOrder, fetch, toDiagnosticRecord) };
    },
    'imaging.results.picture': (context) => resultPicture(imaging, context),
    'imaging.results.get': async (context) => {
      const { caller, params } = context;
      return diagnosticOutcome(await imaging.result(caller.accountId, context.params.study_id, params.result_id));
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

function outcome(row: StudyRow): DataOutcome<ImagingStudy> {
  return { data: toStudy(row), revision: row.revision };
}

function created(study: StudyRow, isNew: boolean): DataOutcome<ImagingStudy, 200 | 201> {
  const headers = { location: `/imaging/studies/${study.id}` };
  return { ...outcome(study), status: isNew ? 201 : 200, headers };
}

function answerOf(answer: Answer): DataOutcome<ImagingAnalysisAnswer, 202> {
  if (answer.kind === 'result') {
    const data: ImagingAnalysisAnswer = { result: toDiagnosticRecord(answer.result), job: null };
    return { data };
  }
  const data: ImagingAnalysisAnswer = { result: null, job: toJob(answer.job) };
  return { status: 202, headers: { 'content-location': `/jobs/${answer.job.id}` }, data };
}

/** A name that says what the file is and nothing of whom. */
function fileNameOf({ id, mediaType }: InstanceRow): string {
  return `${id}.${{ 'image/png': 'png', 'image/jpeg': 'jpg' }[mediaType] ?? 'dcm'}`;
}
