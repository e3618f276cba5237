import type { Contract } from '@perennial/schemas/contract.ts';
import { isNullable, isObject, type JsonObject, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { createExamples } from '../../contract/examples.ts';
import { type Effect, levelOf, traceDown, traceQuery, traceUp } from '../../contract/trace.ts';
import type { Plan } from '../../engine/plan.ts';
import { faultText, pathOf, requestArguments, requestAt } from '../exchange.ts';
import type { Paint } from '../paint.ts';
import { readJson } from '../project.ts';
import { UsageFault, type Verb } from '../verb.ts';

/** Shows a request and its answer on both sides of the translators. */
export const simulate: Verb = {
  name: 'simulate',
  usage: '--as <date> <METHOD> <path> [<body.json>] [--answer <data.json>]',
  summary: 'What core would receive and what the client would get, and which change did what. Nothing is sent.',
  help: [
    '--as        the version of the client',
    '--answer    `data` of the answer at head; made from the schema and the body when left out',
  ],
  options: { as: { type: 'string' }, answer: { type: 'string' } },
  async run({ args, options, project }) {
    const opened = await project();
    const release = opened.release(options.text('as'), '--as');
    const [method, target] = requestArguments('simulate', args);
    const translator = opened.translator();
    const { operation, parameters, query } = requestAt(translator, release.id, method, target);
    const plan = translator.plan(release.id, operation.id) as Plan;
    if (operation.body && args[2] === undefined) throw new UsageFault(`simulate: ${operation.id} needs a body.json`);
    const body = operation.body ? readJson(args[2] as string) : undefined;
    const validator = translator.validator(release.id);
    const checked = validator.query(operation, query);
    const faults = [...checked.faults, ...(operation.body ? validator.body(operation.body.ref, body) : [])];
    if (faults.length > 0)
      return {
        exitCode: 1,
        json: { release: release.id, operation: operation.id, faults },
        lines: (paint) => [
          paint.bad(`v${release.id} would refuse this with 422:`),
          ...faults.map((fault) => `  ${faultText(fault)}`),
        ],
      };

    const levels = { older: levelOf(translator, release.id), newer: translator.catalogue.steps.length };
    const planned = plan.query(checked.values);
    const headRef = plan.head.response.ref;
    const isEnveloped = headRef !== undefined && plan.head.response.mediaType === undefined;
    const examples = createExamples(opened.head.resources);
    const made = isEnveloped ? examples.of(headRef) : undefined;
    const stored = isObject(made) ? withoutUndefined(made) : undefined;
    const core = coreRequest(plan, body, stored);
    const given = options.text('answer');
    const answer = given === undefined ? answerOf(stored ?? made, core, plan, opened.head) : readJson(given);
    const up = [
      ...traceQuery(translator, levels, operation.id, checked.values),
      ...(operation.body ? traceUp(translator, levels, operation.body.ref, body) : []),
    ];
    const down = isEnveloped
      ? traceDown(translator, levels, headRef, answer, planned.contexts)
      : { data: undefined, effects: [] };
    const client = isEnveloped ? JSON.parse(JSON.stringify(plan.response(answer, planned.contexts))) : undefined;
    const result = {
      release: release.id,
      operation: operation.id,
      toCore: {
        method: core.method,
        path: pathOf(plan.head, parameters),
        query: planned.offset === undefined ? planned.query : { ...planned.query, cursor: `(from ${planned.offset})` },
        ...(core.body === undefined ? {} : { body: core.body }),
        ...(core.readsFirst ? { readsFirst: true } : {}),
      },
      requestChanges: up,
      fromCore: { status: plan.head.response.status, data: answer },
      toClient: { status: plan.status(plan.head.response.status), data: client },
      responseChanges: down.effects,
    };
    return {
      exitCode: 0,
      json: result,
      lines: (paint) => [
        paint.title(`${method} ${target} as v${release.id} (${operation.id})`),
        '',
        paint.title('Core receives'),
        ...(core.readsFirst ? ['  (after the stored object was read: a change needs it)'] : []),
        `  ${core.method} ${result.toCore.path}${queryOf(result.toCore.query)}`,
        ...json(core.body),
        ...effectLines(up, paint),
        '',
        paint.title(`Core answers ${result.fromCore.status}`),
        ...json(answer),
        '',
        paint.title(`The client gets ${result.toClient.status}`),
        ...json(client),
        ...effectLines(down.effects, paint),
      ],
    };
  },
};

/** What changes did, for people. */
export function effectLines(effects: readonly Effect[], paint: Paint): readonly string[] {
  if (effects.length === 0) return [paint.faint('  no change touches it')];
  return effects.flatMap(({ change, sentence, places }) => [
    `  ${paint.warn(change)} ${paint.faint(sentence)}`,
    ...places.map(({ pointer, before, after }) => `    ${pointer || '(whole)'}: ${say(before)} → ${say(after)}`),
  ]);
}

/** A value on one line, cut where it is long. */
export function say(value: unknown): string {
  if (value === undefined) return '(absent)';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

interface CoreRequest {
  readonly method: string;
  readonly body: unknown;
  /** The gateway reads the stored object first. */
  readonly readsFirst: boolean;
}

function coreRequest(plan: Plan, body: unknown, stored: JsonObject | undefined): CoreRequest {
  const { method } = plan.head;
  if (!plan.operation.body) return { method, body: undefined, readsFirst: false };
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

function queryOf(values: Readonly<Record<string, string | number | boolean>>): string {
  const entries = Object.entries(values);
  return entries.length === 0 ? '' : `?${entries.map(([name, value]) => `${name}=${value}`).join('&')}`;
}

function json(value: unknown): readonly string[] {
  if (value === undefined) return [];
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => `  ${line}`);
}
