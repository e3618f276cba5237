import { isObject } from '@perennial/schemas/platform/json-schema.ts';
import { pathOf } from '../../contract/simulation.ts';
import { type Effect, levelOf, type PlaceDifference, placesThatDiffer, traceDown } from '../../contract/trace.ts';
import type { Translator } from '../../engine/translator.ts';
import { type NamedRequest, requestArguments, requestAt } from '../exchange.ts';
import { readJson } from '../project.ts';
import { Refused, UsageFault, type Verb } from '../verb.ts';
import { say } from './simulate.ts';

/** A place that differs, and what made it so. */
interface Compared extends PlaceDifference {
  /** Empty when no change explains it: the data itself differs. */
  readonly changes: readonly string[];
}

/** Compares one request at two versions. */
export const compare: Verb = {
  name: 'compare',
  usage: '<date> <date> <METHOD> <path> --gateway <url> --key-env <NAME> | --recorded <file>',
  summary: 'The same request at two versions side by side; each place that differs names the change that makes it.',
  help: [
    'The path is the older version’s, without a version segment. Only GET is sent to a gateway: both are real requests.',
    '--gateway     address of a running gateway',
    '--key-env     environment variable that holds the API key',
    '--recorded    file with an answer at head instead: its `data`, or an envelope around it',
  ],
  options: { gateway: { type: 'string' }, 'key-env': { type: 'string' }, recorded: { type: 'string' } },
  async run({ args, options, project }) {
    const opened = await project();
    const [from, to] = [opened.release(args[0], 'compare <date> …'), opened.release(args[1], 'compare … <date>')].sort(
      (a, b) => (a.id < b.id ? -1 : 1),
    ) as [ReturnType<typeof opened.release>, ReturnType<typeof opened.release>];
    const [method, target] = requestArguments('compare', args.slice(2));
    const translator = opened.translator();
    const request = requestAt(translator, from.id, method, target);
    const { operation } = request;
    const { ref, mediaType } = operation.response;
    if (ref === undefined || mediaType !== undefined)
      throw new Refused(`compare: ${operation.id} answers no JSON envelope to compare`);
    const { contexts } = plannedQuery(translator, from.id, request);
    const levels = { older: levelOf(translator, from.id), newer: levelOf(translator, to.id) };
    const recorded = options.text('recorded');
    const gateway = options.text('gateway');
    let older: unknown;
    let newer: unknown;
    if (recorded !== undefined) {
      const file = readJson(recorded);
      const data = isObject(file) && isObject(file['meta']) && file['data'] !== undefined ? file['data'] : file;
      const headLevel = translator.catalogue.steps.length;
      newer = traceDown(translator, { older: levels.newer, newer: headLevel }, ref, data, contexts).data;
      older = traceDown(translator, levels, ref, newer, contexts).data;
    } else if (gateway !== undefined) {
      if (method !== 'GET') throw new UsageFault('compare: only GET is sent to a gateway');
      const key = keyOf(options.text('key-env'));
      const newerOperation = translator.contract(to.id).operations.find(({ id }) => id === operation.id);
      if (!newerOperation) throw new Refused(`compare: v${to.id} has no ${operation.id}`);
      const search = target.includes('?') ? target.slice(target.indexOf('?')) : '';
      const at = (day: string, path: string): string => {
        const isPreview = opened.release(day, 'release').released === undefined;
        return `${gateway.replace(/\/$/, '')}/${isPreview ? `preview/${day}` : `v${day}`}${path}${search}`;
      };
      [older, newer] = await Promise.all([
        fetchData(at(from.id, pathOf(operation, request.parameters)), key),
        fetchData(at(to.id, pathOf(newerOperation, request.parameters)), key),
      ]);
    } else throw new UsageFault('compare: give --gateway <url> with --key-env <NAME>, or --recorded <file>');

    const { effects } = traceDown(translator, levels, ref, newer, contexts);
    const places = placesThatDiffer(older, newer).map((place) => ({
      ...place,
      changes: changesAt(place.pointer, effects),
    }));
    const unexplained = places.filter(({ changes }) => changes.length === 0);
    return {
      exitCode: unexplained.length > 0 ? 1 : 0,
      json: { from: from.id, to: to.id, operation: operation.id, older, newer, places },
      lines: (paint) => [
        paint.title(`${method} ${target}: v${from.id} beside v${to.id}`),
        ...sideBySide(places).map(([pointer, left, right, changes]) =>
          changes.length > 0
            ? `  ${pointer}  ${left} │ ${right}  ${paint.warn(changes.join(', '))}`
            : `  ${pointer}  ${left} │ ${right}  ${paint.bad('no change explains this')}`,
        ),
        places.length === 0
          ? paint.good('  both versions answer the same')
          : `  ${places.length} place${places.length === 1 ? '' : 's'} differ, ${unexplained.length} unexplained`,
      ],
    };
  },
};

function plannedQuery(
  translator: Translator,
  release: string,
  request: NamedRequest,
): { contexts: Effects['contexts'] } {
  const plan = translator.plan(release, request.operation.id);
  const { faults, values } = translator.validator(release).query(request.operation, request.query);
  const [fault] = faults;
  if (fault) throw new UsageFault(`compare: ${fault.parameter}: ${fault.message} (v${release})`);
  return { contexts: plan?.query(values).contexts };
}

interface Effects {
  readonly contexts: Parameters<typeof traceDown>[4];
}

/** The changes that touched a place, something in it, or something it lies in. */
function changesAt(pointer: string, effects: readonly Effect[]): readonly string[] {
  return effects
    .filter(({ places }) =>
      places.some(
        (place) =>
          place.pointer === pointer ||
          place.pointer.startsWith(`${pointer}/`) ||
          pointer.startsWith(`${place.pointer}/`),
      ),
    )
    .map(({ change }) => change)
    .reverse();
}

function sideBySide(places: readonly Compared[]): readonly (readonly [string, string, string, readonly string[]])[] {
  const rows = places.map(
    ({ pointer, before, after, changes }) => [pointer || '(whole)', say(before), say(after), changes] as const,
  );
  const width = (index: 0 | 1 | 2): number => Math.max(0, ...rows.map((row) => row[index].length));
  return rows.map(
    ([pointer, left, right, changes]) =>
      [pointer.padEnd(width(0)), left.padEnd(width(1)), right.padEnd(width(2)), changes] as const,
  );
}

function keyOf(name: string | undefined): string {
  if (name === undefined)
    throw new UsageFault('compare: --key-env names the environment variable that holds the API key');
  const key = process.env[name];
  if (key === undefined || key === '') throw new UsageFault(`--key-env: the environment has no ${name}`);
  return key;
}

async function fetchData(url: string, key: string): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(30_000) });
  } catch (error) {
    const { cause } = error as Error & { cause?: NodeJS.ErrnoException };
    throw new UsageFault(`${url}: no answer (${cause?.code ?? (error as Error).name})`);
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (!isObject(body) || response.status >= 400) {
    const failure = isObject(body) && isObject(body['error']) ? ` ${String(body['error']['code'])}` : '';
    throw new Refused(`${url}: answered ${response.status}${failure}`);
  }
  return body['data'];
}
