import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as core would have got it. */
export interface CoreCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** What the stand-in answers: `data` or `error` of an envelope. */
export interface CoreReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: unknown;
  readonly error?: unknown;
}

/** A core that notes what it is asked and answers what it is told, over real sockets. */
export interface CoreStandIn {
  readonly url: string;
  readonly calls: CoreCall[];
  answer: (call: CoreCall) => CoreReply;
  stop(): Promise<void>;
}

/** Starts one on a free port. */
export async function startCoreStandIn(): Promise<CoreStandIn> {
  const calls: CoreCall[] = [];
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const call: CoreCall = { method: request.method ?? '', path: request.url ?? '', body };
      calls.push(call);
      const { status, headers = {}, ...member } = standIn.answer(call);
      const text =
        status === 204
          ? ''
          : JSON.stringify({
              requestId: request.headers['x-request-id'],
              timestamp: '2023-11-01T00:00:00.000Z',
              meta: { processingTimeMs: 1, version: '2.5.0' },
              ...member,
            });
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: CoreStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer: () => ({
      status: 500,
      error: { code: 'internal_error', message: '', details: [], documentation_url: '/' },
    }),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}

async function read(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}
