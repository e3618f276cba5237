import type { OperationId } from '@perennial/schemas/operation-types.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type { Cohort } from '@perennial/schemas/resources/cohort.ts';
import { parseSort } from '@perennial/schemas/validation.ts';
import type { ContextOf, DataOutcome, HandlersFor } from '../platform/http/handler.ts';
import type { KeyValue, SortColumn } from '../platform/keyset.ts';
import { type Found, type PageRequest, readPageRequest, toPage } from '../platform/paging.ts';
import { type CohortRow, toCohort } from './cohort-store.ts';
import { type Measure, measures, toQualityMeasure } from './measures.ts';
import type { SeriesRequest } from './occurrence.ts';
import type { AnalyticsService } from './service.ts';
import { LOINC } from './sql.ts';

const CONDITIONS_DEFAULT = 20;
const SURVIVAL_MONTHS = 60;

type AnalyticsOperationId = Extract<
  OperationId,
  `analytics.${string}` | `qualityMeasures.${string}` | `cohorts.${string}`
>;

/** The operations of the category. @param secret signs the cursors; the gateway shares it. */
export function analyticsHandlers(
  analytics: AnalyticsService,
  secret: SharedSecret,
): HandlersFor<AnalyticsOperationId> {
  const { cohorts } = analytics;
  return {
    'analytics.population': async ({ caller, query }) => ({
      data: await analytics.population(
        caller.accountId,
        query.cohort_id ?? null,
        query.conditions ?? CONDITIONS_DEFAULT,
      ),
    }),
    'analytics.prevalence': async ({ caller, query }) => ({
      data: await analytics.occurrence.prevalence(caller.accountId, {
        ...readSeries(query),
        measure: query.measure ?? 'ever',
      }),
    }),
    'analytics.incidence': async ({ caller, query }) => ({
      data: await analytics.occurrence.incidence(caller.accountId, {
        ...readSeries(query),
        episodes: query.episodes ?? 'first',
        washout: query.washout_months ?? 0,
        followUp: query.follow_up ?? 'until_now',
      }),
    }),
    'analytics.standardisedPrevalence': async ({ caller, query }) => ({
      data: await analytics.comparisons.standardised(caller.accountId, {
        code: query.code,
        system: query.system ?? null,
        kind: query.case ?? 'present',
        cohortId: query.cohort_id ?? null,
        referenceCohortId: query.reference_cohort_id ?? null,
        standard: query.standard ?? 'who_world_2000',
      }),
    }),
    'analytics.survival': async ({ caller, query }) => ({
      data: await analytics.survival.analysis(caller.accountId, {
        indexCode: query.index_code,
        eventCode: query.event_code,
        competingCode: query.competing_code ?? null,
        system: query.system ?? null,
        cohortId: query.cohort_id ?? null,
        otherCohortId: query.other_cohort_id ?? null,
        months: query.months ?? SURVIVAL_MONTHS,
        followUp: query.follow_up ?? 'until_now',
      }),
    }),
    'cohorts.contrast': async ({ caller, body }) => ({
      data: await analytics.comparisons.contrast(caller.accountId, body),
    }),
    'analytics.riskStratification': async ({ caller, query }) => ({
      data: await analytics.risk(caller.accountId, query.cohort_id ?? null),
    }),
    'analytics.observationTrend': async ({ caller, query }) => ({
      data: await analytics.trend(caller.accountId, {
        code: query.code,
        system: query.system ?? LOINC,
        unit: query.unit ?? null,
        from: query.from,
        until: query.until,
      }),
    }),
    'qualityMeasures.list': async (context) => {
      const keys = sortKeys(context, 'id');
      const request = readPageRequest(context, secret, keys.length);
      const keysOf = (each: Measure): readonly string[] =>
        keys.map(({ field }) => String(each[field as 'id' | 'title']));
      return { data: toPage(request, secret, measurePage(request, keys, keysOf), toQualityMeasure, keysOf) };
    },
    'qualityMeasures.evaluate': async ({ caller, params, query }) => ({
      data: await analytics.quality.measure(caller.accountId, params.measure_id, query.cohort_id ?? null, query.month),
    }),
    'qualityMeasures.series': async ({ caller, params, query }) => ({
      data: await analytics.quality.series(caller.accountId, {
        measureId: params.measure_id,
        cohortId: query.cohort_id ?? null,
        from: query.from,
        until: query.until,
        interval: query.interval ?? 'month',
      }),
    }),
    'cohorts.list': async (context) => {
      const keys = sortKeys(context, 'created_at');
      const request = readPageRequest(context, secret, keys.length);
      const { limit, position, includeTotal } = request;
      const listing = { name: context.query.name, keys: keys.map(toColumn), limit, position, includeTotal };
      const found = await cohorts.list(context.caller.accountId, listing);
      return { data: toPage(request, secret, found, toCohort, (row) => keys.map(({ field }) => keyOf(row, field))) };
    },
    'cohorts.create': async ({ caller, body }) => {
      const row = await cohorts.create(caller.accountId, body);
      return { ...outcome(row), headers: { location: `/analytics/cohorts/${row.id}` } };
    },
    'cohorts.compare': async ({ caller, body }) => ({
      data: await analytics.compare(caller.accountId, body.cohort_ids),
    }),
    'cohorts.get': async (context) => outcome(await cohorts.get(context.caller.accountId, context.params.cohort_id)),
    'cohorts.replace': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await cohorts.replace(caller.accountId, context.params.cohort_id, body, conditions));
    },
    'cohorts.update': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await cohorts.update(caller.accountId, context.params.cohort_id, body, conditions));
    },
    'cohorts.delete': async (context) => {
      await cohorts.remove(context.caller.accountId, context.params.cohort_id, context.conditions);
      return {};
    },
  };
}

interface SortKey {
  readonly field: string;
  readonly descending: boolean;
}

/** The keys asked for, and id so that no two rows tie. */
function sortKeys({ query }: { readonly query: { readonly sort?: string } }, fallback: string): readonly SortKey[] {
  const asked = parseSort(query.sort ?? fallback);
  if (asked.some(({ field }) => field === 'id')) return asked;
  return [...asked, { field: 'id', descending: asked.at(-1)?.descending ?? false }];
}

function toColumn({ field, descending }: SortKey): SortColumn {
  return { column: field, type: field.endsWith('_at') ? 'timestamptz' : 'text', descending };
}

function keyOf(row: CohortRow, field: string): KeyValue {
  const cohort: Cohort = toCohort(row);
  return cohort[field as 'id' | 'name' | 'created_at' | 'updated_at'];
}

/** The measures are few and in memory: the same positions as in a list of the database. */
function measurePage(
  { position, limit, includeTotal }: PageRequest,
  keys: readonly SortKey[],
  keysOf: (measure: Measure) => readonly string[],
): Found<Measure> {
  const compare = (a: readonly KeyValue[], b: readonly KeyValue[]): number => {
    for (const [at, { descending }] of keys.entries()) {
      const [one, other] = [String(a[at]), String(b[at])];
      if (one !== other) return one < other === descending ? 1 : -1;
    }
    return 0;
  };
  const sorted = [...measures].sort((a, b) => compare(keysOf(a), keysOf(b)));
  const rest =
    position === undefined
      ? sorted
      : 'offset' in position
        ? sorted.slice(position.offset)
        : sorted.filter((each) => compare(keysOf(each), position.after) > 0);
  return { rows: rest.slice(0, limit + 1), total: includeTotal ? sorted.length : undefined };
}

function readSeries(query: ContextOf<'analytics.prevalence' | 'analytics.incidence'>['query']): SeriesRequest {
  return {
    code: query.code,
    system: query.system ?? null,
    from: query.from,
    until: query.until,
    interval: query.interval ?? 'month',
  };
}

function outcome(row: CohortRow): DataOutcome<Cohort> {
  return { data: toCohort(row), revision: row.revision };
}
