import type { OperationId } from '@perennial/schemas/operation-types.ts';
import { invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import type { MedicalRecord, RecordVersion } from '@perennial/schemas/resources/record.ts';
import type {
  AnyContext,
  ContextOf,
  DataOutcome,
  HandlersFor,
  OutcomeOf,
  WithParams,
} from '../platform/http/handler.ts';
import { mapBatches } from '../platform/http/stream-answers.ts';
import { answerPage, type Ordering } from '../platform/ordering.ts';
import { type FilterNames, readFilters } from '../platform/query-filters.ts';
import { fromWrite, type RecordRow, type RecordWrite, toRecord } from './record.ts';
import type { RecordPlace, RecordService } from './service.ts';
import type { RecordFilters, VersionRow } from './store.ts';
import { convert, isUnit, measureOf, writeLike } from './units.ts';

/** Records read from the database at a time for an export. */
const EXPORT_BATCH = 500;

type RecordOperationId = Extract<OperationId, `records.${string}` | `units.${string}`>;

/** The operations on medical records. @param secret signs the cursors; the gateway shares it. */
export function recordHandlers(records: RecordService, secret: SharedSecret): HandlersFor<RecordOperationId> {
  const page = (context: AnyContext, filters: RecordFilters): Promise<DataOutcome<Page<MedicalRecord>>> =>
    answerPage(
      context,
      secret,
      order,
      (request) => records.list(context.caller.accountId, filters, request),
      toRecord,
    ).then((data) => ({ data }));
  return {
    'records.list': (context) => page(context, { ...readRecordFilters(context), patientId: context.params.patient_id }),
    'records.query': (context) => page(context, readRecordFilters(context)),
    'records.create': async ({ caller, body, params }) => {
      const row = await records.create(caller, params.patient_id, body);
      return { ...outcome(row), headers: { location: `/patients/${row.patientId}/records/${row.id}` } };
    },
    'records.get': async (context) => outcome(await records.get(context.caller.accountId, placeOf(context))),
    'records.replace': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await records.replace(caller, placeOf(context), body, conditions));
    },
    'records.update': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await records.update(caller, placeOf(context), body, conditions));
    },
    'records.delete': async (context) => {
      await records.remove(context.caller, placeOf(context), context.conditions);
      return {};
    },
    'records.restore': async (context) =>
      outcome(await records.restore(context.caller, placeOf(context), context.conditions)),
    'records.history': async (context) => {
      const place = placeOf(context);
      let record: RecordRow | undefined;
      const data = await answerPage<VersionRow, RecordVersion>(
        context,
        secret,
        versionOrder,
        async (request) => {
          const history = await records.history(context.caller.accountId, place, request);
          record = history.record;
          return history.found;
        },
        (version) => toVersion(record as RecordRow, version),
      );
      return { data };
    },
    'records.export': async (context) => ({
      batches: mapBatches(records.all(context.caller.accountId, readRecordFilters(context), EXPORT_BATCH), toRecord),
    }),
    'units.convert': async ({ query }) => ({ data: convertUnits(query) }),
  };
}

const order: Ordering<RecordRow> = {
  fields: {
    created_at: { column: 'r.created_at', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
    updated_at: { column: 'r.updated_at', type: 'timestamptz', value: (row) => row.updatedAt.toISOString() },
    effective_at: {
      column: 'r.effective_at',
      type: 'timestamptz',
      nullable: true,
      value: (row) => row.effectiveAt?.toISOString() ?? null,
    },
    id: { column: 'r.id', type: 'text', value: (row) => row.id },
  },
  byDefault: 'created_at',
  unique: 'id',
};

const versionOrder: Ordering<VersionRow> = {
  fields: { revision: { column: 'v.revision', type: 'double precision', value: (row) => row.revision } },
  byDefault: '-revision',
  unique: 'revision',
};

/** The filters of a list of records. @throws Fault 422 when an instant cannot be. */
export function readRecordFilters({ query }: Pick<AnyContext, 'query'>): RecordFilters {
  return readFilters(query, filterNames, instantNames);
}

const filterNames: FilterNames<RecordFilters> = [
  ['type', 'type'],
  ['status', 'status'],
  ['code.system', 'codeSystem'],
  ['code.code', 'code'],
];

const instantNames: FilterNames<RecordFilters> = [
  ['effective_from', 'effectiveFrom'],
  ['effective_to', 'effectiveTo'],
];

function placeOf({ params }: WithParams<'patient_id' | 'record_id'>): RecordPlace {
  return { patientId: params.patient_id, recordId: params.record_id };
}

function outcome(row: RecordRow): DataOutcome<MedicalRecord> {
  return { data: toRecord(row), revision: row.revision };
}

function toVersion(record: RecordRow, version: VersionRow): RecordVersion {
  const fields = fromWrite(version.snapshot as RecordWrite);
  return {
    revision: version.revision,
    action: version.action,
    changed_at: version.changedAt.toISOString(),
    changed_by: version.keyId,
    changed_fields: [...version.fields],
    record: toRecord({ ...record, ...fields, revision: version.revision, updatedAt: version.changedAt }),
  };
}

type ConversionQuery = ContextOf<'units.convert'>['query'];

/** @throws Fault 422 naming the unit that is none, or the one that the other cannot be converted to. */
function convertUnits({ value, from, to, ...query }: ConversionQuery): OutcomeOf<'units.convert'>['data'] {
  const code = query.code ?? null;
  if (!isUnit(from)) throw invalidParameter('from', 'unit_unknown');
  if (!isUnit(to)) throw invalidParameter('to', 'unit_unknown');
  const measure = code === null ? undefined : measureOf('http://loinc.org', code);
  if (code !== null && !measure) throw invalidParameter('code', 'not_allowed_value');
  const converted = measure?.exact && from !== to ? undefined : convert(Number(value), from, to, measure?.molarMass);
  if (converted === undefined) throw invalidParameter('to', 'unit_unfit');
  return {
    from: { value, unit: from },
    to: { value: from === to ? value : writeLike(value, converted), unit: to },
    code,
  };
}
