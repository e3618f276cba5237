import type { Contract } from '@perennial/schemas/contract.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import { RouteTable } from '@perennial/schemas/platform/http/route-table.ts';
import { isNullable, isObject, type JsonObject, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import type { Plan } from '../engine/plan.ts';
import type { Translator } from '../engine/translator.ts';
import { createExamples } from './examples.ts';
import { type Effect, levelOf, traceDown, traceQuery, traceUp } from './trace.ts';

/** A request whose operation is known, at a release. */
export interface SimulatedRequest {
  readonly release: string;
  /** The operation as that release has it. */
  readonly operation: Operation;
  /** Path parameters by name, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Undefined where the operation takes no JSON body. */
  readonly body: unknown;
}

/** A request and its answer on both sides of the translators. Nothing of it was sent. */
export interface Simulation {
  readonly release: string;
  readonly operation: string;
  readonly toCore: {
    readonly method: string;
    readonly path: string;
    readonly query: Readonly<Record<string, string | number | boolean>>;
    readonly body?: unknown;
    /** The gateway reads the stored object first, because a change needs it. */
    readonly readsFirst?: true;
  };
  readonly requestChanges: readonly Effect[];
  /** `data` is undefined where the answer is no JSON envelope. */
  readonly fromCore: { readonly status: number; readonly data: unknown };
  readonly toClient: { readonly status: number; readonly data: unknown };
  readonly responseChanges: readonly Effect[];
}

/**
 * Follows one request through the translators, change by change.
 * @param answer `data` of core's answer; made from the schema and the body when left out.
 * @returns the faults for which the release would refuse the request with 422, or what happens to it.
 */
export function simulateExchange(
  translator: Translator,
  request: SimulatedRequest,
  answer?: unknown,
): { readonly faults: readonly ErrorDetail[] } | Simulation {
  const { release, operation, parameters, query, body } = request;
  const head = translator.catalogue.contracts.at(-1) as Contract;
  const plan = translator.plan(release, operation.id) as Plan;
  const validator = translator.validator(release);
  const checked = validator.query(operation, query);
  // Files travel as they are: there is nothing to read in a form that carries them.
  const written = operation.body?.mediaType.endsWith('json') ? operation.body : undefined;
  const faults = [...checked.faults, ...(written ? validator.body(written.ref, body) : [])];
  if (faults.length > 0) return { faults };

  const levels = { older: levelOf(translator, release), newer: translator.catalogue.steps.length };
  const planned = plan.query(checked.values);
  const headRef = plan.head.response.ref;
  const isEnveloped = headRef !== undefined && plan.head.response.mediaType === undefined;
  const made = isEnveloped ? createExamples(head.resources).of(headRef) : undefined;
  const stored = isObject(made) ? withoutUndefined(made) : undefined;
  const core = coreRequest(plan, body, stored);
  const data = answer === undefined ? answerOf(stored ?? made, core, plan, head) : answer;
  const up = [
    ...traceQuery(translator, levels, operation.id, checked.values),
    ...(written ? traceUp(translator, levels, written.ref, body) : []),
  ];
  const down = isEnveloped ? traceDown(translator, levels, headRef, data, planned.contexts).effects : [];
  const client = isEnveloped ? JSON.parse(JSON.stringify(plan.response(data, planned.contexts))) : undefined;
  const { status } = plan.head.response;
  return {
    release,
    operation: operation.id,
    toCore: {
      method: core.method,
      path: pathOf(plan.head, plan.parameters(parameters)),
      query: planned.offset === undefined ? planned.query : { ...planned.query, cursor: `(from ${planned.offset})` },
      ...(core.body === undefined ? {} : { body: core.body }),
      ...(core.readsFirst ? { readsFirst: true } : {}),
    },
    requestChanges: up,
    fromCore: { status, data },
    toClient: { status: plan.status(status), data: client },
    responseChanges: down,
  };
}

/** The path of an operation with the given parameters. */
export function pathOf(operation: Operation, parameters: Readonly<Record<string, string>>): string {
  return operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}

/**
 * The operation that a method and a path mean at a release, and the path's parameters; undefined when there is none.
 * @param path without version segment and query.
 */
export function operationAt(
  translator: Translator,
  release: string,
  method: string,
  path: string,
): { readonly operation: Operation; readonly parameters: Readonly<Record<string, string>> } | undefined {
  const routes = new RouteTable(translator.contract(release).operations);
  try {
    const match = routes.match(method, path.replace(/\/$/, ''));
    return match.kind === 'found' ? { operation: match.operation, parameters: match.params } : undefined;
  } catch {
    // A path that cannot be decoded is no operation's.
    return undefined;
  }
}

interface CoreRequest {
  readonly method: string;
  readonly body: unknown;
  /** The gateway reads the stored object first. */
  readonly readsFirst: boolean;
}

function coreRequest(plan: Plan, body: unknown, stored: JsonObject | undefined): CoreRequest {
  const { method } = plan.head;
  if (!plan.operation.body?.mediaType.endsWith('json')) return { method, body: undefined, readsFirst: false };
  if (!plan.head.update || !plan.touchesBody) return { method, body: plan.body(body), readsFirst: false };
  const { mode } = plan.head.update;
  const patch = plan.update(body as JsonObject, mode, undefined);
  if (patch !== 'needs-prior') return { method: 'PATCH', body: patch, readsFirst: false };
  return { method: 'PATCH', body: plan.update(body as JsonObject, mode, stored), readsFirst: true };
}

/** A generated answer that has taken up what was written. What a new object was not given is null. */
function answerOf(made: unknown, { body }: CoreRequest, plan: Plan, head: Contract): unknown {
  if (!isObject(made) || !isObject(body)) return made;
  const ref = plan.head.response.ref as string;
  const isCreated = plan.head.body?.ref === `${ref}.create`;
  const start = isCreated ? emptied(made, head.resources.get(ref)) : made;
  return laidOver(start, withoutUndefined(body));
}

function emptied(value: JsonObject, schema: JsonSchema | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const member = schema?.properties?.[name];
      if (!member || member.readOnly) return [name, each];
      if (isNullable(member)) return [name, null];
      return [name, isObject(each) ? emptied(each, member) : each];
    }),
  );
}

/** As a merge patch, but answers print the key of what is not there, and have no members but their own. */
function laidOver(value: JsonObject, patch: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (!Object.hasOwn(patch, name)) return [name, each];
      const written = patch[name];
      return [name, isObject(each) && isObject(written) ? laidOver(each, written) : written];
    }),
  );
}

function withoutUndefined(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
