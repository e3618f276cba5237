import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import { Fault, invalidAt } from '@perennial/schemas/platform/http/fault.ts';
import { type DiagnosticId, type InstanceId, newId, type StudyId } from '@perennial/schemas/platform/ids.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { ImagingAnalysisRequest } from '@perennial/schemas/resources/imaging.ts';
import type { ImagingAnalysis } from '@perennial/schemas/resources/imaging-analysis.ts';
import { type ImagingRow, toDiagnosticRecord } from '../diagnostics/record.ts';
import { DiagnosticStore } from '../diagnostics/store.ts';
import { headRelease } from '../head-release.ts';
import { recordEvent } from '../platform/events/record-event.ts';
import type { JobRow } from '../platform/jobs/job.ts';
import type { JobKind } from '../platform/jobs/kinds.ts';
import type { JobService } from '../platform/jobs/service.ts';
import { afterCommit } from '../platform/unit-of-work.ts';
import { everything } from '../visibility.ts';
import type { StudyContext } from './image.ts';
import { needPixels } from './look.ts';
import type { ImagingService } from './service.ts';
import { ImagingStore, type StudyRow } from './store.ts';

/** The kind of jobs that analyse an image. */
export const ANALYSIS_JOB = 'imaging.analyze';

/** Larger images are analysed by a job: the others take a second or two. */
const DIRECT_PIXELS_MAX = 12_000_000;
const RESULTS_PER_STUDY_MAX = 1_000;

/** What a job of that kind needs to know. */
interface JobInput {
  readonly studyId: StudyId;
  readonly instanceId: InstanceId;
  /** From 1. */
  readonly frame: number;
  readonly context: Omit<StudyContext, 'source'>;
  /** Chosen when the job is created, so that a run after a crash makes no second result. */
  readonly resultId: DiagnosticId;
}

/** An analysis: its result, or the job that makes it. */
export type Answer =
  | { readonly kind: 'result'; readonly result: ImagingRow }
  | { readonly kind: 'job'; readonly job: JobRow };

/** What was seen, and of what. */
type Seen = Omit<JobInput, 'context'> & { readonly analysis: ImagingAnalysis };

/** Has images analysed, and keeps what was seen as diagnostic records. */
export class ImagingAnalyses {
  readonly #database: Database;
  readonly #imaging: ImagingService;
  readonly #jobs: JobService;
  readonly #knowledgeVersion: () => string;

  constructor(database: Database, imaging: ImagingService, jobs: JobService, knowledgeVersion: () => string) {
    this.#database = database;
    this.#imaging = imaging;
    this.#jobs = jobs;
    this.#knowledgeVersion = knowledgeVersion;
    jobs.kinds.register(this.#jobKind());
  }

  /** @throws Fault `not_found`, `validation_failed`, `limit_reached`, or what is wrong with the image. */
  async analyze(caller: Caller, requestId: string, studyId: StudyId, request: ImagingAnalysisRequest): Promise<Answer> {
    const { study, instance } = await this.#imaging.locate(caller.accountId, studyId, request.instance_id);
    needPixels(instance);
    const frame = request.frame ?? 1;
    if (frame > instance.frames) throw invalidAt('/frame', 'too_large');
    const context = contextOf(request);
    const resultId = newId('diag');
    if (request.background === true || instance.width * instance.height > DIRECT_PIXELS_MAX) {
      const input: JobInput = { studyId, instanceId: instance.id, frame, context, resultId };
      return { kind: 'job', job: await this.#createJob(caller, requestId, study, input) };
    }
    const analysis = await this.#imaging.perform(instance, 'analyze', { frame: frame - 1, context });
    const seen = { studyId, instanceId: instance.id, frame, resultId, analysis };
    const result = await this.#database.$transaction((transaction) => this.#keep(transaction, caller, seen));
    return { kind: 'result', result };
  }

  async #createJob(caller: Caller, requestId: string, study: StudyRow, input: JobInput): Promise<JobRow> {
    const job = await this.#database.$transaction((transaction) =>
      this.#jobs.create(transaction, caller, {
        kind: ANALYSIS_JOB,
        category: 'imaging',
        requestId,
        input,
        total: 1,
        ...(study.patientId === null ? {} : { patientId: study.patientId }),
      }),
    );
    afterCommit(() => this.#jobs.wake());
    return job;
  }

  #jobKind(): JobKind {
    return {
      name: ANALYSIS_JOB,
      run: async ({ job, input, transaction }) => {
        const { studyId, instanceId, frame, context, resultId } = input as JobInput;
        const { accountId, keyId } = job;
        const { instance } = await this.#imaging.locate(accountId, studyId, instanceId);
        // A run that was cut off behind its own commit; whatever became of the record since.
        const kept = await new DiagnosticStore(this.#database).find(accountId, resultId, everything);
        if (kept) return { kind: 'imaging', data: toDiagnosticRecord(kept) };
        const analysis = await this.#imaging.perform(instance, 'analyze', { frame: frame - 1, context });
        const seen = { studyId, instanceId, frame, resultId, analysis };
        const rows: ImagingRow[] = [];
        await transaction(async (inner) => {
          rows.push(await this.#keep(inner, { accountId, keyId }, seen));
          return { done: 1 };
        });
        return { kind: 'imaging', data: rows.map(toDiagnosticRecord)[0] };
      },
    };
  }

  /** The record and its event, together. @throws Fault `not_found` when the study went meanwhile. */
  async #keep(
    transaction: DatabaseTransaction,
    { accountId, keyId }: Pick<Caller, 'accountId' | 'keyId'>,
    { studyId, instanceId, frame, resultId, analysis }: Seen,
  ): Promise<ImagingRow> {
    const store = new ImagingStore(transaction);
    const records = new DiagnosticStore(transaction);
    await store.lockStudy(studyId);
    // Read only now: it may have been bound to a patient while the image was looked at.
    const study = await store.findStudy(accountId, studyId);
    if (!study) throw new Fault('not_found');
    if ((await records.countOfStudy(studyId)) >= RESULTS_PER_STUDY_MAX) throw new Fault('limit_reached');
    const { patientId } = study;
    const knowledge_version = this.#knowledgeVersion();
    const now = new Date();
    const row: ImagingRow = {
      id: resultId,
      accountId,
      patientId,
      kind: 'imaging',
      status: 'completed',
      headRelease,
      input: null,
      result: null,
      differential: null,
      imaging: { study_id: studyId, instance_id: instanceId, frame, analysis, knowledge_version },
      feedback: null,
      note: null,
      keyId,
      revision: 1,
      createdAt: now,
      updatedAt: now,
    };
    await records.insertImaging(row);
    const document = toDiagnosticRecord(row);
    await recordEvent(transaction, { accountId, kind: 'imaging.completed', objectId: resultId, patientId, document });
    return row;
  }
}

function contextOf({ context = {} }: ImagingAnalysisRequest): Omit<StudyContext, 'source'> {
  const { modality, bodyPart, view, laterality, patientAge } = context;
  return {
    ...(modality === undefined ? {} : { modality }),
    ...(bodyPart === undefined ? {} : { bodyPart }),
    ...(view === undefined ? {} : { view }),
    ...(laterality === undefined ? {} : { laterality }),
    ...(patientAge === undefined ? {} : { patientAgeYears: patientAge }),
  };
}
