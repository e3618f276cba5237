import type {
  BulkMode,
  DiagnosticBulkResult,
  PatientBulk,
  PatientBulkResult,
} from '@perennial/schemas/resources/bulk.ts';
import { type CheckedElement, saidTwice } from '../http/checked-elements.ts';
import type { AnyContext, DataOutcome, HandlersFor } from '../http/handler.ts';
import type { PayloadParts } from '../idempotency/payload.ts';
import { toJob } from '../jobs/job.ts';
import { toResult } from './result.ts';
import type { BulkService } from './service.ts';
import type { BulkEntry } from './store.ts';
import type { BulkSubject } from './subject.ts';

/** The bulk operations of each subject. */
export function bulkHandlers(
  bulk: BulkService,
  subjects: readonly BulkSubject[],
): HandlersFor<'patients.bulk' | 'diagnostics.bulk'> {
  const of = (id: string): BulkSubject => {
    const subject = subjects.find(({ job }) => job === id);
    if (!subject) throw new Error(`nothing carries out ${id}`);
    return subject;
  };
  return {
    'patients.bulk': handler<PatientBulkResult>(bulk, of('patients.bulk')),
    'diagnostics.bulk': handler<DiagnosticBulkResult>(bulk, of('diagnostics.bulk')),
  };
}

/** What became of the operations of one subject. */
type Answer<R> = Omit<PatientBulk, 'results'> & { readonly results: readonly R[] };

function handler<R extends PatientBulkResult | DiagnosticBulkResult>(
  bulk: BulkService,
  subject: BulkSubject,
): (context: AnyContext) => Promise<DataOutcome<Answer<R>, 202>> {
  return async (context) => {
    const { caller, requestId, payload } = context;
    const actor = { caller, visibility: context.visibility };
    const body = context.elements;
    if (!body) throw new Error(`${subject.job} takes a body of elements`);
    const entries = entriesOf(body.elements, payload);
    const mode = (): BulkMode => {
      const chosen = readMode(context, body.members());
      payload.add(chosen);
      return chosen;
    };
    const { job, results, ...counts } = await bulk.take(subject, { actor, requestId, entries, mode });
    // A subject answers results of its own kind only.
    const answered = results.map((each) => toResult(subject, each) as R);
    const data = { ...counts, job: job ? toJob(job) : null, results: answered };
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

function readMode({ query }: AnyContext, members: Readonly<Record<string, unknown>>): BulkMode {
  const [inQuery, inBody] = [query['mode'], members['mode']];
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody) throw saidTwice('mode');
  return ((inBody ?? inQuery) as BulkMode | undefined) ?? 'independent';
}
