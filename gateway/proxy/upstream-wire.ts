import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { isObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Contexts } from '@perennial/translators/engine/evaluate.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { Request, Response } from 'express';
import { failedAnswer } from '../answer-fault.ts';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { CoreHeaders } from '../forward/answer.ts';
import type { CoreAnswer } from '../forward/core-client.ts';
import type { Wire } from '../forward/wire.ts';
import { commonHeadersOf, type RawHeaders, sendWhole } from '../respond.ts';
import type { AddressAt } from '../routing.ts';

/** What the way to a service that is not ours works with. */
export interface UpstreamWireOptions {
  readonly translator: Translator;
  /** References of what each operation answers, by status; see `contract-in.ts`. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The service's address: what it says of itself is said of this proxy. */
  readonly upstream: URL;
  readonly addressAt: AddressAt;
}

/** For one connection only (RFC 9110, section 7.6.1), and never for the service behind. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Told anew here, or of no concern to a service that has one version. */
const OWN_REQUEST = new Set(['host', 'content-length', 'expect', 'service-version', 'x-service-version', 'forwarded']);
/** Set where the answer's body and its form are known. */
const OWN_ANSWER = new Set(['content-length', 'content-encoding', 'content-type', 'etag']);
/** The service's stand beside those of the version. */
const SEVERAL = new Set(['vary', 'link']);
/** Digests and parts of a body that is another one after translation. */
const OF_THE_BYTES = ['content-md5', 'digest', 'content-digest', 'repr-digest', 'accept-ranges'];
const ADDRESSES = new Set(['location', 'content-location']);

/** How a service is spoken to that knows nothing of versions: all of its headers, its own bodies, its own tags. */
export function createUpstreamWire(options: UpstreamWireOptions): Wire {
  return {
    requestHeaders,
    // Whatever it answers is meant for the client.
    check: () => undefined,
    isWhole: (_operation, headers) => isJson(headers['content-type']),
    answerHeaders: (exchange, headers, type) => answerHeaders(options, exchange, headers, type),
    tagAt,
    isUnchanged,
    holds: (ifMatch, tag) => ifMatch === undefined || tag === undefined || names(ifMatch, tag),
    priorHeaders(headers) {
      const { 'if-match': _match, 'content-type': _type, 'idempotency-key': _key, ...rest } = headers;
      return { ...rest, accept: 'application/json' };
    },
    prior(answer) {
      const value = parsed(answer);
      if (!isObject(value)) throw new Fault('core_failed', { cause: new Error('the stored object is no object') });
      const { etag } = answer.headers;
      return { value, etag: typeof etag === 'string' ? etag : undefined };
    },
    sendEmpty(response, exchange, status, tag, headers) {
      const raw = answerHeaders(options, exchange, headers);
      if (tag !== undefined) raw.push('etag', tag);
      sendWhole(response, status, raw, undefined);
    },
    send: (...answered) => send(options, ...answered),
  };
}

function requestHeaders(request: Request, exchange: Exchange, without: readonly string[] = []): Record<string, string> {
  const headers: Record<string, string> = { 'x-request-id': exchange.requestId };
  const dropped = new Set([...without, ...listed(request.headers.connection)]);
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name === 'x-request-id') continue;
    if (HOP_BY_HOP.has(name) || OWN_REQUEST.has(name) || dropped.has(name)) continue;
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  if (headers['if-match'] !== undefined) headers['if-match'] = upstreamTags(headers['if-match']);
  headers['x-forwarded-for'] = exchange.address;
  if (request.headers.host !== undefined) headers['x-forwarded-host'] = request.headers.host;
  return headers;
}

function listed(header: string | undefined): readonly string[] {
  return (header ?? '').split(',').map((name) => name.trim().toLowerCase());
}

function answerHeaders(
  options: UpstreamWireOptions,
  exchange: Exchange,
  headers: CoreHeaders,
  type: string | string[] | undefined = headers['content-type'],
): RawHeaders {
  const raw = commonHeadersOf(exchange);
  const dropped = new Set(listed(asText(headers['connection'])));
  if (type !== undefined) raw.push('content-type', type);
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || HOP_BY_HOP.has(name) || OWN_ANSWER.has(name) || dropped.has(name)) continue;
    // What the version says of itself stands already.
    if ((exchange.headers[name] !== undefined && !SEVERAL.has(name)) || name === 'x-request-id') continue;
    for (const each of Array.isArray(value) ? value : [value])
      raw.push(name, ADDRESSES.has(name) ? addressOf(options, exchange, each) : each);
  }
  return raw;
}

function asText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/** An address of the service below the client's own version segment. */
function addressOf({ upstream, addressAt }: UpstreamWireOptions, { prefix, plan }: Exchange, address: string): string {
  if (!address.startsWith('/') && !address.startsWith(`${upstream.origin}/`)) return address;
  const path = address.startsWith('/') ? address : address.slice(upstream.origin.length);
  const base = upstream.pathname.replace(/\/$/, '');
  const below = path.startsWith(`${base}/`) ? path.slice(base.length) : path;
  return `${prefix}${plan ? addressAt(plan.release, below) : below}`;
}

/** A tag with the version's representation at its end: the same state is another text in every version. */
function tagAt(plan: Plan, tag: string | string[] | undefined): string | undefined {
  if (typeof tag !== 'string' || !tag.endsWith('"')) return undefined;
  return plan.touchesResponse ? `${tag.slice(0, -1)}~${plan.representation}"` : tag;
}

/** Tags as the service gave them, whatever version the client read them in. */
function upstreamTags(header: string): string {
  return header.replace(/~[\w-]{8}"/g, '"');
}

function isUnchanged(request: Request, status: number, tag: string | undefined): boolean {
  const condition = request.headers['if-none-match'];
  if (condition === undefined || tag === undefined || status !== 200) return false;
  return (request.method === 'GET' || request.method === 'HEAD') && names(condition, tag);
}

function names(header: string, tag: string): boolean {
  const weak = (each: string): string => each.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((each) => weak(each) === weak(tag));
}

function isJson(type: string | string[] | undefined): boolean {
  return typeof type === 'string' && /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);
}

function parsed({ body }: CoreAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // The parser's message quotes the text: it is not kept.
    throw new Fault('core_failed', { cause: new Error('the answer is not JSON') });
  }
}

/** Sends an answer of the service in the client's version. */
function send(
  options: UpstreamWireOptions,
  request: Request,
  response: Response,
  plan: Plan,
  answer: CoreAnswer,
  contexts: Contexts | undefined,
): void {
  const { translator, answers } = options;
  const exchange = exchangeOf(response);
  const { headers } = answer;
  const isSuccess = answer.status < 300;
  const status = isSuccess ? plan.status(answer.status) : answer.status;
  const ref = refOf(answers.get(plan.head.id), answer.status);
  const isKnown = ref !== undefined && isJson(headers['content-type']) && answer.body.length > 0;
  const tag = isSuccess ? tagAt(plan, headers['etag']) : asText(headers['etag']);
  const unchanged = isUnchanged(request, answer.status, tag);
  if (answer.status === 204 || answer.status === 304 || unchanged) {
    const raw = answerHeaders(options, exchange, headers);
    if (tag !== undefined) raw.push('etag', tag);
    sendWhole(response, unchanged ? 304 : status, raw, undefined);
    return;
  }
  let bytes = answer.body;
  let left = headers;
  if (isKnown) {
    const data = parsed(answer);
    let older: unknown;
    try {
      const isMain = ref === plan.head.response.ref && isSuccess;
      older = isMain
        ? plan.response(data, contexts)
        : translator.document(ref, translator.headRelease, plan.release, data);
    } catch (error) {
      throw failedAnswer(error, request, data);
    }
    bytes = Buffer.from(JSON.stringify(older), 'utf8');
    left = Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_BYTES.includes(name)));
  }
  const raw = answerHeaders(options, exchange, left);
  if (tag !== undefined) raw.push('etag', tag);
  raw.push('content-length', String(bytes.length));
  sendWhole(response, status, raw, request.method === 'HEAD' ? undefined : bytes);
}

function refOf(answers: ReadonlyMap<string, string> | undefined, status: number): string | undefined {
  const text = String(status);
  return answers?.get(text) ?? answers?.get(`${text[0]}XX`) ?? answers?.get('default');
}
