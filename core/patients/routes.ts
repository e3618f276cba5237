import { parseSort } from '@perennial/schemas/validation.ts';
import type { Context, Handlers, Outcome } from '../http/operations.ts';
import type { KeyValue, SortColumn } from '../keyset.ts';
import { readPageRequest, toPage } from '../paging.ts';
import { type PatientPatch, type PatientRow, type PatientWrite, toDay, toPatient } from './patient.ts';
import type { PatientService } from './service.ts';
import type { PatientFilters } from './store.ts';

/** The operations of the category. @param secret signs the cursors; the gateway shares it. */
export function patientHandlers(patients: PatientService, secret: string): Handlers {
  return {
    'patients.list': async (context) => {
      const keys = sortKeys(context);
      const request = readPageRequest(context, secret, keys.length);
      const { limit, position, includeTotal } = request;
      const listing = { filters: readFilters(context), keys: keys.map(toColumn), limit, position, includeTotal };
      const found = await patients.list(context.caller.accountId, listing);
      return {
        data: toPage(request, secret, found, toPatient, (row) => keys.map(({ field }) => sortable[field].value(row))),
      };
    },
    'patients.create': async ({ caller, body }) => {
      const row = await patients.create(caller.accountId, body as PatientWrite);
      return { ...outcome(row), headers: { location: `/patients/${row.id}` } };
    },
    'patients.get': async (context) => outcome(await patients.get(context.caller.accountId, idOf(context))),
    'patients.replace': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await patients.replace(caller.accountId, idOf(context), body as PatientWrite, conditions));
    },
    'patients.update': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await patients.update(caller.accountId, idOf(context), body as PatientPatch, conditions));
    },
    'patients.delete': async (context) => {
      await patients.remove(context.caller.accountId, idOf(context), context.conditions);
      return {};
    },
  };
}

type SortField = 'created_at' | 'updated_at' | 'name' | 'dob' | 'id';

interface SortKey {
  readonly field: SortField;
  readonly descending: boolean;
}

/** Fields a list can be ordered by: the column, and the value as a cursor carries it. */
const sortable: Readonly<
  Record<SortField, Pick<SortColumn, 'column' | 'type'> & { readonly value: (row: PatientRow) => KeyValue }>
> = {
  created_at: { column: 'created_at', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
  updated_at: { column: 'updated_at', type: 'timestamptz', value: (row) => row.updatedAt.toISOString() },
  name: { column: 'name', type: 'text', value: (row) => row.name },
  dob: { column: 'dob', type: 'date', value: (row) => toDay(row.dob) },
  id: { column: 'id', type: 'text', value: (row) => row.id },
};

/** The keys asked for, and id so that no two rows tie. It follows the last key's direction: an index serves both. */
function sortKeys({ query }: Context): readonly SortKey[] {
  const asked = parseSort(typeof query['sort'] === 'string' ? query['sort'] : 'created_at');
  // Validation let through only the fields that the contract lists.
  const keys = asked.map(({ field, descending }) => ({ field: field as SortField, descending }));
  return [...keys, { field: 'id', descending: keys.at(-1)?.descending ?? false }];
}

function toColumn({ field, descending }: SortKey): SortColumn {
  const { column, type } = sortable[field];
  return { column, type, descending };
}

function readFilters({ query }: Context): PatientFilters {
  const filters: Record<string, string> = {};
  for (const [parameter, filter] of filterNames) {
    const value = query[parameter];
    if (typeof value === 'string') filters[filter] = value;
  }
  return filters;
}

const filterNames: readonly (readonly [string, keyof PatientFilters])[] = [
  ['name', 'name'],
  ['dob', 'dob'],
  ['sex', 'sex'],
  ['gender_identity', 'genderIdentity'],
  ['contact_info.email', 'email'],
];

function idOf({ params }: Context): string {
  return params['patient_id'] as string;
}

function outcome(row: PatientRow): Outcome {
  return { data: toPatient(row), revision: row.revision };
}
