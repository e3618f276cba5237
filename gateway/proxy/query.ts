import type { Operation } from '@perennial/schemas/operation.ts';
import { Fault, invalid, invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { PlanQuery } from '../forward/query.ts';

/**
 * A query in the client's version, rewritten to head where a change touches it. What the document does not declare, and
 * what may be given several times, goes on as it was sent: no change speaks of it.
 */
export function createUpstreamQuery(translator: Translator): PlanQuery {
  return (exchange, plan) => {
    const asSent = exchange.search === '' ? '' : `?${exchange.search}`;
    if (!plan.touchesQuery) return { text: asSent, contexts: undefined };
    const scalars = new Set(namesOf(plan.operation, false));
    const known = new Set([...scalars, ...namesOf(plan.operation, true)]);
    const given = [...new URLSearchParams(exchange.search)];
    // A name that only the newer version has must not do its work under an older one.
    const newer = [...namesOf(plan.head, false), ...namesOf(plan.head, true)].find(
      (name) => !known.has(name) && given.some(([each]) => each === name),
    );
    if (newer !== undefined) throw invalidParameter(newer, 'unknown_parameter');
    const declared = new URLSearchParams(given.filter(([name]) => scalars.has(name)));
    const { faults, values } = translator.validator(plan.release).query(plan.operation, declared);
    if (faults.length > 0) throw invalid(faults);
    const { query, contexts, offset } = plan.query(values);
    if (offset !== undefined)
      throw new Fault('translation_failed', { cause: new Error('only core has positions that a change can name') });
    const rewritten = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    for (const [name, value] of given) if (!scalars.has(name)) rewritten.append(name, value);
    return { text: rewritten.size === 0 ? '' : `?${rewritten}`, contexts };
  };
}

function namesOf({ parameters }: Operation, repeatable: boolean): readonly string[] {
  return parameters
    .filter((each) => each.in === 'query' && (each.repeatable === true) === repeatable)
    .map(({ name }) => name);
}
