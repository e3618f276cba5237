import { simulateExchange } from '../../contract/simulation.ts';
import type { Effect } from '../../contract/trace.ts';
import { faultText, requestArguments, requestAt } from '../exchange.ts';
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
    if (operation.body && args[2] === undefined) throw new UsageFault(`simulate: ${operation.id} needs a body.json`);
    const body = operation.body ? readJson(args[2] as string) : undefined;
    const given = options.text('answer');
    const request = { release: release.id, operation, parameters, query, body };
    const answer = given === undefined ? undefined : readJson(given);
    const result = simulateExchange(translator, request, answer);
    if ('faults' in result) {
      const { faults } = result;
      return {
        exitCode: 1,
        json: { release: release.id, operation: operation.id, faults },
        lines: (paint) => [
          paint.bad(`v${release.id} would refuse this with 422:`),
          ...faults.map((fault) => `  ${faultText(fault)}`),
        ],
      };
    }
    const { toCore, requestChanges, fromCore, toClient, responseChanges } = result;
    return {
      exitCode: 0,
      json: result,
      lines: (paint) => [
        paint.title(`${method} ${target} as v${release.id} (${operation.id})`),
        '',
        paint.title('Core receives'),
        ...(toCore.readsFirst ? ['  (after the stored object was read: a change needs it)'] : []),
        `  ${toCore.method} ${toCore.path}${queryOf(toCore.query)}`,
        ...json(toCore.body),
        ...effectLines(requestChanges, paint),
        '',
        paint.title(`Core answers ${fromCore.status}`),
        ...json(fromCore.data),
        '',
        paint.title(`The client gets ${toClient.status}`),
        ...json(toClient.data),
        ...effectLines(responseChanges, paint),
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
