import type { Standing } from '@perennial/schemas/lifecycle.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import type { KeyFormat } from '@perennial/schemas/platform/credentials.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import { parseTraceparent } from '@perennial/schemas/platform/telemetry/trace-context.ts';
import type { Span, Tracing } from '@perennial/schemas/platform/telemetry/tracing.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { Request, RequestHandler, Response } from 'express';
import type { ClientAddress } from './client-address.ts';
import { ClientDisconnect } from './client-disconnect.ts';
import type { KeyBounds } from './credentials/key-store.ts';
import { newRequestId } from './request-id.ts';
import { commonHeaders, type Headers } from './version/headers.ts';

/** What is known about one request. Each middleware fills in its part; the log line is written from it. */
export interface Exchange {
  readonly requestId: string;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  readonly disconnect: ClientDisconnect;
  /** Where the request comes from: the client's address, as far as proxies are trusted to name it (`TRUST_PROXY`). */
  readonly address: string;
  /** The path below the version segment, normalised, and the version segment as the client wrote it. */
  path: string;
  prefix: string;
  /** The query as sent, without the question mark and without a key. */
  search: string;
  /** The API key as sent, dropped as soon as it is verified. */
  credential: SentCredential | undefined;
  /** Set inside `/v2/`, until the version is decided. */
  major: number | undefined;
  /** The version served, once decided. */
  standing: Standing | undefined;
  /** What every answer to this request carries, by what is known so far. */
  headers: Headers;
  caller: Caller | undefined;
  /** What is left of the caller's rate, as headers tell it; once it has been counted. */
  rate: { readonly policy: string; readonly state: string } | undefined;
  pinnedRelease: string | undefined;
  keyFormat: KeyFormat | undefined;
  keyBounds: KeyBounds | undefined;
  /** Of the account, once it is known. */
  tier: string | undefined;
  operation: Operation | undefined;
  plan: Plan | undefined;
  parameters: Readonly<Record<string, string>>;
  /** Patients that core says the exchange was about, for the audit trail. */
  subjects: readonly string[];
  /** Core's Location, in core's own paths. */
  location: string | undefined;
  /** What an operator does on an admin page, for the audit trail. */
  adminAct: AdminAct | undefined;
  /** What the client calls its request, for the log; it names nothing here. */
  readonly clientRequestId: string | undefined;
  /** What is measured of the request, where traces are asked for. */
  readonly span: Span | undefined;
  /** Code of the error answered, if any, and the change that failed, for the log. */
  errorCode: string | undefined;
}

/** What an operator does. */
export interface AdminAct {
  readonly operation: string;
  readonly resourceIds: readonly string[];
  /** Whose trail it belongs in; undefined for the operator's own. */
  readonly accountId?: string;
}

/** What a request calls with. */
export interface SentCredential {
  readonly key: string;
  readonly place: 'header' | 'query';
  /** Of the key, where a session of the portal stands for it. */
  readonly hash?: string;
}

const EXCHANGE = Symbol('exchange');

interface Carrier {
  [EXCHANGE]?: Exchange;
}

/** Called when the answer has ended, or the client has disconnected. */
export type Ended = (exchange: Exchange, request: Request, response: Response) => void;

/**
 * Opens the exchange, and tells those who want to know when it has ended. One listener serves them all.
 * @param common what every answer carries.
 */
export function openExchange(
  clientAddress: ClientAddress,
  ended: readonly Ended[],
  common: Headers = commonHeaders,
  tracing?: Tracing | undefined,
): RequestHandler {
  return (request, response, next) => {
    const url = originForm(request.url);
    const mark = url.indexOf('?');
    const requestId = newRequestId();
    const span = tracing && startRequest(tracing, request, requestId);
    const exchange: Exchange = {
      requestId,
      startedAt: performance.now(),
      disconnect: new ClientDisconnect(),
      address: clientAddress(request),
      path: mark < 0 ? url : url.slice(0, mark),
      prefix: '',
      search: mark < 0 ? '' : url.slice(mark + 1),
      credential: undefined,
      major: undefined,
      standing: undefined,
      headers: common,
      caller: undefined,
      rate: undefined,
      pinnedRelease: undefined,
      keyFormat: undefined,
      keyBounds: undefined,
      tier: undefined,
      operation: undefined,
      plan: undefined,
      parameters: {},
      subjects: [],
      location: undefined,
      adminAct: undefined,
      clientRequestId: clientRequestIdOf(request),
      span,
      errorCode: undefined,
    };
    (response as Carrier)[EXCHANGE] = exchange;
    response.on('close', () => {
      if (!response.writableEnded) exchange.disconnect.abort();
      for (const tell of ended) tell(exchange, request, response);
    });
    if (span) tracing?.within(span, next);
    else next();
  };
}

/** What others may write to a log: no line ends, nothing that a terminal obeys, no more than an identifier needs. */
const CLIENT_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** `X-Request-Id` as the client sent it. Its answer still has an id of ours: a client's may come twice, or be another's. */
function clientRequestIdOf({ headers }: Request): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && CLIENT_REQUEST_ID.test(given) ? given : undefined;
}

function startRequest(tracing: Tracing, { headers, method }: Request, requestId: string): Span {
  const parent = tracing.takesContext ? parseTraceparent(headers['traceparent']) : undefined;
  const attributes = { 'http.request.method': method, 'perennial.request_id': requestId };
  return tracing.start(method, 'server', { parent, attributes });
}

/** The request target as a path: a proxy may send it with scheme and host (RFC 9112, section 3.2.2). */
export function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}

/** The exchange of a response that has passed `openExchange`. */
export function exchangeOf(response: Response): Exchange {
  const exchange = (response as Carrier)[EXCHANGE];
  if (!exchange) throw new Error('exchangeOf: openExchange must be the first middleware');
  return exchange;
}

/** A part that an earlier middleware must have filled in. */
export function known<T>(part: T | undefined, name: string): T {
  if (part === undefined) throw new Error(`the exchange has no ${name} yet: the order of the middleware is wrong`);
  return part;
}
