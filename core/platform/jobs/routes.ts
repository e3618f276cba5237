import type { OperationId } from '@perennial/schemas/operation-types.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import { sightOf, withoutImaging } from '../../sight.ts';
import type { HandlersFor } from '../http/operations.ts';
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
          jobs.list(context.caller, sightOf(context), {
            ...request,
            state,
            kind,
          }),
        toJob,
      );
      return { data };
    },
    'jobs.get': async (context) => ({
      data: toJob(await jobs.get(context.caller, context.params.job_id, sightOf(context))),
    }),
    'jobs.cancel': async (context) => ({
      data: toJob(await jobs.cancel(context.caller, context.params.job_id, sightOf(context))),
    }),
    'jobs.result': async (context) => {
      const sight = sightOf(context);
      const batches = await jobs.results(context.caller, context.params.job_id, sight);
      return { batches: sight.imaging ? batches : mapBatches(batches, withoutImaging) };
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
