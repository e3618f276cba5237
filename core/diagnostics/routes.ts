import type { Context, Handlers, Outcome } from '../http/operations.ts';
import { answerPage, type Ordering } from '../ordering.ts';
import { type FilterNames, readFilters } from '../query-filters.ts';
import type { FeedbackWrite } from './feedback.ts';
import type { AnalysisBody } from './input.ts';
import { type DiagnosticRow, toDiagnosticRecord } from './record.ts';
import type { DiagnosticPatch, DiagnosticService, DiagnosticWrite, DifferentialBody } from './service.ts';
import type { DiagnosticFilters } from './store.ts';

/** The operations of the category. @param secret signs the cursors; the gateway shares it. */
export function diagnosticHandlers(diagnostics: DiagnosticService, secret: string): Handlers {
  return {
    'diagnostics.analyze': async ({ caller, body }) => {
      const completed = await diagnostics.analyze(caller, body as AnalysisBody);
      return { data: { diagnostic_result: completed.result }, ...savedAt(completed.result.id, completed.isSaved) };
    },
    'diagnostics.parse': async ({ body }) => ({ data: diagnostics.parse(body as AnalysisBody) }),
    'diagnostics.differential': async ({ caller, body }) => {
      const completed = await diagnostics.differentiate(caller, body as DifferentialBody);
      const { result, differential } = completed;
      return { data: { diagnostic_result: result, differential }, ...savedAt(completed.result.id, completed.isSaved) };
    },
    'diagnostics.stream': async ({ caller, body, request }) => {
      const last = request.headers['last-event-id'];
      const lastEventId = typeof last === 'string' ? last : undefined;
      const asked = body as AnalysisBody;
      const { id, events } = await diagnostics.stream(caller, asked, lastEventId);
      return { events, ...savedAt(id, asked.options?.save === true) };
    },
    'diagnostics.create': async ({ caller, body }) => {
      const row = await diagnostics.create(caller, body as DiagnosticWrite);
      return { ...outcome(row), headers: { location: placeOf(row.id) } };
    },
    'diagnostics.list': async (context) => {
      const filters = filtersOf(context);
      const data = await answerPage(
        context,
        secret,
        order,
        (request) => diagnostics.list(context.caller.accountId, filters, request),
        toDiagnosticRecord,
      );
      return { data };
    },
    'diagnostics.get': async (context) => outcome(await diagnostics.get(context.caller.accountId, idOf(context))),
    'diagnostics.update': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await diagnostics.update(caller, idOf(context), body as DiagnosticPatch, conditions));
    },
    'diagnostics.giveFeedback': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await diagnostics.giveFeedback(caller, idOf(context), body as FeedbackWrite, conditions));
    },
    'diagnostics.delete': async (context) => {
      await diagnostics.remove(context.caller, idOf(context), context.conditions);
      return {};
    },
    'diagnostics.restore': async (context) =>
      outcome(await diagnostics.restore(context.caller, idOf(context), context.conditions)),
  };
}

const order: Ordering<DiagnosticRow> = {
  fields: {
    created_at: { column: 'd.created_at', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
    updated_at: { column: 'd.updated_at', type: 'timestamptz', value: (row) => row.updatedAt.toISOString() },
    id: { column: 'd.id', type: 'text', value: (row) => row.id },
  },
  byDefault: '-created_at',
  unique: 'id',
};

/** The filters of the list. @throws Fault 422 when an instant cannot be. */
function filtersOf({ query }: Context): DiagnosticFilters {
  return readFilters(query, filterNames, instantNames);
}

const filterNames: FilterNames<DiagnosticFilters> = [
  ['patient_id', 'patientId'],
  ['kind', 'kind'],
  ['status', 'status'],
];

const instantNames: FilterNames<DiagnosticFilters> = [
  ['created_from', 'createdFrom'],
  ['created_to', 'createdTo'],
];

function idOf({ params }: Context): string {
  return params['diagnostic_id'] as string;
}

function placeOf(id: string): string {
  return `/diagnostics/${id}`;
}

function outcome(row: DiagnosticRow): Outcome {
  return { data: toDiagnosticRecord(row), revision: row.revision };
}

/** Where a result is kept: an answer that shows no identifier, in a version that has none, still says so. */
function savedAt(id: string, isSaved: boolean): Pick<Outcome, 'headers'> {
  return isSaved ? { headers: { location: placeOf(id) } } : {};
}
