import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import { newId } from '@perennial/prisma/ids.ts';
import { Fault, invalidAt } from '@perennial/schemas/http/fault.ts';
import type { Caller } from '@perennial/schemas/internal-token.ts';
import type { ImagingAnalysisRequest } from '@perennial/schemas/resources/imaging.ts';
import type { ImagingAnalysis } from '@perennial/schemas/resources/imaging-analysis.ts';
import { recordEvent } from '../events/record-event.ts';
import { headRelease } from '../head-release.ts';
import type { JobRow } from '../jobs/job.ts';
import type { JobKind } from '../jobs/kinds.ts';
import type { JobService } from '../jobs/service.ts';
import { afterCommit } from '../unit-of-work.ts';
import type { StudyContext } from './image.ts';
import { toResult } from './rows.ts';
import type { ImagingService } from './service.ts';
import { ImagingStore, type InstanceRow, type ResultRow, type StudyRow } from './store.ts';

/** The kind of jobs that analyse an image. */
export const ANALYSIS_JOB = 'imaging.analyze';

/** Larger images are analysed by a job: the others take a second or two. */
const DIRECT_PIXELS_MAX = 12_000_000;
const RESULTS_PER_STUDY_MAX = 1_000;

/** What a job of that kind needs to know. */
interface JobInput {
  readonly studyId: string;
  readonly instanceId: string;
  /** From 1. */
  readonly frame: number;
  readonly context: Omit<StudyContext, 'source'>;
  /** Chosen when the job is created, so that a run after a crash makes no second result. */
  readonly resultId: string;
}

/** An analysis: its result, or the job that makes it. */
export type Answer =
  | { readonly kind: 'result'; readonly result: ResultRow }
  | { readonly kind: 'job'; readonly job: JobRow };

/** Has images analysed, and keeps what was seen. */
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
  async analyze(caller: Caller, requestId: string, studyId: string, request: ImagingAnalysisRequest): Promise<Answer> {
    const { study, instance } = await this.#imaging.locate(caller.accountId, studyId, request.instance_id);
    const frame = request.frame ?? 1;
    if (frame > instance.frames) throw invalidAt('/frame', 'too_large');
    const context = contextOf(request);
    const resultId = newId('diag');
    if (request.background === true || instance.width * instance.height > DIRECT_PIXELS_MAX) {
      const input: JobInput = { studyId, instanceId: instance.id, frame, context, resultId };
      return { kind: 'job', job: await this.#createJob(caller, requestId, study, input) };
    }
    const seen = await this.#imaging.perform(instance, 'analyze', { frame: frame - 1, context });
    const row = this.#rowOf(caller, study, instance, frame, resultId, seen);
    await this.#database.$transaction((transaction) => this.#keep(transaction, row));
    return { kind: 'result', result: row };
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
        const { study, instance } = await this.#imaging.locate(accountId, studyId, instanceId);
        const kept = await new ImagingStore(this.#database).findResult(studyId, resultId);
        if (kept) return { kind: 'imaging', data: toResult(kept) };
        const seen = await this.#imaging.perform(instance, 'analyze', { frame: frame - 1, context });
        const row = this.#rowOf({ accountId, keyId }, study, instance, frame, resultId, seen);
        await transaction(async (inner) => {
          await this.#keep(inner, row);
          return { done: 1 };
        });
        return { kind: 'imaging', data: toResult(row) };
      },
    };
  }

  #rowOf(
    { accountId, keyId }: Pick<Caller, 'accountId' | 'keyId'>,
    study: StudyRow,
    instance: InstanceRow,
    frame: number,
    id: string,
    result: ImagingAnalysis,
  ): ResultRow {
    return {
      id,
      accountId,
      studyId: study.id,
      instanceId: instance.id,
      frame,
      patientId: study.patientId,
      result,
      knowledgeVersion: this.#knowledgeVersion(),
      keyId,
      createdAt: new Date(),
    };
  }

  /** The result and its event, together. @throws Fault `not_found` when the study went meanwhile. */
  async #keep(transaction: DatabaseTransaction, row: ResultRow): Promise<void> {
    const store = new ImagingStore(transaction);
    await store.lockStudy(row.studyId);
    if (!(await store.findStudy(row.accountId, row.studyId))) throw new Fault('not_found');
    if ((await store.countResults(row.studyId)) >= RESULTS_PER_STUDY_MAX) throw new Fault('limit_reached');
    const { patientId, ...rest } = row;
    await store.insertResult(rest, headRelease);
    const { accountId, id: objectId } = row;
    await recordEvent(transaction, {
      accountId,
      kind: 'imaging.completed',
      objectId,
      patientId,
      document: toResult(row),
    });
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
