import { encodeCursor } from '@perennial/schemas/cursor.ts';
import { invalid } from '@perennial/schemas/http/fault.ts';
import type { QueryValues } from '@perennial/translators/engine/change.ts';
import type { Contexts } from '@perennial/translators/engine/evaluate.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { type Exchange, known } from '../exchange.ts';

/** Checks a query in the client's version and rewrites it to head. */
export type PlanQuery = (
  exchange: Exchange,
  plan: Plan,
) => { readonly query: QueryValues; readonly contexts: Contexts | undefined };

/** @param secret `INTERNAL_SECRET`, with which cursors are signed. */
export function createPlanQuery(translator: Translator, secret: string): PlanQuery {
  return (exchange, plan) => {
    const { faults, values } = translator
      .validator(plan.release)
      .query(plan.operation, new URLSearchParams(exchange.search));
    if (faults.length > 0) throw invalid(faults);
    const { query, contexts, offset } = plan.query(values);
    if (offset === undefined) return { query, contexts };
    // Only core and the gateway can issue a cursor; the change said from which row on.
    const filters: Record<string, string> = {};
    for (const { name, link } of plan.head.parameters)
      if (link?.role === 'filter' && query[name] !== undefined) filters[name] = String(query[name]);
    const cursor = encodeCursor(
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
    return { query: { ...query, cursor }, contexts };
  };
}
