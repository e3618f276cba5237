import { encodeCursor } from '@perennial/schemas/platform/cursor.ts';
import { invalid } from '@perennial/schemas/platform/http/fault.ts';
import type { QueryValues } from '@perennial/translators/engine/change.ts';
import type { Contexts } from '@perennial/translators/engine/evaluate.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { type Exchange, known } from '../exchange.ts';

/** The query for core, with its question mark, or nothing, and what the answer's translation needs to know of it. */
export interface PlannedText {
  readonly text: string;
  readonly contexts: Contexts | undefined;
  /** Entries that the page must hold if the list has them; undefined where it may hold fewer. */
  readonly pageEntries?: number | undefined;
}

/** Checks a query in the client's version and rewrites it to head. */
export type PlanQuery = (exchange: Exchange, plan: Plan) => PlannedText;

/** @param secret `INTERNAL_SECRET`, with which cursors are signed. */
export function createPlanQuery(translator: Translator, secret: string): PlanQuery {
  // Without a query there is one outcome for each plan, except where a position is signed for the caller.
  const withoutQuery = new WeakMap<Plan, PlannedText>();
  const rewrite = (exchange: Exchange, plan: Plan): PlannedText => {
    const { faults, values } = translator
      .validator(plan.release)
      .query(plan.operation, new URLSearchParams(exchange.search));
    if (faults.length > 0) throw invalid(faults);
    // As the client wrote it: there is more than one way to write the same.
    if (!plan.touchesQuery)
      return keep(exchange, plan, { text: exchange.search === '' ? '' : `?${exchange.search}`, contexts: undefined });
    const { query, contexts, offset, pageEntries } = plan.query(values);
    if (offset !== undefined)
      return {
        text: queryText({ ...query, [positionOf(plan)]: cursorAt(exchange, plan, query, offset) }),
        contexts,
        pageEntries,
      };
    return keep(exchange, plan, { text: queryText(query), contexts, pageEntries });
  };
  const keep = (exchange: Exchange, plan: Plan, planned: PlannedText): PlannedText => {
    if (exchange.search === '') withoutQuery.set(plan, planned);
    return planned;
  };
  // Only core and the gateway can issue a cursor; the change said from which row on.
  const cursorAt = (exchange: Exchange, plan: Plan, query: QueryValues, offset: number): string => {
    const filters: Record<string, string> = {};
    for (const { name, link } of plan.head.parameters)
      if (link?.role === 'filter' && query[name] !== undefined) filters[name] = String(query[name]);
    return encodeCursor(
      secret,
      {
        accountId: known(exchange.caller, 'caller').accountId,
        operationId: plan.head.id,
        path: exchange.parameters,
        filters,
        sort: typeof query['sort'] === 'string' ? query['sort'] : undefined,
      },
      { offset },
    );
  };
  return (exchange, plan) => (exchange.search === '' ? withoutQuery.get(plan) : undefined) ?? rewrite(exchange, plan);
}

/** The query at head that asks for the `limit` entries which follow a page. */
export function queryAfter(plan: Plan, text: string, cursor: string, limit: number): string {
  const query = new URLSearchParams(text);
  query.set(positionOf(plan), cursor);
  query.set('limit', String(limit));
  query.delete('include_total');
  return `?${query}`;
}

/** What head calls the parameter that takes a position. */
function positionOf({ head }: Plan): string {
  return head.parameters.find(({ isPosition }) => isPosition)?.name ?? 'cursor';
}

/** Query text, with its question mark, or nothing. */
function queryText(values: QueryValues): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) query.set(name, String(value));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
