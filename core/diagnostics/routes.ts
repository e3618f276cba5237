import type { OperationId } from '@perennial/schemas/operation-types.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type { DiagnosticRecord } from '@perennial/schemas/resources/diagnostic.ts';
import type { AnyContext, DataOutcome, HandlersFor } from '../platform/http/handler.ts';
import { answerPage, type Ordering } from '../platform/ordering.ts';
import { type FilterNames, readFilters } from '../platform/query-filters.ts';
import { type DiagnosticRow, toDiagnosticRecord } from './record.ts';
import type { DiagnosticService } from './service.ts';
import type { DiagnosticFilters } from './store.ts';

type DiagnosticOperationId = Exclude<Extract<OperationId, `diagnostics.${string}`>, 'diagnostics.bulk'>;

/** The operations of the category. @param secret signs the cursors; the gateway shares it. */
export function diagnosticHandlers(
  diagnostics: DiagnosticService,
  secret: SharedSecret,
): HandlersFor<DiagnosticOperationId> {
  return {
    'diagnostics.analyze': async ({ caller, body }) => {
      const completed = await diagnostics.analyze(caller, body);
      return {
        data: { diagnostic_result: completed.result, understood: completed.result.understood !== false },
        ...savedAt(completed.result.id, completed.isSaved),
      };
    },
    'diagnostics.parse': async ({ body }) => ({ data: await diagnostics.parse(body) }),
    'diagnostics.differential': async ({ caller, body }) => {
      const completed = await diagnostics.differentiate(caller, body);
      const { result, differential } = completed;
      return { data: { diagnostic_result: result, differential }, ...savedAt(completed.result.id, completed.isSaved) };
    },
    'diagnostics.stream': async ({ caller, body, request }) => {
      const last = request.headers['last-event-id'];
      const lastEventId = typeof last === 'string' ? last : undefined;
      const asked = body;
      const { id, events } = await diagnostics.stream(caller, asked, lastEventId);
      return { events, ...savedAt(id, asked.options?.save === true) };
    },
    'diagnostics.create': async ({ caller, body }) => {
      const row = await diagnostics.create(caller, body);
      return { ...diagnosticOutcome(row), headers: { location: placeOf(row.id) } };
    },
    'diagnostics.list': async (context) => {
      const filters = filtersOf(context);
      const data = await answerPage(
        context,
        secret,
        diagnosticOrder,
        (request) => diagnostics.list(context.caller.accountId, filters, context.visibility, request),
        toDiagnosticRecord,
      );
      return { data };
    },
    'diagnostics.get': async (context) =>
      diagnosticOutcome(
        await diagnostics.get(context.caller.accountId, context.params.diagnostic_id, context.visibility),
      ),
    'diagnostics.update': async (context) => {
      const { caller, body, conditions } = context;
      const patch = body;
      return diagnosticOutcome(
        await diagnostics.update(caller, context.params.diagnostic_id, patch, conditions, context.visibility),
      );
    },
    'diagnostics.giveFeedback': async (context) => {
      const { caller, body, conditions } = context;
      const given = body;
      const row = await diagnostics.giveFeedback(
        caller,
        context.params.diagnostic_id,
        given,
        conditions,
        context.visibility,
      );
      return diagnosticOutcome(row);
    },
    'diagnostics.delete': async (context) => {
      await diagnostics.remove(context.caller, context.params.diagnostic_id, context.conditions, context.visibility);
      return {};
    },
    'diagnostics.restore': async (context) => {
      const { caller, conditions } = context;
      return diagnosticOutcome(
        await diagnostics.restore(caller, context.params.diagnostic_id, conditions, context.visibility),
      );
    },
  };
}

/** How lists of records can be ordered. */
export const diagnosticOrder: Ordering<DiagnosticRow> = {
  fields: {
    created_at: { column: 'd.created_at', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
    updated_at: { column: 'd.updated_at', type: 'timestamptz', value: (row) => row.updatedAt.toISOString() },
    id: { column: 'd.id', type: 'text', value: (row) => row.id },
  },
  byDefault: '-created_at',
  unique: 'id',
};

/** The filters of the list. @throws Fault 422 when an instant cannot be. */
function filtersOf({ query }: Pick<AnyContext, 'query'>): DiagnosticFilters {
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

function placeOf(id: string): string {
  return `/diagnostics/${id}`;
}

/** A record, and the state that it is in. */
export function diagnosticOutcome(row: DiagnosticRow): DataOutcome<DiagnosticRecord> {
  return { data: toDiagnosticRecord(row), revision: row.revision };
}

/** Where a result is kept: an answer that shows no identifier, in a version that has none, still says so. */
function savedAt(id: string, isSaved: boolean): { readonly headers?: Readonly<Record<string, string>> } {
  return isSaved ? { headers: { location: placeOf(id) } } : {};
}
