import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@perennial/schemas/json-schema.ts';
import { type Dispatcher, request as requestOf } from 'undici';
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
  stop(): Promise<void>;
}

/** Starts one on a free port. */
export async function startCoreTap(records: boolean): Promise<CoreTap> {
  const server = createServer((request, response) => {
    answer(tap, request).then(
      ({ status, headers, text }) => {
        response.writeHead(status, headers);
        response.end(text);
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
  readonly text: string;
}

async function answer(tap: CoreTap, request: IncomingMessage): Promise<TapAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const { method = '', url = '' } = request;
  const forward = async (): Promise<TapAnswer> => {
    const { host: _host, connection: _connection, 'accept-encoding': _encoding, ...headers } = request.headers;
    const reply = await requestOf(`${tap.coreUrl}${url}`, {
      method: method as Dispatcher.HttpMethod,
      headers: headers as Record<string, string>,
      ...(bytes.length > 0 ? { body: bytes } : {}),
    });
    const { 'transfer-encoding': _transfer, connection: _, 'keep-alive': _keep, ...passed } = reply.headers;
    return { status: reply.statusCode, headers: passed as Record<string, string>, text: await reply.body.text() };
  };
  if (!tap.frozen) return forward();

  const asked = { method, path: url, ...(bytes.length > 0 ? { body: parsed(bytes.toString('utf8')) } : {}) };
  let found = tap.frozen.find((each) => isDeepStrictEqual(each.request, asked));
  if (!found) {
    if (!tap.records) throw new Error('core was asked what it was not asked when this was recorded');
    const reply = await forward();
    found = { request: asked, answer: { status: reply.status, body: settled(parsed(reply.text) as JsonObject) } };
    tap.frozen.push(found);
  }
  return {
    status: found.answer.status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    text: JSON.stringify({ ...found.answer.body, requestId: request.headers['x-request-id'] }),
  };
}

/** The same for every recording of the same answer: ids, times and durations stand still. */
function settled(body: JsonObject): JsonObject {
  const text = JSON.stringify({
    ...body,
    requestId: '',
    timestamp: '2023-11-01T00:00:00.000Z',
    meta: { ...(body['meta'] as JsonObject), processingTimeMs: 0 },
  });
  const made: string[] = [];
  return JSON.parse(
    text.replace(/"(diag)_[0-9A-Za-z]{20}"/g, (id, prefix: string) => {
      if (!made.includes(id)) made.push(id);
      return `"${prefix}_${String(made.indexOf(id) + 1).padStart(20, '0')}"`;
    }),
  ) as JsonObject;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
