import { errorOf, NoAnswer, type ServiceError } from './errors.ts';
import { eventsOf, linesOf, type StreamEvent } from './streams.ts';
import { type OperationEntry, operations, type Versions } from './versions.ts';

/** A version of the service that this package knows. */
export type Version = keyof Versions;

/** How the service is reached. */
export interface ClientOptions<V extends Version> {
  /** The version that this client speaks; said once. */
  readonly version: V;
  /** Address of the service, without a path. */
  readonly baseUrl: string;
  readonly key: string;
  /** Who calls: `<name>/<version>`. */
  readonly client?: string;
  /** How often a request is tried again that may be repeated; 3 unless told. */
  readonly retries?: number;
  /** For one try, until its headers; 30 s unless told. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/** The parameters in a path: `/a/{b}` → `{ b: string }`. */
export type PathParameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PathParameters<Rest>
  : unknown;

interface AnyOperation {
  readonly path: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly data: unknown;
}

/** What an operation is asked with. */
export type Ask<O extends AnyOperation> = (string extends O['path']
  ? { readonly path?: Readonly<Record<string, string>> }
  : O['path'] extends `${string}{${string}`
    ? { readonly path: PathParameters<O['path']> }
    : { readonly path?: undefined }) & {
  readonly query?: O['query'];
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
} & (O['body'] extends undefined
    ? { readonly body?: undefined }
    : { readonly body: O['body'] | FormData | Uint8Array<ArrayBuffer> });

/** An answer, with what its headers say. */
export interface Answer<Data> {
  readonly data: Data;
  readonly status: number;
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
  /** What the service says of the end of this version, if it has been announced. */
  readonly deprecation: string | undefined;
  readonly headers: Headers;
}

/** The entries of a page. */
export type ItemOf<Data> = Data extends { items: readonly (infer Item)[] } ? Item : never;

type Table<V extends Version> = Versions[V];
type Asked<V extends Version, Id extends keyof Table<V>> = Table<V>[Id] extends AnyOperation
  ? Ask<Table<V>[Id]>
  : never;
type DataOf<V extends Version, Id extends keyof Table<V>> = Table<V>[Id] extends AnyOperation
  ? Table<V>[Id]['data']
  : never;

/** Calls the service in one version. Members and words that are not known yet are passed on as they come. */
export interface Client<V extends Version> {
  readonly version: V;
  /** @throws {ServiceError} by status. @throws {NoAnswer} */
  call<Id extends keyof Table<V> & string>(id: Id, ask?: Asked<V, Id>): Promise<Answer<DataOf<V, Id>>>;
  /** Every entry of a list, page by page, by cursor or by offset as the version has it. */
  items<Id extends keyof Table<V> & string>(
    id: Id,
    ask?: Asked<V, Id>,
  ): AsyncGenerator<ItemOf<DataOf<V, Id>>, void, undefined>;
  /** Events as they come. Where the connection breaks, it goes on behind the last one. */
  events<Id extends keyof Table<V> & string>(id: Id, ask?: Asked<V, Id>): AsyncGenerator<StreamEvent, void, undefined>;
  /** One JSON document a line. */
  lines<Id extends keyof Table<V> & string>(id: Id, ask?: Asked<V, Id>): AsyncGenerator<DataOf<V, Id>, void, undefined>;
  /** Bytes, such as a file. */
  bytes<Id extends keyof Table<V> & string>(id: Id, ask?: Asked<V, Id>): Promise<Response>;
}

const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const RETRIES = 3;
const TIMEOUT_MS = 30_000;
const WAIT_MS = 300;
const WAIT_MS_MAX = 30_000;

interface Plain {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly body?: unknown;
}

/** A client of one version. */
export function createClient<V extends Version>(options: ClientOptions<V>): Client<V> {
  const { version, baseUrl, key, client, retries = RETRIES, timeoutMs = TIMEOUT_MS } = options;
  const send = options.fetch ?? fetch;
  const table = operations[version] as Readonly<Record<string, OperationEntry>>;

  const once = async (url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> => {
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), timeoutMs);
    try {
      return await send(url, { ...init, signal: signal ? AbortSignal.any([signal, timer.signal]) : timer.signal });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new NoAnswer('no answer came', { cause });
    } finally {
      clearTimeout(timeout);
    }
  };

  const request = async (id: string, ask: Plain = {}): Promise<Response> => {
    const entry = table[id];
    if (!entry) throw new TypeError(`v${version} has no operation ${id}`);
    const url = `${baseUrl.replace(/\/$/, '')}/v${version}${pathOf(entry, ask)}${queryOf(ask.query)}`;
    const headers: Record<string, string> = { authorization: `Bearer ${key}`, ...ask.headers };
    if (client !== undefined) headers['x-service-client'] = client;
    // One key for all tries: however often it is sent, it is carried out once.
    if (entry.keyed && headers['idempotency-key'] === undefined) headers['idempotency-key'] = crypto.randomUUID();
    const init: RequestInit = { method: entry.method, headers, redirect: 'manual' };
    if (ask.body !== undefined) {
      const isRaw = ask.body instanceof FormData || ask.body instanceof Uint8Array;
      if (!isRaw) headers['content-type'] ??= entry.type ?? 'application/json';
      init.body = isRaw ? (ask.body as BodyInit) : JSON.stringify(ask.body);
    }
    const mayRepeat = entry.method !== 'PATCH' || headers['if-match'] !== undefined;
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries || !mayRepeat;
      try {
        const response = await once(url, init, ask.signal);
        if (response.status < 400) return response;
        const failed: ServiceError = errorOf(response.status, await response.text());
        if (isLast || !RETRIED.has(response.status)) throw failed;
        await wait(attempt, response.headers.get('retry-after'), ask.signal);
      } catch (error) {
        if (isLast || !(error instanceof NoAnswer)) throw error;
        await wait(attempt, null, ask.signal);
      }
    }
  };

  const call = async (id: string, ask?: Plain): Promise<Answer<unknown>> => {
    const response = await request(id, ask);
    const text = await response.text();
    const body = text === '' ? undefined : (JSON.parse(text) as { data?: unknown; requestId?: string });
    const { headers, status } = response;
    return {
      data: body?.data,
      status,
      etag: headers.get('etag') ?? undefined,
      requestId: headers.get('x-request-id') ?? body?.requestId,
      deprecation: headers.get('service-api-deprecation') ?? undefined,
      headers,
    };
  };

  async function* items(id: string, ask: Plain = {}): AsyncGenerator<unknown, void, undefined> {
    let query = { ...(ask.query as Record<string, unknown> | undefined) };
    for (;;) {
      const { data } = await call(id, { ...ask, query });
      const page = data as {
        items: unknown[];
        next_cursor?: string | null;
        offset?: number;
        limit?: number;
        total?: number;
      };
      yield* page.items;
      const { next_cursor: cursor, offset, total } = page;
      if (typeof cursor === 'string') query = { ...query, cursor };
      else if (offset !== undefined && page.items.length > 0 && offset + page.items.length < (total ?? 0))
        query = { ...query, offset: offset + page.items.length };
      else return;
    }
  }

  async function* events(id: string, ask: Plain = {}): AsyncGenerator<StreamEvent, void, undefined> {
    let last: string | undefined;
    for (let attempt = 0; ; attempt += 1) {
      const headers = { ...ask.headers, ...(last === undefined ? {} : { 'last-event-id': last }) };
      const response = await request(id, { ...ask, headers: { accept: 'text/event-stream', ...headers } });
      // There is nothing behind the last event.
      if (response.status === 204 || !response.body) return;
      try {
        for await (const each of eventsOf(response.body)) {
          last = each.id ?? last;
          attempt = 0;
          yield each;
        }
        return;
      } catch (error) {
        if (attempt >= retries || ask.signal?.aborted) throw error;
        await wait(attempt, null, ask.signal);
      }
    }
  }

  async function* lines(id: string, ask: Plain = {}): AsyncGenerator<unknown, void, undefined> {
    const response = await request(id, { ...ask, headers: { accept: 'application/x-ndjson', ...ask.headers } });
    if (!response.body) return;
    for await (const line of linesOf(response.body)) if (line !== '') yield JSON.parse(line);
  }

  return { version, call, items, events, lines, bytes: request } as unknown as Client<V>;
}

function pathOf({ path }: OperationEntry, { path: values = {} }: Plain): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined || value === '') throw new TypeError(`the path needs ${name}`);
    return encodeURIComponent(value);
  });
}

function queryOf(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== null) search.append(name, String(each));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** As long as the service asks for, or longer each time, with chance in it so that clients do not come back together. */
async function wait(attempt: number, retryAfter: string | null, signal: AbortSignal | undefined): Promise<void> {
  const asked = Number(retryAfter) * 1000;
  const ms = asked > 0 ? asked : WAIT_MS * 2 ** attempt * (0.5 + Math.random());
  await new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, WAIT_MS_MAX)));
  signal?.throwIfAborted();
}
