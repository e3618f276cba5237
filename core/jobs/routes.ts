import type { JobState } from '@perennial/schemas/resources/job.ts';
import type { Context, Handlers } from '../http/operations.ts';
import { mapBatches } from '../http/stream-answers.ts';
import { answerPage, type Ordering } from '../ordering.ts';
import { sightOf, withoutImaging } from '../sight.ts';
import { type JobRow, toJob } from './job.ts';
import type { JobService } from './service.ts';

/** The operations on jobs. @param secret signs the cursors; the gateway shares it. */
export function jobHandlers(jobs: JobService, secret: string): Handlers {
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
            state: state as JobState | undefined,
            kind: text(kind),
          }),
        toJob,
      );
      return { data };
    },
    'jobs.get': async (context) => ({
      data: toJob(await jobs.get(context.caller, idOf(context), sightOf(context))),
    }),
    'jobs.cancel': async (context) => ({
      data: toJob(await jobs.cancel(context.caller, idOf(context), sightOf(context))),
    }),
    'jobs.result': async (context) => {
      const sight = sightOf(context);
      const batches = await jobs.results(context.caller, idOf(context), sight);
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

function idOf({ params }: Context): string {
  return params['job_id'] as string;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
