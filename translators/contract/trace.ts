import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@perennial/schemas/platform/json-schema.ts';
import { escapeToken } from '@perennial/schemas/validation.ts';
import type { Catalogue } from '../engine/catalogue.ts';
import type { QueryRewrite, QueryValues } from '../engine/change.ts';
import { compile } from '../engine/compile.ts';
import type { Contexts } from '../engine/evaluate.ts';
import { queryUpAt } from '../engine/plan.ts';
import { type Run, touches } from '../engine/run.ts';
import type { Step } from '../engine/step.ts';
import type { Translator } from '../engine/translator.ts';

/** What one change did to one body or query. */
export interface Effect {
  /** `release/change`. */
  readonly change: string;
  readonly sentence: string;
  /** Places, as RFC 6901 pointers into the body before or after, or parameter names, with both values. */
  readonly places: readonly PlaceDifference[];
}

/** A place where two values differ. */
export interface PlaceDifference {
  readonly pointer: string;
  /** Absent on the side where there is no such place. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Walks `data` of a newer level down to an older one, change by change. */
export function traceDown(
  translator: Translator,
  levels: { readonly older: number; readonly newer: number },
  ref: string,
  data: unknown,
  contexts: Contexts | undefined,
): { readonly data: unknown; readonly effects: readonly Effect[] } {
  const { catalogue } = translator;
  const effects: Effect[] = [];
  let current = plain(data);
  for (let level = levels.newer - 1; level >= levels.older; level--) {
    const run: Run = { older: level, newer: level + 1 };
    if (!touches(catalogue, run, ref)) continue;
    const after = plain(compile(catalogue, run, ref, 'down')(current, contexts));
    note(effects, catalogue.steps[level] as Step, placesThatDiffer(current, after));
    current = after;
  }
  return { data: current, effects };
}

/** Walks a whole body of an older level up to a newer one, change by change. */
export function traceUp(
  translator: Translator,
  levels: { readonly older: number; readonly newer: number },
  ref: string,
  body: unknown,
): readonly Effect[] {
  const { catalogue } = translator;
  const effects: Effect[] = [];
  let current = plain(body);
  for (let level = levels.older; level < levels.newer; level++) {
    const run: Run = { older: level, newer: level + 1 };
    if (!touches(catalogue, run, ref)) continue;
    const after = plain(compile(catalogue, run, ref, 'up')(current));
    note(effects, catalogue.steps[level] as Step, placesThatDiffer(current, after));
    current = after;
  }
  return effects;
}

/** Walks a query that is valid at the older level up, change by change. */
export function traceQuery(
  translator: Translator,
  levels: { readonly older: number; readonly newer: number },
  operationId: string,
  query: QueryValues,
): readonly Effect[] {
  const { catalogue } = translator;
  const effects: Effect[] = [];
  let current = query;
  for (let level = levels.older; level < levels.newer; level++) {
    const result = stepQuery(catalogue, level, operationId, current);
    if (!result) continue;
    // The gateway makes a cursor of the position.
    const after = result.offset === undefined ? result.query : { ...result.query, cursor: `(from ${result.offset})` };
    note(effects, catalogue.steps[level] as Step, placesThatDiffer(current, after));
    current = after;
  }
  return effects;
}

/** A query that is valid before a step, after it; undefined where the step leaves the operation's query alone. */
export function stepQuery(
  catalogue: Catalogue,
  level: number,
  operationId: string,
  query: QueryValues,
): QueryRewrite | undefined {
  return queryUpAt(catalogue, level, operationId)?.(query);
}

/** The level of a release in the catalogue. */
export function levelOf(translator: Translator, release: string): number {
  const found = translator.catalogue.releases.find(({ id }) => id === release);
  if (!found) throw new Error(`${release} is not a release of the history`);
  return found.level;
}

/** Every place where two JSON values differ, as deep as both have it. */
export function placesThatDiffer(before: unknown, after: unknown, pointer = ''): readonly PlaceDifference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isObject(before) && isObject(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      placesThatDiffer(member(before, name), member(after, name), `${pointer}/${escapeToken(name)}`),
    );
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((each, index) => placesThatDiffer(each, after[index], `${pointer}/${index}`));
  return [
    {
      pointer,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    },
  ];
}

function member(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function note(effects: Effect[], step: Step, places: readonly PlaceDifference[]): void {
  if (places.length > 0) effects.push({ change: step.name, sentence: step.change.sentence, places });
}

/** As it travels: members that are undefined are not there. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
