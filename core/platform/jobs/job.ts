import type { AccountId, JobId, KeyId, PatientId } from '@perennial/schemas/platform/ids.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
import type { Job, JobState } from '@perennial/schemas/resources/job.ts';

/** Whose keys may see a job: those that may read the category. */
export type JobCategory = 'patients' | 'diagnostics' | 'imaging';

/** A job as stored, without its input and its result. */
export interface JobRow {
  readonly id: JobId;
  readonly accountId: AccountId;
  readonly keyId: KeyId;
  readonly requestId: string;
  readonly kind: string;
  readonly category: JobCategory;
  readonly patientId: PatientId | null;
  readonly state: JobState;
  readonly done: number;
  readonly total: number | null;
  readonly attempt: number;
  readonly stalls: number;
  readonly error: ErrorBody | null;
  readonly headRelease: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date | null;
}

/** Whether nothing more will become of a job in this state. */
export function hasEnded(state: JobState): boolean {
  return state !== 'queued' && state !== 'running';
}

/** The job as answered. Every key is there, in the contract's order. */
export function toJob(row: JobRow): Job {
  const self = `/jobs/${row.id}`;
  const ended = hasEnded(row.state);
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    progress: { done: row.done, total: row.total },
    error: row.error,
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    finished_at: row.finishedAt?.toISOString() ?? null,
    expires_at: row.expiresAt?.toISOString() ?? null,
    links: {
      self,
      result: ended && row.state !== 'expired' ? `${self}/result` : null,
      cancel: ended ? null : `${self}/cancel`,
    },
  };
}
