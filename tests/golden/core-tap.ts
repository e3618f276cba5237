import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { newestFirst } from '@perennial/schemas/lifecycle.ts';
import type { AccountId, KeyId } from '@perennial/schemas/platform/ids.ts';
import { RequestSigner } from '@perennial/schemas/platform/internal-token.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { type Dispatcher, request as requestOf } from 'undici';
import { TEST_SECRET } from '../support/secret.ts';
import type { CoreRecording } from './exchange.ts';

/**
 * Stands between gateway and core. While it is frozen, what core said before to the same request is said again;
 * otherwise everything goes on to core.
 */
export interface CoreTap {
  readonly url: string;
  /** Where requests go on to. */
  coreUrl: string;
  /** Recordings that are given again; undefined lets everything through. */
  frozen: CoreRecording[] | undefined;
  /** Whether core may be asked for what is not among the recordings yet. */
  readonly records: boolean;
  /** What core calls the records that have other names in the recordings. */
  readonly realIds: Map<string, string>;
  stop(): Promise<void>;
}

/** Starts one on a free port. */
export async function startCoreTap(records: boolean): Promise<CoreTap> {
  const server = createServer((request, response) => {
    answer(tap, request).then(
      ({ status, headers, bytes }) => {
        response.writeHead(status, headers);
        response.end(bytes);
      },
      (error: Error) => {
        response.writeHead(500, { 'content-type': 'text/plain' });
        response.end(error.message);
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tap: CoreTap = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    coreUrl: '',
    frozen: undefined,
    records,
    realIds: new Map(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return tap;
}

interface TapAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly bytes: Buffer;
}

async function answer(tap: CoreTap, request: IncomingMessage): Promise<TapAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const { method = '', url = '' } = request;
  const forward = async (path: string, body: Buffer): Promise<TapAnswer> => {
    const { host: _host, connection: _connection, 'accept-encoding': _encoding, ...headers } = request.headers;
    const { 'content-length': _length, 'transfer-encoding': _chunked, authorization = '', ...rest } = headers;
    // A token is for one path.
    const signed = path === url ? authorization : signedAnew(authorization, method, path);
    const sent = { ...(rest as Record<string, string>), authorization: signed };
    const reply = await requestOf(`${tap.coreUrl}${path}`, {
      method: method as Dispatcher.HttpMethod,
      headers: sent,
      ...(body.length > 0 ? { body } : {}),
    });
    const { 'transfer-encoding': _transfer, connection: _, 'keep-alive': _keep, ...passed } = reply.headers;
    const bytes = Buffer.from(await reply.body.arrayBuffer());
    return { status: reply.statusCode, headers: passed as Record<string, string>, bytes };
  };
  if (!tap.frozen) return forward(url, bytes);

  const asked = {
    method,
    path: withoutViews(url),
    ...(bytes.length > 0 ? { body: parsed(bytes.toString('utf8')) } : {}),
  };
  let found = tap.frozen.find((each) => isDeepStrictEqual(each.request, asked));
  if (!found) {
    if (!tap.records) throw new Error('core was asked what it was not asked when this was recorded');
    const real = (text: string): string => text.replace(RECORD_ID, (id) => tap.realIds.get(id) ?? id);
    const reply = await forward(real(url), Buffer.from(real(bytes.toString('utf8'))));
    found = { request: asked, answer: settled(tap, reply) };
    tap.frozen.push(found);
  }
  const { status, headers, body } = found.answer;
  const isEvents = typeof body === 'string';
  return {
    status,
    headers: {
      ...headers,
      'content-type': isEvents ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8',
    },
    bytes: Buffer.from(isEvents ? body : JSON.stringify(asOfNow(body, request.headers['x-request-id']))),
  };
}

/** A recorded envelope as core would write it now: to this request, and as the newest release. */
function asOfNow(body: JsonObject, requestId: string | string[] | undefined): JsonObject {
  const meta = body['meta'] as JsonObject;
  return { ...body, requestId, meta: { ...meta, version: newestFirst(history)[0]?.semver } };
}

const signer = new RequestSigner(TEST_SECRET);

/** The token of the same caller for another path. */
function signedAnew(authorization: string, method: string, path: string): string {
  const facts = authorization.replace(/^Bearer /, '').split('.')[0] ?? '';
  const [accountId, keyId, scopes] = JSON.parse(Buffer.from(facts, 'base64url').toString('utf8')) as [
    AccountId,
    KeyId,
    string[],
  ];
  return `Bearer ${signer.sign({ accountId, keyId, scopes }, method, path, undefined)}`;
}

/** Parameters that say what a version can see: of what is recorded, every version can see everything. */
const views = new Set(
  head.operations.flatMap(({ parameters }) => parameters.filter(({ isView }) => isView).map(({ name }) => name)),
);

function withoutViews(url: string): string {
  const mark = url.indexOf('?');
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  if (![...query.keys()].some((name) => views.has(name))) return url;
  for (const name of views) query.delete(name);
  return query.size === 0 ? url.slice(0, mark) : `${url.slice(0, mark)}?${query}`;
}

const RECORD_ID = /\b(diag|key)_[0-9A-Za-z]{20}\b/g;
/** Of an event of a stream. */
const SIGNATURE = /(?<=\bdiag_\d{20})\.[\w-]{22}\./g;
const INSTANT = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g;
const SETTLED_INSTANT = '2023-11-01T00:00:00.000Z';
/** Longer than a recording takes. */
const RUN_MS = 3_600_000;

/** The same for every recording of the same answer: ids, times and durations stand still. */
function settled(tap: CoreTap, { status, headers, bytes }: TapAnswer): CoreRecording['answer'] {
  const text = bytes.toString('utf8');
  const named = new Map([...tap.realIds].map(([settledId, realId]) => [realId, settledId]));
  const kept = (['etag', 'location'] as const).flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const body = String(headers['content-type']).startsWith('text/event-stream')
    ? text
    : {
        ...(parsed(text) as JsonObject),
        requestId: '',
        timestamp: SETTLED_INSTANT,
        meta: { ...((parsed(text) as JsonObject)['meta'] as JsonObject), processingTimeMs: 0 },
      };
  const answer = { status, ...(kept.length > 0 ? { headers: Object.fromEntries(kept) } : {}), body };
  const taken = new Set(JSON.stringify(tap.frozen).match(RECORD_ID));
  return JSON.parse(
    JSON.stringify(answer)
      .replace(RECORD_ID, (id, prefix: string) => {
        if (tap.realIds.has(id) || NONE.test(id)) return id;
        let name = named.get(id);
        if (!name) {
          name = `${prefix}_${String(taken.size + 1).padStart(20, '0')}`;
          taken.add(name);
          named.set(id, name);
          tap.realIds.set(name, id);
        }
        return name;
      })
      .replace(SIGNATURE, `.${'0'.repeat(22)}.`)
      .replace(INSTANT, (instant) => (Date.now() - Date.parse(instant) < RUN_MS ? SETTLED_INSTANT : instant)),
  ) as CoreRecording['answer'];
}

/** Of what requests name that there is not. */
const NONE = /_0+$/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
