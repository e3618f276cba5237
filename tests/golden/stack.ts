import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoData } from '@perennial/prisma/demo/patients.ts';
import { DEMO_ACCOUNT_ID } from '@perennial/prisma/seed.ts';
import { type History, history } from '@perennial/schemas/history.ts';
import { currentOf, newestFirst, standings } from '@perennial/schemas/lifecycle.ts';
import { addDays } from '@perennial/schemas/platform/calendar.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { type SeededDatabase, seededDatabase } from '../support/database.ts';
import { type Answer, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { bodyOf } from './body.ts';
import { type CoreTap, startCoreTap } from './core-tap.ts';
import { goldenDir, readRelease } from './differences.ts';
import type { CoreRecording, GoldenExchange, GoldenFile, GoldenRequest, WrittenRelease } from './exchange.ts';
import { failedDelivery, makeFailedDelivery } from './failed-delivery.ts';
import { contractHeaders, lifecycleHeaders, normaliseBody, normaliseHeaders, type Run } from './normalise.ts';
import { operationRequests } from './requests/index.ts';
import { type Raise, raiseTo } from './requests/raise.ts';
import { type OperationRequests, wordsOf } from './requests/words.ts';

/** The real gateway and the real core before a freshly seeded database, on a day on which the release can be called. */
export interface Stack {
  readonly release: string;
  readonly serviceDate: string;
  /** What depends on the calendar, where it was recorded. */
  readonly recorded: WrittenRelease | undefined;
  /** The release that is Current on the day. */
  readonly current: string;
  /** Whether the release is called under `/preview`. */
  readonly isPreview: boolean;
  readonly raise: Raise;
  readonly gateway: TestGateway;
  readonly tap: CoreTap;
  readonly database: SeededDatabase;
  readonly run: Run;
  /** Ends the work on jobs: they stay queued from then on. */
  stopJobs(): Promise<void>;
  stop(): Promise<void>;
}

/** @param records whether answers of core that follow from knowledge are taken from core or from the recordings. */
export async function startStack(release: string, translator: Translator, records: boolean): Promise<Stack> {
  const startedAt = new Date();
  const database = await seededDatabase();
  await makeFailedDelivery(database.db, startedAt);
  const core: TestCore = await startCore(database.url);
  const tap = await startCoreTap(records);
  tap.coreUrl = core.url;
  const known = records ? undefined : await readRelease(release);
  const serviceDate = known?.serviceDate ?? dayFor(history, release);
  const standing = standings(history, serviceDate);
  const isPreview = standing.some((each) => each.release.id === release && each.state === 'preview');
  const { semver } = newestFirst(history).find(({ id }) => id === release) as { semver: string };
  const gateway = await startTestGateway(tap.url, database.url, { translator, config: { serviceDate } });
  const { patients, records: seededRecords } = demoData(DEMO_ACCOUNT_ID);
  const seeded = new Set([...[...patients, ...seededRecords].map(({ id }) => id), ...Object.values(failedDelivery)]);
  return {
    release,
    serviceDate,
    recorded: known,
    // Of a release of which nothing is recorded, and of a preview, Current is itself, as it was for the one before it.
    current: known?.current ?? (records && !isPreview ? (currentOf(standing)?.id ?? '') : release),
    isPreview,
    raise: raiseTo(translator, history, releases, wordsOf(release).release, release),
    gateway,
    tap,
    database,
    run: { release, semver, startedAt, seeded, made: [] },
    stopJobs: () => core.services.jobWorker.stop(),
    async stop() {
      await gateway.stop();
      await tap.stop();
      await core.stop();
      await database.close();
    },
  };
}

/**
 * The last day on which the release can be called, so that its deprecation is told; else the history's own day, or the
 * first on which it can be called where that lies later.
 */
function dayFor({ releases: dates, today }: History, release: string): string {
  const { sunset, released, previewFrom } = dates.find(({ id }) => id === release) ?? {};
  if (sunset !== undefined) return addDays(sunset, -1);
  const first = released ?? previewFrom ?? today;
  return today === 'system' || first > today ? first : today;
}

/** Sends the requests of one operation and gives what came back. */
export async function exchangesOf(
  stack: Stack,
  operation: OperationRequests,
  recordings: CoreRecording[],
): Promise<GoldenFile> {
  const words = wordsOf(stack.release);
  stack.run.made.length = 0;
  stack.tap.frozen = operation.frozenCore ? recordings : undefined;
  if (operation.withoutJobs) await stack.stopJobs();
  const filled: Record<string, string> = {
    patient: stack.database.demo.patientId,
    current: stack.current,
    created: '',
    etag: '',
    cursor: '',
  };
  const exchanges: GoldenExchange[] = [];
  for (const each of operation.requests(words)) exchanges.push(await exchange(stack, each, filled));
  const headers = usualHeaders(exchanges, contractHeaders);
  return {
    operation: operation.operation,
    headers,
    exchanges: exchanges.map((each) => ({
      ...each,
      response: {
        ...each.response,
        headers: {
          ...among(each.response.headers, lifecycleHeaders),
          ...unusual(each.response.headers, headers, contractHeaders),
        },
      },
    })),
  };
}

async function exchange(stack: Stack, golden: GoldenRequest, filled: Record<string, string>): Promise<GoldenExchange> {
  const { demo } = stack.database;
  const fill = (text: string): string =>
    text.replace(/\{([a-z]+)\}/g, (_, place: string) => {
      const value = filled[place];
      if (!value) throw new Error(`${name}: no answer before gave {${place}}`);
      return value;
    });
  const { name, request } = raised(stack, golden, filled, fill);
  let path = fill(request.path);
  const own = `/${stack.isPreview ? 'preview/' : 'v'}${stack.release}`;
  if (!path.startsWith('/v2')) path = `${own}${path}`;
  else if (path.startsWith(`/v${stack.release}/`)) path = path.replace(`/v${stack.release}`, own);
  if (request.key === 'query') path += `${path.includes('?') ? '&' : '?'}api_key=${demo.apiKey}`;
  const key = request.key === 'legacy' ? demo.legacyApiKey : request.key === undefined ? demo.apiKey : undefined;
  const headers = Object.entries(request.headers ?? {}).map(([header, value]) => [header, fill(value)] as const);
  const body = request.bytes === undefined ? filledBody(request.body, fill) : Buffer.from(request.bytes, 'base64');
  const ask = (): Promise<Answer> =>
    stack.gateway.send(request.method, path, { key, headers: Object.fromEntries(headers), body });
  let answer = await ask();
  for (let asked = 1; asked < ASKED_MAX && isUnfinished(request, answer); asked += 1) {
    await sleep(25);
    answer = await ask();
  }
  // Such as a core that had no time: not what this version promises, and never to be recorded as such.
  if (answer.status >= 500) throw new Error(`${name}: the service failed with ${answer.status}`);
  const data = answer.data as { id?: unknown; next_cursor?: unknown } | undefined;
  if (answer.status === 201 && typeof data?.id === 'string') filled['created'] = data.id;
  if (typeof data?.next_cursor === 'string') filled['cursor'] = data.next_cursor;
  if (typeof answer.headers.etag === 'string') filled['etag'] = answer.headers.etag;
  for (const [place, way] of Object.entries(request.gives ?? {})) {
    const value = way.split('/').reduce<unknown>((at, step) => (at as JsonObject | undefined)?.[step], data);
    if (typeof value === 'string') filled[place] = value;
  }
  return {
    name,
    request,
    response: {
      status: answer.status,
      headers: normaliseHeaders(answer.headers, stack.run),
      ...(answer.bytes.length === 0 ? {} : { body: normaliseBody(bodyOf(answer), stack.run) }),
    },
  };
}

/**
 * The request in the words of the release that is called, as it is written down: places that were filled so that it
 * could be raised are places again.
 */
function raised(
  { raise }: Stack,
  golden: GoldenRequest,
  filled: Readonly<Record<string, string>>,
  fill: (text: string) => string,
): { readonly name: string; readonly request: Omit<GoldenRequest, 'name'> } {
  const { name, ...request } = golden;
  const before: GoldenRequest = { ...golden, path: fill(golden.path), body: filledBody(golden.body, fill) };
  const after = raise(before);
  if (JSON.stringify(after) === JSON.stringify(before)) return { name, request };
  let text = JSON.stringify({ method: after.method, path: after.path, body: after.body });
  for (const [place, value] of Object.entries(filled)) if (value !== '') text = text.replaceAll(value, `{${place}}`);
  return { name, request: { ...request, ...(JSON.parse(text) as Pick<GoldenRequest, 'method' | 'path' | 'body'>) } };
}

/** How often what is done in the background is asked for; what it is then is compared like the rest. */
const ASKED_MAX = 400;

function isUnfinished({ until }: Omit<GoldenRequest, 'name'>, { status, data }: Answer): boolean {
  return until !== undefined && status === 200 && data['state'] !== until;
}

/** A body with its places filled, in texts however deep. */
function filledBody(body: unknown, fill: (text: string) => string): unknown {
  if (typeof body === 'string') return fill(body);
  if (Array.isArray(body)) return body.map((each) => filledBody(each, fill));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, filledBody(value, fill)]));
}

/** Each header with the value that most answers have. */
function usualHeaders(exchanges: readonly GoldenExchange[], names: readonly string[]): Record<string, string> {
  const usual: Record<string, string> = {};
  for (const name of names) {
    const values = exchanges.map(({ response }) => response.headers[name]);
    const most = values.find((value) => values.filter((each) => each === value).length * 2 > values.length);
    if (typeof most === 'string') usual[name] = most;
  }
  return usual;
}

/** What most answers say of the version and how long it will be there. */
export function lifecycleOf(files: readonly GoldenFile[]): Readonly<Record<string, string>> {
  return usualHeaders(
    files.flatMap(({ exchanges }) => exchanges),
    lifecycleHeaders,
  );
}

/** The file without what all answers of its release say. */
export function withoutLifecycle(file: GoldenFile, usual: Readonly<Record<string, string>>): GoldenFile {
  const exchanges = file.exchanges.map(({ response, ...each }) => ({
    ...each,
    response: {
      ...response,
      headers: { ...unusual(response.headers, usual, lifecycleHeaders), ...among(response.headers, contractHeaders) },
    },
  }));
  return { ...file, exchanges };
}

/** What an answer has beside or in place of the usual headers; null for one that it lacks. */
function unusual(
  headers: Readonly<Record<string, string | null>>,
  usual: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string | null> {
  const differing = names.filter((name) => headers[name] !== usual[name]);
  return Object.fromEntries(differing.map((name) => [name, headers[name] ?? null]));
}

function among(
  headers: Readonly<Record<string, string | null>>,
  names: readonly string[],
): Record<string, string | null> {
  return Object.fromEntries(
    names.filter((name) => name in headers).map((name) => [name, headers[name] as string | null]),
  );
}

export function coreFileOf(operation: string): string {
  return join(goldenDir, 'core', `${operation}.json`);
}

/** Every operation of every release that has no requests in `requests/`: `release operation`. */
export function missingRequests(translator: Translator): readonly string[] {
  const known = new Set(operationRequests.map(({ operation }) => operation));
  return translator.catalogue.releases.flatMap(({ id }) =>
    translator
      .contract(id)
      .operations.filter((operation) => !known.has(operation.id))
      .map((operation) => `${id} ${operation.id}`),
  );
}

/** The operations with requests that a release has, in the order in which they are sent. */
export function operationsAt(translator: Translator, release: string): readonly OperationRequests[] {
  const has = new Set(translator.contract(release).operations.map(({ id }) => id));
  return operationRequests.filter(({ operation }) => has.has(operation));
}
