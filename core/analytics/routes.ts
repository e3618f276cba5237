import type { Cohort, CohortComparisonRequest } from '@perennial/schemas/resources/cohort.ts';
import { parseSort } from '@perennial/schemas/validation.ts';
import type { Context, Handlers, Outcome } from '../http/operations.ts';
import type { KeyValue, SortColumn } from '../keyset.ts';
import { type Found, type PageRequest, readPageRequest, toPage } from '../paging.ts';
import type { Interval } from './calendar.ts';
import type { CohortPatch, CohortWrite } from './cohort-service.ts';
import { type CohortRow, toCohort } from './cohort-store.ts';
import { type Measure, measures, toQualityMeasure } from './measures.ts';
import type { AnalyticsService, SeriesRequest } from './service.ts';
import { LOINC } from './sql.ts';

const CONDITIONS_DEFAULT = 20;

/** The operations of the category. @param secret signs the cursors; the gateway shares it. */
export function analyticsHandlers(analytics: AnalyticsService, secret: string): Handlers {
  const { cohorts } = analytics;
  return {
    'analytics.population': async ({ caller, query }) => ({
      data: await analytics.population(
        caller.accountId,
        text(query['cohort_id']),
        typeof query['conditions'] === 'number' ? query['conditions'] : CONDITIONS_DEFAULT,
      ),
    }),
    'analytics.prevalence': async ({ caller, query }) => ({
      data: await analytics.prevalence(caller.accountId, readSeries(query)),
    }),
    'analytics.incidence': async ({ caller, query }) => ({
      data: await analytics.incidence(caller.accountId, readSeries(query)),
    }),
    'analytics.riskStratification': async ({ caller, query }) => ({
      data: await analytics.risk(caller.accountId, text(query['cohort_id'])),
    }),
    'analytics.observationTrend': async ({ caller, query }) => ({
      data: await analytics.trend(caller.accountId, {
        code: String(query['code']),
        system: text(query['system']) ?? LOINC,
        unit: text(query['unit']),
        from: String(query['from']),
        until: String(query['until']),
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
      data: await analytics.measure(
        caller.accountId,
        params['measure_id'] as string,
        text(query['cohort_id']),
        text(query['month']) ?? undefined,
      ),
    }),
    'cohorts.list': async (context) => {
      const keys = sortKeys(context, 'created_at');
      const request = readPageRequest(context, secret, keys.length);
      const { limit, position, includeTotal } = request;
      const name = text(context.query['name']) ?? undefined;
      const listing = { name, keys: keys.map(toColumn), limit, position, includeTotal };
      const found = await cohorts.list(context.caller.accountId, listing);
      return { data: toPage(request, secret, found, toCohort, (row) => keys.map(({ field }) => keyOf(row, field))) };
    },
    'cohorts.create': async ({ caller, body }) => {
      const row = await cohorts.create(caller.accountId, body as CohortWrite);
      return { ...outcome(row), headers: { location: `/analytics/cohorts/${row.id}` } };
    },
    'cohorts.compare': async ({ caller, body }) => ({
      data: await analytics.compare(caller.accountId, (body as CohortComparisonRequest).cohort_ids),
    }),
    'cohorts.get': async (context) => outcome(await cohorts.get(context.caller.accountId, idOf(context))),
    'cohorts.replace': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await cohorts.replace(caller.accountId, idOf(context), body as CohortWrite, conditions));
    },
    'cohorts.update': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await cohorts.update(caller.accountId, idOf(context), body as CohortPatch, conditions));
    },
    'cohorts.delete': async (context) => {
      await cohorts.remove(context.caller.accountId, idOf(context), context.conditions);
      return {};
    },
  };
}

interface SortKey {
  readonly field: string;
  readonly descending: boolean;
}

/** The keys asked for, and id so that no two rows tie. */
function sortKeys({ query }: Context, fallback: string): readonly SortKey[] {
  const asked = parseSort(text(query['sort']) ?? fallback);
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

function readSeries(query: Context['query']): SeriesRequest {
  return {
    code: String(query['code']),
    system: text(query['system']),
    from: String(query['from']),
    until: String(query['until']),
    interval: (text(query['interval']) ?? 'month') as Interval,
  };
}

function text(value: string | number | boolean | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function idOf({ params }: Context): string {
  return params['cohort_id'] as string;
}

function outcome(row: CohortRow): Outcome {
  return { data: toCohort(row), revision: row.revision };
}
