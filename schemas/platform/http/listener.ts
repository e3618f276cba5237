import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TlsOptions } from 'node:tls';
import { type ErrorCode, statusOf } from '../../errors.ts';

import { flawOf } from './request-flaw.ts';
/** A listening HTTP server that can be stopped without losing an answer. */
export interface Listener {
  /** `http://host:port`, or `https://` */
  readonly url: string;
  /** Whether a stop has begun. */
  isStopping(): boolean;
  /**
   * Stops accepting, waits for the requests under way, and breaks off those that outlast the time.
   * @param delayMs how long everything is still answered, so that those who ask whether it is ready can go elsewhere.
   */
  stop(drainTimeoutMs: number, delayMs?: number): Promise<void>;
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
  /** What is answered where a request could not even be read as HTTP. It is told what there was of it, in Latin-1. */
  readonly unreadable: (code: ErrorCode, read: string) => UnreadableAnswer;
  /** Certificate, key and what is asked of callers; plain HTTP unless given. */
  readonly tls?: TlsOptions;
  /** What requests and responses are made of; Node's own unless given. */
  readonly classes?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

/** An answer without an exchange: its headers, but for length and type, and its JSON. */
export interface UnreadableAnswer {
  /** The status of the code, unless given. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How much of a request that cannot be read is looked at. */
const READ_BYTES_MAX = 65_536;
const HANDSHAKE_TIMEOUT_MS = 10_000;
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
  const serve: RequestListener = (request, response) => {
    const connection = connections.get(request.socket);
    if (connection) {
      connection.latest = response;
      response.on('close', () => {
        if (connection.latest === response) connection.latest = undefined;
      });
    }
    if (stopping) response.shouldKeepAlive = false;
    app(request, response);
  };
  const serverOptions = {
    ...options.classes,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: options.requestTimeoutMs,
    maxHeaderSize: HEADER_BYTES_MAX,
    // Whoever serves says what is wrong with such a request, in its own words (see request-flaw.ts).
    requireHostHeader: false,
  };
  const server: Server = options.tls
    ? createSecureServer({ ...serverOptions, ...options.tls, handshakeTimeout: HANDSHAKE_TIMEOUT_MS }, serve)
    : createServer(serverOptions, serve);
  // With TLS requests are of the secured connection, which stands on the plain one.
  for (const event of options.tls ? ['connection', 'secureConnection'] : ['connection'])
    server.on(event, (socket: Socket) => {
      connections.set(socket, { latest: undefined });
      socket.once('close', () => connections.delete(socket));
    });
  server.on('checkExpectation', serve);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // What will be refused in any case is not asked for.
    if (flawOf(request) === undefined) response.writeContinue();
    serve(request, response);
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
    url: `${options.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    isStopping: () => stopping,
    async stop(drainTimeoutMs, delayMs = 0) {
      stopping = true;
      // These connections end with their answers, else the callers would send their next requests to nobody.
      for (const { latest } of connections.values()) if (latest) latest.shouldKeepAlive = false;
      if (delayMs > 0) await sleep(delayMs);
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
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex, unreadable: ListenOptions['unreadable']): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const code: ErrorCode = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'request_malformed';
  const { headers, body, status = statusOf(code) } = unreadable(code, readOf(error));
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

/** What Node says of a request that it cannot read. */
interface Unreadable extends Error {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** The request that could not be read, from its first line on: others may have come before it in the same piece. */
function readOf(error: Error): string {
  const { rawPacket, bytesParsed = 0 } = error as Unreadable;
  const text = rawPacket?.toString('latin1', 0, READ_BYTES_MAX) ?? '';
  const before = text.slice(0, bytesParsed + 1);
  const end = before.lastIndexOf('\r\n\r\n');
  return end < 0 || end + 4 >= text.length ? text : text.slice(end + 4);
}
