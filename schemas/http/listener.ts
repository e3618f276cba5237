import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorCode, statusOf } from '../errors.ts';

/** A listening HTTP server that can be stopped without losing an answer. */
export interface Listener {
  /** `http://host:port` */
  readonly url: string;
  /** Whether a stop has begun. */
  isStopping(): boolean;
  /** Stops accepting, waits for the requests under way, and breaks off those that outlast the time. */
  stop(drainTimeoutMs: number): Promise<void>;
}

/** Where and how to listen. */
export interface ListenOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Longer than those who call keep a connection unused, so that none sends on one that is being closed. */
  readonly keepAliveTimeoutMs: number;
  /** For the whole request to arrive. */
  readonly requestTimeoutMs: number;
  /** What is answered where a request could not even be read as HTTP. */
  readonly unreadable: (code: ErrorCode) => UnreadableAnswer;
  /** What requests and responses are made of; Node's own unless given. */
  readonly classes?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

/** An answer without an exchange: its headers, but for length and type, and its JSON. */
export interface UnreadableAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const HEADERS_TIMEOUT_MS = 20_000;
const HEADER_BYTES_MAX = 16_384;
const DRAIN_CHECK_MS = 25;

/**
 * A connection and the answer that is under way on it: the last one, where a caller sends requests without waiting.
 * One object a connection, and no set of answers: a set that is added to and deleted from for every request is
 * rebuilt every few dozen of them, each of the old tables holds on to the next, and V8 keeps all of their answers
 * until a full collection.
 */
interface Connection {
  latest: ServerResponse | undefined;
}

/** Starts listening. @throws what the system says when the address cannot be used. */
export async function listen(app: RequestListener, options: ListenOptions): Promise<Listener> {
  const { host, port } = options;
  let stopping = false;
  const connections = new Map<Socket, Connection>();
  const server = createServer(
    {
      ...options.classes,
      keepAliveTimeout: options.keepAliveTimeoutMs,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: options.requestTimeoutMs,
      maxHeaderSize: HEADER_BYTES_MAX,
    },
    (request, response) => {
      const connection = connections.get(request.socket);
      if (connection) {
        connection.latest = response;
        response.on('close', () => {
          if (connection.latest === response) connection.latest = undefined;
        });
      }
      if (stopping) response.shouldKeepAlive = false;
      app(request, response);
    },
  );
  server.on('connection', (socket) => {
    connections.set(socket, { latest: undefined });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answerUnreadable(error, socket, options.unreadable),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    isStopping: () => stopping,
    async stop(drainTimeoutMs) {
      stopping = true;
      // These connections end with their answers, else the callers would send their next requests to nobody.
      for (const { latest } of connections.values()) if (latest) latest.shouldKeepAlive = false;
      await drain(server, connections, drainTimeoutMs);
    },
  };
}

async function drain(server: Server, connections: ReadonlyMap<Socket, unknown>, timeoutMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const closeIdle = (): void => {
      server.closeIdleConnections();
      // Opened ahead, as browsers do, and never used: to Node that is not idle.
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
    };
    const idle = setInterval(closeIdle, DRAIN_CHECK_MS);
    const bound = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(bound);
      resolve();
    });
  });
}

/** What cannot be read as HTTP is answered like any other fault, as far as the connection still allows. */
function answerUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  unreadable: (code: ErrorCode) => UnreadableAnswer,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const code: ErrorCode = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'request_malformed';
  const { headers, body } = unreadable(code);
  const status = statusOf(code);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
