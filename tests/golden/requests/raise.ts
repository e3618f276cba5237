import type { History } from '@perennial/schemas/history.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { ReleaseChanges } from '@perennial/translators/engine/change.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';
import type { GoldenRequest } from '../exchange.ts';

/** A request as a newer release would say it. */
export type Raise = (request: GoldenRequest) => GoldenRequest;

/**
 * Raises requests that were written in the words of `from` to the contract of `to`. What is no valid request at `from`
 * is sent as it is: it shows what happens to it. That the engine makes the requests proves nothing about it; what comes
 * back is what is compared.
 */
export function raiseTo(
  translator: Translator,
  history: History,
  releases: readonly ReleaseChanges[],
  from: string,
  to: string,
): Raise {
  if (from === to) return (request) => request;
  const until = createTranslator(
    translator.contract(to),
    { ...history, releases: history.releases.filter(({ id }) => id <= to) },
    releases.filter(({ id }) => id <= to),
  );
  const validator = until.validator(from);
  return (request) => {
    if (request.path.startsWith('/v')) return request;
    const [path = '', search = ''] = request.path.split('?');
    const found = operationAt(until.contract(from).operations, request.method, path);
    const plan = found && until.plan(from, found.operation.id);
    if (!found || !plan) return request;
    const { faults, values } = validator.query(found.operation, new URLSearchParams(search));
    const query = plan.touchesQuery && faults.length === 0 ? queryText(plan.query(values).query) : search;
    const target = plan.head.path.replace(/\{([^}]+)\}/g, (_, name: string) => found.parameters[name] ?? '');
    const body = raisedBody(request.body);
    return {
      ...request,
      method: plan.head.method,
      path: query === '' ? target : `${target}?${query}`,
      ...(body === undefined ? {} : { body }),
    };

    function raisedBody(given: unknown): unknown {
      const ref = plan?.operation.body?.ref;
      if (!plan?.touchesBody || ref === undefined || validator.body(ref, given).length > 0) return given;
      return JSON.parse(JSON.stringify(plan.body(given as JsonObject)));
    }
  };
}

function operationAt(
  operations: readonly Operation[],
  method: string,
  path: string,
): { readonly operation: Operation; readonly parameters: Readonly<Record<string, string>> } | undefined {
  const given = path.split('/');
  for (const operation of operations) {
    const wanted = operation.path.split('/');
    if (operation.method !== method || wanted.length !== given.length) continue;
    const parameters: Record<string, string> = {};
    const fits = wanted.every((part, index) => {
      const name = /^\{(.+)\}$/.exec(part)?.[1];
      if (name !== undefined) parameters[name] = given[index] as string;
      return name !== undefined || part === given[index];
    });
    if (fits) return { operation, parameters };
  }
  return undefined;
}

function queryText(values: Readonly<Record<string, string | number | boolean>>): string {
  return new URLSearchParams(
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
  ).toString();
}
