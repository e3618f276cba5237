import type { BulkMode } from '@perennial/schemas/resources/bulk.ts';
import { type CheckedElement, saidTwice } from '../http/checked-elements.ts';
import type { Context, Handler, Handlers } from '../http/operations.ts';
import type { PayloadParts } from '../idempotency/payload.ts';
import { toJob } from '../jobs/job.ts';
import { sightOf } from '../sight.ts';
import { toResult } from './result.ts';
import type { BulkService } from './service.ts';
import type { BulkEntry } from './store.ts';
import type { BulkSubject } from './subject.ts';

/** The bulk operations of each subject. */
export function bulkHandlers(bulk: BulkService, subjects: readonly BulkSubject[]): Handlers {
  return Object.fromEntries(subjects.map((subject) => [subject.job, handler(bulk, subject)]));
}

function handler(bulk: BulkService, subject: BulkSubject): Handler {
  return async (context) => {
    const { caller, requestId, payload } = context;
    const actor = { caller, sight: sightOf(context) };
    const body = context.elements;
    if (!body) throw new Error(`${subject.job} takes a body of elements`);
    const entries = entriesOf(body.elements, payload);
    const mode = (): BulkMode => {
      const chosen = readMode(context, body.members());
      payload.add(chosen);
      return chosen;
    };
    const { job, results, ...counts } = await bulk.take(subject, { actor, requestId, entries, mode });
    const data = { ...counts, job: job ? toJob(job) : null, results: results.map((each) => toResult(subject, each)) };
    return job ? { status: 202, headers: { 'content-location': `/jobs/${job.id}` }, data } : { data };
  };
}

async function* entriesOf(elements: AsyncIterable<CheckedElement>, payload: PayloadParts): AsyncGenerator<BulkEntry> {
  for await (const element of elements) {
    const { index } = element;
    if ('value' in element) {
      payload.add(element.value);
      yield { index, action: String(element.value['action']), operation: element.value, refusal: undefined };
      continue;
    }
    payload.add(element.error);
    const { error, action, translated } = element;
    yield { index, action, operation: undefined, refusal: { status: translated ? 'failed' : 'refused', error } };
  }
}

function readMode({ query }: Context, members: Readonly<Record<string, unknown>>): BulkMode {
  const [inQuery, inBody] = [query['mode'], members['mode']];
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody) throw saidTwice('mode');
  return ((inBody ?? inQuery) as BulkMode | undefined) ?? 'independent';
}
