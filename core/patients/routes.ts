import type { OperationId, OperationOf, QueryOf } from '@perennial/schemas/operation-types.ts';
import { invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
import type { DataOutcome, HandlersFor } from '../platform/http/handler.ts';
import { mapBatches } from '../platform/http/stream-answers.ts';
import { answerPage, type Ordering } from '../platform/ordering.ts';
import { type FilterNames, readFilters } from '../platform/query-filters.ts';
import { type PatientRow, toDay, toPatient } from './patient.ts';
import type { PatientService } from './service.ts';
import type { ChangeRow, DeletedRow, MatchRow, PatientFilters } from './store.ts';

/** Patients read from the database at a time for an export. */
const EXPORT_BATCH = 500;
/** What the best of all matches would have. */
const SCORE_MAX = 1050;

type PatientOperationId = Exclude<Extract<OperationId, `patients.${string}`>, 'patients.bulk'>;

/** The operations of the category. @param secret signs the cursors; the gateway shares it. */
export function patientHandlers(patients: PatientService, secret: SharedSecret): HandlersFor<PatientOperationId> {
  return {
    'patients.list': async (context) => {
      const filters = filtersOf(context);
      const data = await answerPage(
        context,
        secret,
        order,
        (request) => patients.list(context.caller.accountId, { ...request, filters }),
        toPatient,
      );
      return { data };
    },
    'patients.search': async (context) => {
      const filters = filtersOf(context);
      const text = context.query.query;
      if (text === undefined && Object.keys(filters).length === 0) throw invalidParameter('query', 'missing_input');
      const data = await answerPage(
        context,
        secret,
        matchOrder,
        (request) =>
          patients.search(context.caller.accountId, text, {
            ...request,
            filters,
          }),
        (row) => ({ patient: toPatient(row), score: Math.round((row.score / SCORE_MAX) * 1000) / 1000 }),
      );
      return { data };
    },
    'patients.export': async (context) => ({
      batches: mapBatches(patients.all(context.caller.accountId, filtersOf(context), EXPORT_BATCH), toPatient),
    }),
    'patients.create': async ({ caller, body }) => {
      const row = await patients.create(caller, body);
      return { ...outcome(row), headers: { location: `/patients/${row.id}` } };
    },
    'patients.get': async (context) => outcome(await patients.get(context.caller.accountId, context.params.patient_id)),
    'patients.replace': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await patients.replace(caller, context.params.patient_id, body, conditions));
    },
    'patients.update': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await patients.update(caller, context.params.patient_id, body, conditions));
    },
    'patients.delete': async (context) => {
      await patients.remove(context.caller, context.params.patient_id, context.conditions);
      return {};
    },
    'patients.restore': async (context) =>
      outcome(await patients.restore(context.caller, context.params.patient_id, context.conditions)),
    'patients.listDeleted': async (context) => {
      const data = await answerPage(
        context,
        secret,
        deletedOrder,
        (request) => patients.deleted(context.caller.accountId, request),
        (row) => ({
          patient: toPatient(row),
          deleted_at: row.deletedAt.toISOString(),
          deleted_by: row.deletedBy,
        }),
      );
      return { data };
    },
    'patients.history': async (context) => {
      const data = await answerPage(
        context,
        secret,
        changeOrder,
        (request) => patients.history(context.caller.accountId, context.params.patient_id, request),
        (row) => ({
          revision: row.revision,
          action: row.action,
          changed_at: row.changedAt.toISOString(),
          changed_by: row.keyId,
          changed_fields: [...row.fields],
        }),
      );
      return { data };
    },
  };
}

const order: Ordering<PatientRow> = {
  fields: {
    created_at: { column: 'created_at', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
    updated_at: { column: 'updated_at', type: 'timestamptz', value: (row) => row.updatedAt.toISOString() },
    name: { column: 'name', type: 'text', value: (row) => row.name },
    dob: { column: 'dob', type: 'date', value: (row) => toDay(row.dob) },
    id: { column: 'id', type: 'text', value: (row) => row.id },
  },
  byDefault: 'created_at',
  unique: 'id',
};

/** In a subquery, columns have the names of the rows' members. */
const matchOrder: Ordering<MatchRow> = {
  fields: {
    ...order.fields,
    created_at: { column: '"createdAt"', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
    updated_at: { column: '"updatedAt"', type: 'timestamptz', value: (row) => row.updatedAt.toISOString() },
    score: { column: 'score', type: 'double precision', value: (row) => row.score },
  },
  byDefault: '-score',
  unique: 'id',
};

const deletedOrder: Ordering<DeletedRow> = {
  fields: {
    deleted_at: { column: 'deleted_at', type: 'timestamptz', value: (row) => row.deletedAt.toISOString() },
    id: { column: 'id', type: 'text', value: (row) => row.id },
  },
  byDefault: '-deleted_at',
  unique: 'id',
};

const changeOrder: Ordering<ChangeRow> = {
  fields: { revision: { column: 'revision', type: 'double precision', value: (row) => row.revision } },
  byDefault: '-revision',
  unique: 'revision',
};

type FilterQuery = QueryOf<OperationOf<'patients.search' | 'patients.list' | 'patients.export'>>;

function filtersOf({ query }: { readonly query: FilterQuery }): PatientFilters {
  return readFilters(query, filterNames, []);
}

const filterNames: FilterNames<PatientFilters> = [
  ['id', 'id'],
  ['name', 'name'],
  ['dob', 'dob'],
  ['sex', 'sex'],
  ['gender_identity', 'genderIdentity'],
  ['contact_info.email', 'email'],
];

function outcome(row: PatientRow): DataOutcome<Patient> {
  return { data: toPatient(row), revision: row.revision };
}
