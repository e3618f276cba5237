import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { newId } from '@perennial/prisma/ids.ts';
import { type ErrorCode, statusOf } from '@perennial/schemas/errors.ts';
import { Fault } from '@perennial/schemas/http/fault.ts';
import { errorBody, serialise } from './envelope.ts';

/** A listening HTTP server that can be stopped without losing an answer. */
export interface Listener {
  /** `http://host:port` */
  readonly url: string;
  /** Whether a stop has begun. */
  readonly isStopping: () => boolean;
  /** Stops accepting, waits for the requests under way, and breaks off those that outlast the time. */
  stop(drainTimeoutMs: number): Promise<void>;
}

/** Longer than the gateway keeps a connection unused, so that it never sends on one that is being closed. */
const KEEP_ALIVE_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 60_000;
const DRAIN_CHECK_MS = 25;

/** Starts listening. @throws what the system says when the address cannot be used. */
export async function listen(app: RequestListener, host: string, port: number): Promise<Listener> {
  let stopping = false;
  const underWay = new Set<ServerResponse>();
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
    },
    (request, response) => {
      underWay.add(response);
      response.once('close', () => underWay.delete(response));
      if (stopping) response.shouldKeepAlive = false;
      app(request, response);
    },
  );
  server.on('clientError', answerUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    url: urlOf(server, host),
    isStopping: () => stopping,
    stop: async (drainTimeoutMs) => {
      stopping = true;
      // These connections end with their answers, else the callers would send their next requests to nobody.
      for (const response of underWay) response.shouldKeepAlive = false;
      await drain(server, drainTimeoutMs);
    },
  };
}

async function drain(server: Server, timeoutMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), DRAIN_CHECK_MS);
    const bound = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(bound);
      resolve();
    });
  });
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** What cannot be read as HTTP is answered like any other fault, as far as the connection still allows. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const code: ErrorCode = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'request_malformed';
  const envelope = { requestId: newId('req'), timestamp: new Date().toISOString(), processingTimeMs: 0 };
  const body = serialise(envelope, 'error', errorBody(new Fault(code)));
  const status = statusOf(code);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
