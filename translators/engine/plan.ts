import { createHash } from 'node:crypto';
import type { Contract } from '@perennial/schemas/contract.ts';
import type { ErrorCode } from '@perennial/schemas/errors.ts';
import type { Operation, Parameter } from '@perennial/schemas/operation.ts';
import type { JsonObject, JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { representationOf as headRepresentation } from '@perennial/schemas/representation.ts';
import type { ErrorBody, ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import type { Validator } from '@perennial/schemas/validation.ts';
import { parseRef, resolveRef } from '@perennial/schemas/variants.ts';
import { checkRaised } from './blame.ts';
import { type Catalogue, hasEnded, operationOf } from './catalogue.ts';
import type { OperationEdit, QueryValues } from './change.ts';
import { compile } from './compile.ts';
import { inGeneral } from './detail.ts';
import { compileElement, type ElementUp } from './element.ts';
import { errorTranslator, type OlderError } from './errors.ts';
import type { Contexts } from './evaluate.ts';
import { TranslationFailed } from './failures.ts';
import { type HeaderPlan, headersOf } from './headers.ts';
import { concerns, type QueryUp, queryUp } from './parameters.ts';
import { compilePointers, type PointerMap } from './pointers.ts';
import { editedResource, fuse, type Run, runsBetween, stepsTouching } from './run.ts';
import { reachable, type Step } from './step.ts';
import { leftOut } from './stream.ts';
import type { Node } from './tree.ts';
import { compileUpdate } from './update.ts';
import { type ConvertValue, valueConversion } from './values.ts';

/**
 * Everything needed to serve one operation at one version: compiled once, used for every request. A plan holds no
 * state of a request.
 */
export interface Plan {
  readonly release: string;
  /** The operation as the client knows it. */
  readonly operation: Operation;
  /** The operation as core knows it. */
  readonly head: Operation;
  /** Names of the changes that touch the operation, oldest first. */
  readonly changes: readonly string[];
  readonly touchesQuery: boolean;
  readonly touchesBody: boolean;
  /** Whether successful answers are rewritten beyond `meta.version`. */
  readonly touchesResponse: boolean;
  /** The `W/"revision.representation"` part that names this version's form of the answer. */
  readonly representation: string;
  /** Rewrites a query that is valid in the client's version. */
  query(values: QueryValues): PlannedQuery;
  /** Rewrites a whole body that is valid in the client's version. */
  body(body: unknown): unknown;
  /** Rewrites a write to an existing object to a merge patch; `needs-prior` asks for the stored head body. */
  update(body: JsonObject, mode: 'replace' | 'patch', prior: JsonObject | undefined): JsonObject | 'needs-prior';
  /** Rewrites one element of a body that is read element by element; undefined where the operation has no such body. */
  readonly element: ElementUp | undefined;
  /** Rewrites the `data` of a successful answer, or one element of a stream. */
  response(data: unknown, contexts: Contexts | undefined): unknown;
  /** Rewrites the data of an event; `leftOut` for an event that this version does not have. `name` is head's. */
  event(name: string, data: unknown): unknown;
  /** What this version calls an event of head. */
  eventName(name: string): string;
  /**
   * Rewrites an error of core to the client's version: names in pointers and parameters, then its shape.
   * @returns undefined when the fault is about something the client cannot see: then it is ours, not the client's.
   */
  error(error: ErrorBody): OlderError | undefined;
  /** The error that this version answers in place of a success of head's; undefined for a success. */
  refusal(data: unknown): ErrorCode | undefined;
  /** The schema of the body in this version. */
  readonly bodySchema: JsonSchema | undefined;
  /** Headers and cookies of this operation's own; undefined where it has none. */
  readonly headers: HeaderPlan | undefined;
  /** Path parameters under the names that head has for them. */
  parameters(given: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** The client's status for a success status of core. */
  status(status: number): number;
}

/** A rewritten query and what the response will need. */
export interface PlannedQuery {
  readonly query: QueryValues;
  readonly contexts: Contexts | undefined;
  readonly offset: number | undefined;
  readonly pageEntries: number | undefined;
}

/** Whether a version has an operation of head. */
export function serves(catalogue: Catalogue, release: string, level: number, operationId: string): boolean {
  const head = operationOf(catalogue.contracts.at(-1) as Contract, operationId);
  return (
    head !== undefined &&
    !(head.since !== undefined && head.since > release) &&
    !hasEnded(catalogue, level, operationId)
  );
}

/** Compiles the plan of an operation at a level, or undefined when that version does not have the operation. */
export function createPlan(
  catalogue: Catalogue,
  release: string,
  level: number,
  operationId: string,
  headValidator: Validator,
): Plan | undefined {
  const headLevel = catalogue.steps.length;
  const contract = catalogue.contracts[level] as Contract;
  const operation = operationOf(contract, operationId);
  const head = operationOf(catalogue.contracts[headLevel] as Contract, operationId);
  if (!operation || !head || !serves(catalogue, release, level, operationId)) return undefined;

  const whole: Run = { older: level, newer: headLevel };
  const runsOf = (ref: string | undefined): readonly Run[] =>
    ref === undefined ? [] : runsBetween(catalogue, level, headLevel, ref);
  const bodyRef = head.body?.ref;
  const responseRef = head.response.ref;
  const bodyRuns = runsOf(bodyRef);
  const responseRuns = runsOf(responseRef);

  const queryUps = queryUpsOf(catalogue, level, operationId);
  const up = bodyRef === undefined ? [] : bodyRuns.map((run) => compile(catalogue, run, bodyRef, 'up'));
  const down =
    responseRef === undefined ? [] : newestFirst(responseRuns, (run) => compile(catalogue, run, responseRef, 'down'));
  const events = eventsOf(catalogue, level, operation, head);
  const refusals = refusalsOf(catalogue, level, operationId, responseRef);
  const olderError = errorTranslator(catalogue, level, operationId);
  const pointers =
    bodyRef === undefined ? [] : newestFirst(bodyRuns, (run) => compilePointers(catalogue, run, bodyRef));
  const elementRef = head.body?.elements?.ref;
  const element =
    elementRef === undefined
      ? undefined
      : compileElement(catalogue, whole, elementRef, (ref) => updatesOf(catalogue, runsOf(ref), ref));
  const isRight = bodyRef === undefined ? undefined : checkRaised(catalogue, bodyRuns, bodyRef, headValidator);
  const isRightElement =
    elementRef === undefined ? undefined : checkRaised(catalogue, runsOf(elementRef), elementRef, headValidator);
  const patched = head.update && operationOf(catalogue.contracts[headLevel] as Contract, head.update.patch);
  // A service without a patch is written whole; what is rewritten here is a patch all the same.
  const patchRef =
    patched?.update?.mode === 'replace' && bodyRef !== undefined
      ? `${parseRef(bodyRef).resource}.patch`
      : patched?.body?.ref;
  const isRightPatch =
    patchRef === undefined ? undefined : checkRaised(catalogue, runsOf(patchRef), patchRef, headValidator);
  const updates = head.update && bodyRef !== undefined ? updatesOf(catalogue, bodyRuns, bodyRef) : undefined;
  const parameterNames = new Map(
    head.parameters.map((parameter) => [parameter.name, parameterAt(catalogue, level, operationId, parameter.name)]),
  );
  const pathNames = new Map(
    head.parameters.flatMap((parameter) => {
      const older = parameter.in === 'path' ? parameterNames.get(parameter.name) : undefined;
      return older === undefined || older === parameter.name ? [] : [[older, parameter.name] as const];
    }),
  );
  const pathValues = pathValuesOf(catalogue, level, head, parameterNames);
  const published = catalogue.published(level);
  const publishedRef = published.operations.find(({ id }) => id === operationId)?.response.ref;
  const touchesQuery = queryUps.length > 0;
  const touchesBody = up.length > 0;
  const refs = [bodyRef, responseRef, ...Object.values(head.response.events ?? {})].filter((ref) => ref !== undefined);
  const changes = new Set([
    ...refs.flatMap((ref) => stepsTouching(catalogue, whole, ref).map(({ name }) => name)),
    ...catalogue.steps.slice(level).flatMap((step) => (editsOperation(step, operationId, head) ? [step.name] : [])),
    ...catalogue.steps
      .slice(level)
      .flatMap((step, index) => (convertsParameters(catalogue, level + index, operationId) ? [step.name] : [])),
  ]);

  const answered = responseRef === undefined ? [] : stepsTouching(catalogue, whole, responseRef);
  return {
    release,
    operation,
    head,
    changes: catalogue.steps.map(({ name }) => name).filter((name) => changes.has(name)),
    touchesQuery,
    touchesBody,
    touchesResponse:
      down.length > 0 || refusals.length > 0 || events.touched || operation.response.status !== head.response.status,
    // At head core's own tag is what the client gets, whichever way the answer took.
    representation:
      level === headLevel && responseRef !== undefined
        ? headRepresentation(published.resources, publishedRef ?? responseRef)
        : representationOf(release, contract, responseRef, answered),
    query(values) {
      let query = values;
      let contexts: Record<string, unknown> | undefined;
      let offset: number | undefined;
      let pageEntries: number | undefined;
      for (const { step, apply } of queryUps) {
        const result = apply(query);
        query = result.query;
        if (result.offset !== undefined) offset = result.offset;
        if (result.pageEntries !== undefined) pageEntries = result.pageEntries;
        if (result.context !== undefined) {
          contexts ??= {};
          contexts[step.change.id] = result.context;
        }
      }
      return { query, contexts, offset, pageEntries };
    },
    body: (body) => {
      const raised = up.reduce((value, translate) => translate(value), body);
      isRight?.(raised);
      return raised;
    },
    update(body, mode, prior) {
      if (!updates) throw new Error(`${operationId} does not update`);
      const patch = updates(body, mode, prior);
      if (patch !== 'needs-prior') isRightPatch?.(patch);
      return patch;
    },
    element: element && {
      up(given, prior) {
        const raised = element.up(given, prior);
        if (raised.patch === undefined || raised.patch.state === 'whole') isRightElement?.(raised.element);
        return raised;
      },
    },
    response: (data, contexts) => down.reduce((value, translate) => translate(value, contexts), data),
    event: (name, data) => events.translate(name, data),
    eventName: (name) => events.names.get(name) ?? name,
    error(error) {
      const details: ErrorDetail[] = [];
      for (const detail of error.details ?? []) {
        const older = olderDetail(detail, pointers, parameterNames);
        if (older) details.push(inGeneral(older));
      }
      if (details.length === 0 && (error.details ?? []).length > 0) return undefined;
      return olderError({ ...error, details });
    },
    bodySchema: operation.body && resolveRef(contract.resources, operation.body.ref),
    headers: headersOf(catalogue, level, head),
    refusal: (data) => refusals.find(({ when }) => when(data))?.code,
    parameters: (given) =>
      pathNames.size === 0 && pathValues.size === 0
        ? given
        : Object.fromEntries(
            Object.entries(given).map(([name, value]) => [
              pathNames.get(name) ?? name,
              String((pathValues.get(name) ?? []).reduce<unknown>((each, convert) => convert(each), value)),
            ]),
          ),
    status: (status) => (status === head.response.status ? operation.response.status : status),
  };
}

/** Downward, runs apply newest first. */
function newestFirst<T>(runs: readonly Run[], prepare: (run: Run) => T): readonly T[] {
  return [...runs].reverse().map(prepare);
}

/** The events of a stream: each is translated as the resource that it carries. */
function eventsOf(
  catalogue: Catalogue,
  level: number,
  operation: Operation,
  head: Operation,
): {
  readonly touched: boolean;
  readonly names: ReadonlyMap<string, string>;
  translate(name: string, data: unknown): unknown;
} {
  const headLevel = catalogue.steps.length;
  const known = operation.response.events ?? {};
  const names = new Map(Object.keys(head.response.events ?? {}).map((name) => [name, name]));
  for (const { operationEdits } of catalogue.steps.slice(level).reverse())
    for (const edit of operationEdits)
      if (edit.kind === 'event' && edit.operation === operation.id)
        for (const [name, current] of names)
          if (current === edit.newer)
            if (edit.older === undefined) names.delete(name);
            else names.set(name, edit.older);
  const translators = new Map(
    Object.entries(head.response.events ?? {})
      .filter(([name]) => Object.hasOwn(known, names.get(name) ?? ''))
      .map(([name, ref]) => [
        name,
        newestFirst(runsBetween(catalogue, level, headLevel, ref), (run) => compile(catalogue, run, ref, 'down')),
      ]),
  );
  return {
    touched:
      [...translators.values()].some((runs) => runs.length > 0) ||
      [...names].some(([name, older]) => name !== older) ||
      translators.size < Object.keys(head.response.events ?? {}).length,
    names,
    translate: (name, data) => {
      const runs = translators.get(name);
      return runs ? runs.reduce((value, translate) => translate(value), data) : leftOut;
    },
  };
}

/** Whether a step could touch the query of an operation: most have nothing to do with each other. */
function speaksOfQuery(step: Step, older: Operation, newer: Operation): boolean {
  return (
    step.operationEdits.some((edit) => edit.kind === 'query' && (concerns(edit, older) || concerns(edit, newer))) ||
    step.values.length > 0 ||
    newer.parameters.some(({ link }) => link !== undefined && step.edits.has(link.resource))
  );
}

/** The successes of head that were errors at a level. */
function refusalsOf(
  catalogue: Catalogue,
  level: number,
  operation: string,
  ref: string | undefined,
): readonly { readonly code: ErrorCode; readonly when: (data: unknown) => boolean }[] {
  return catalogue.steps.slice(level).flatMap((step, index) =>
    step.operationEdits.flatMap((edit) => {
      if (edit.kind !== 'refusal' || edit.operation !== operation) return [];
      const runs = ref === undefined ? [] : runsBetween(catalogue, level + index + 1, catalogue.steps.length, ref);
      const down = newestFirst(runs, (run) => compile(catalogue, run, ref as string, 'down'));
      const when = (data: unknown): boolean => {
        const seen = down.reduce((value, translate) => translate(value), data);
        try {
          return edit.when(seen);
        } catch (error) {
          throw new TranslationFailed(step.name, error);
        }
      };
      return [{ code: edit.code, when }];
    }),
  );
}

/** Whether a step converts values that the operation is called with. */
function convertsParameters(catalogue: Catalogue, at: number, operationId: string): boolean {
  if (catalogue.steps[at]?.values.length === 0) return false;
  const run = { older: at, newer: at + 1 };
  const operation = operationOf(catalogue.contracts[at] as Contract, operationId);
  return operation?.parameters.some(({ schema }) => valueConversion(catalogue, run, schema, 'up')) === true;
}

/** The conversions of path parameters, by their names at a level, in upward order. */
function pathValuesOf(
  catalogue: Catalogue,
  level: number,
  head: Operation,
  parameterNames: ReadonlyMap<string, string | undefined>,
): ReadonlyMap<string, readonly ConvertValue[]> {
  const values = new Map<string, ConvertValue[]>();
  for (const { name: headName } of head.parameters.filter((each) => each.in === 'path'))
    for (let at = level; at < catalogue.steps.length; at++) {
      if (catalogue.steps[at]?.values.length === 0) continue;
      const name = parameterAt(catalogue, at, head.id, headName);
      const operation = catalogue.contracts[at]?.operations.find(({ id }) => id === head.id);
      const schema = operation?.parameters.find((each) => each.in === 'path' && each.name === name)?.schema;
      const convert = schema && valueConversion(catalogue, { older: at, newer: at + 1 }, schema, 'up');
      const own = parameterNames.get(headName) ?? headName;
      if (convert) values.set(own, [...(values.get(own) ?? []), convert]);
    }
  return values;
}

function queryUpsOf(
  catalogue: Catalogue,
  level: number,
  operationId: string,
): readonly { readonly step: Step; readonly apply: QueryUp }[] {
  const ups: { step: Step; apply: QueryUp }[] = [];
  for (let at = level; at < catalogue.steps.length; at++) {
    const step = catalogue.steps[at] as Step;
    const find = (contract: Contract | undefined): Operation =>
      operationOf(contract as Contract, operationId) as Operation;
    if (!speaksOfQuery(step, find(catalogue.contracts[at]), find(catalogue.contracts[at + 1]))) continue;
    const apply = queryUpAt(catalogue, at, operationId);
    if (apply) ups.push({ step, apply });
  }
  return ups;
}

/** The rewriting of an operation's query across one step. */
export function queryUpAt(catalogue: Catalogue, at: number, operationId: string): QueryUp | undefined {
  const step = catalogue.steps[at] as Step;
  const find = (contract: Contract | undefined): Operation =>
    contract?.operations.find(({ id }) => id === operationId) as Operation;
  const run: Run = { older: at, newer: at + 1 };
  const down = new Map<string, Node>();
  const up = new Map<string, Node>();
  for (const resource of step.edits.keys()) {
    const fused = fuse(catalogue, run, resource);
    down.set(resource, fused.down);
    up.set(resource, fused.up);
  }
  const before = find(catalogue.contracts[at]);
  const conversions = before.parameters.flatMap(({ in: where, name, schema }) => {
    const conversion = where === 'query' ? valueConversion(catalogue, run, schema, 'up') : undefined;
    return conversion ? [{ name, conversion }] : [];
  });
  return queryUp(before, find(catalogue.contracts[at + 1]), step, down, up, conversions);
}

/** A chain of updates. Only the newest run can read the stored body as it is; older runs read it translated down. */
export function updatesOf(
  catalogue: Catalogue,
  runs: readonly Run[],
  ref: string,
): (body: JsonObject, mode: 'replace' | 'patch', prior: JsonObject | undefined) => JsonObject | 'needs-prior' {
  const resource = editedResource(ref);
  const links = runs.map((run) => ({
    update: compileUpdate(catalogue, run, resource),
    down: compile(catalogue, run, resource, 'down'),
  }));
  return (body, mode, prior) => {
    const priors: (JsonObject | undefined)[] = [];
    let stored = prior;
    for (const { down } of [...links].reverse()) {
      priors.unshift(stored);
      stored = stored && (down(stored) as JsonObject);
    }
    let current = body;
    for (const [index, { update }] of links.entries()) {
      // What the first run makes of a whole body is already a patch.
      const next = update.up(current, index === 0 ? mode : 'patch', priors[index]);
      if (next === 'needs-prior') return next;
      current = next;
    }
    return current;
  };
}

function olderDetail(
  detail: ErrorDetail,
  pointers: readonly PointerMap[],
  parameterNames: ReadonlyMap<string, string | undefined>,
): ErrorDetail | undefined {
  if (detail.pointer !== undefined) {
    let pointer: string | undefined = detail.pointer;
    for (const map of pointers) pointer = pointer === undefined ? undefined : map.down(pointer);
    return pointer === undefined ? undefined : { ...detail, pointer };
  }
  if (detail.parameter !== undefined && parameterNames.has(detail.parameter)) {
    const parameter = parameterNames.get(detail.parameter);
    return parameter === undefined ? undefined : { ...detail, parameter };
  }
  return detail;
}

/** The name at a level of a parameter of head: followed down by its field, or unchanged while it is still there. */
function parameterAt(catalogue: Catalogue, level: number, operationId: string, name: string): string | undefined {
  const parametersAt = (at: number): readonly Parameter[] =>
    operationOf(catalogue.contracts[at] as Contract, operationId)?.parameters ?? [];
  let current = name;
  for (let at = catalogue.steps.length - 1; at >= level; at--) {
    const older = parametersAt(at);
    const renamed = renamedParameterAt(catalogue, at, operationId, current);
    if (renamed !== undefined && older.some((each) => each.name === renamed)) {
      current = renamed;
      continue;
    }
    if (older.some((each) => each.name === current)) continue;
    const link = parametersAt(at + 1).find((each) => each.name === current)?.link;
    const field = link?.role === 'filter' ? link.fields[0] : undefined;
    const place = link && field !== undefined ? fusedPlace(catalogue, at, link.resource, field) : undefined;
    if (place === undefined || !older.some((each) => each.name === place)) return undefined;
    current = place;
  }
  return current;
}

/** The name that a step says a parameter had before it. */
function renamedParameterAt(catalogue: Catalogue, at: number, operationId: string, name: string): string | undefined {
  const operation = operationOf(catalogue.contracts[at + 1] as Contract, operationId);
  for (const edit of catalogue.steps[at]?.operationEdits ?? [])
    if (edit.kind === 'query' && operation && concerns(edit, operation) && edit.names?.[name] !== undefined)
      return edit.names[name];
    else if (edit.kind === 'path' && edit.operation === operationId) {
      const older = Object.keys(edit.parameters).find((each) => edit.parameters[each] === name);
      if (older !== undefined) return older;
    }
  return undefined;
}

function fusedPlace(catalogue: Catalogue, at: number, resource: string, field: string): string | undefined {
  const map = compilePointers(catalogue, { older: at, newer: at + 1 }, resource);
  return map
    .down(`/${field.split('.').join('/')}`)
    ?.slice(1)
    .split('/')
    .join('.');
}

function editsOperation(step: Step, operationId: string, head: Operation): boolean {
  return step.operationEdits.some((edit) => isAbout(edit, operationId, head));
}

function isAbout(edit: OperationEdit, operationId: string, head: Operation): boolean {
  switch (edit.kind) {
    case 'path':
    case 'status':
    case 'method':
    case 'ended':
    case 'event':
    case 'header':
    case 'media-type':
    case 'refusal':
    case 'operation-error':
      return edit.operation === operationId;
    case 'query':
      return concerns(edit, head);
    case 'error-code':
      return head.errors.includes(edit.newer);
  }
}

/** The text of what converts downward: a converter that was mended answers something else. */
function convertersOf(edits: Step['edits']): readonly string[] {
  return [...edits.values()]
    .flat()
    .flatMap((edit) => (edit.kind === 'relate' ? [edit.source ?? String(edit.down)] : []));
}

/** Eight characters that name the form of an answer: the version, every schema it leads to and what converts it. */
function representationOf(
  release: string,
  contract: Contract,
  ref: string | undefined,
  steps: readonly Step[],
): string {
  const schemas =
    ref === undefined ? [] : [...reachable(contract, ref)].sort().map((name) => contract.resources.get(name));
  const shape = ref === undefined ? null : resolveRef(contract.resources, ref);
  return createHash('sha256')
    .update(JSON.stringify([release, ref ?? null, shape, schemas]))
    .update(
      JSON.stringify(
        steps.map(({ name, change, edits, values }) => [
          name,
          change.mended ?? 0,
          convertersOf(edits),
          ...(values.length === 0 ? [] : [values.map(({ down }) => String(down))]),
        ]),
      ),
    )
    .digest('base64url')
    .slice(0, 8);
}
