import type { OperationId } from '@perennial/schemas/operation-types.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import { withoutImaging } from '../../visibility.ts';
import type { HandlersFor } from '../http/handler.ts';
import { mapBatches } from '../http/stream-answers.ts';
import { answerPage, type Ordering } from '../ordering.ts';
import { type JobRow, toJob } from './job.ts';
import type { JobService } from './service.ts';

/** The operations on jobs. @param secret signs the cursors; the gateway shares it. */
export function jobHandlers(
  jobs: JobService,
  secret: SharedSecret,
): HandlersFor<Extract<OperationId, `jobs.${string}`>> {
  return {
    'jobs.list': async (context) => {
      const { state, kind } = context.query;
      const data = await answerPage(
        context,
        secret,
        order,
        (request) =>
          jobs.list(context.caller, context.visibility, {
            ...request,
            state,
            kind,
          }),
        toJob,
      );
      return { data };
    },
    'jobs.get': async (context) => ({
      data: toJob(await jobs.get(context.caller, context.params.job_id, context.visibility)),
    }),
    'jobs.cancel': async (context) => ({
      data: toJob(await jobs.cancel(context.caller, context.params.job_id, context.visibility)),
    }),
    'jobs.result': async (context) => {
      const visibility = context.visibility;
      const batches = await jobs.results(context.caller, context.params.job_id, visibility);
      return { batches: visibility.imaging ? batches : mapBatches(batches, withoutImaging) };
    },
  };
}

const order: Ordering<JobRow> = {
  fields: {
    created_at: { column: 'created_at', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
    id: { column: 'id', type: 'text', value: (row) => row.id },
  },
  byDefault: '-created_at',
  unique: 'id',
};
