import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { type GatewayConfig, readConfig } from '@perennial/gateway/config.ts';
import { type GatewayOverrides, type RunningGateway, startGateway } from '@perennial/gateway/server.ts';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import winston from 'winston';
import { baseHistory, baseTranslator } from '../fixtures/base.ts';
import { loginsOf } from './database.ts';
import { isFakeCore } from './fake-core.ts';
import { TEST_AUDIT_KEY, TEST_SECRET } from './secret.ts';

let translator: Translator | undefined;

/** The translator of the shipped releases, which is the same for every gateway of a test file. */
function shipped(): Translator {
  translator ??= createTranslator(head, history, releases);
  return translator;
}

/** A gateway under test. */
export interface TestGateway {
  readonly url: string;
  readonly port: number;
  readonly running: RunningGateway;
  /** What it has logged, one JSON line each. */
  readonly log: readonly string[];
  /** Sends one request on a connection of its own and reads the whole answer. */
  send<T = JsonObject>(method: string, path: string, options?: SendOptions): Promise<Answer<T>>;
  stop(): Promise<void>;
}

/** What a request carries. */
export interface SendOptions {
  /** Sent as `Authorization: Bearer`. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON, unless it is text or bytes already. */
  readonly body?: unknown;
}

/** An answer as it came over the socket. */
export interface Answer<T = JsonObject> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
  readonly text: string;
  readonly requestId: string;
  readonly meta: { readonly version: string; readonly processingTimeMs: number };
  readonly data: T;
  readonly error: ErrorBody;
}

/** What a test gateway can be told beside its core and its database. */
export interface TestGatewayOptions extends GatewayOverrides {
  readonly config?: Partial<GatewayConfig>;
}

/** Starts the real gateway in this process, on a free port; answers that break their version's schema are refused. */
export async function startTestGateway(
  coreUrl: string,
  databaseUrl: string,
  options: TestGatewayOptions = {},
): Promise<TestGateway> {
  const { config: overrides, ...parts } = options;
  const config: GatewayConfig = {
    ...readConfig({
      CORE_URL: coreUrl,
      DATABASE_URL: loginsOf(databaseUrl).gatewayUrl,
      INTERNAL_SECRET: TEST_SECRET,
      AUDIT_KEY: TEST_AUDIT_KEY,
      DATA_DIR: join(process.env['PERENNIAL_TEST_DIR'] ?? tmpdir(), `gateway-${randomUUID()}`),
      PORT: '0',
    }),
    answerCheckShare: 1,
    answerCheck: 'refuse',
    // Asks core every half second; tests of webhooks turn it on.
    webhookDelivery: false,
    // A test that wants what is left over kept says where.
    auditSpoolDir: undefined,
    ...overrides,
  };
  const log: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  const logger = winston.createLogger({
    level: 'debug',
    format: winston.format.json(),
    transports: [new winston.transports.Stream({ stream })],
  });
  const running = await startGateway(config, logger, overridesFor(coreUrl, parts));
  return {
    url: running.url,
    port: Number(new URL(running.url).port),
    running,
    log,
    send: (method, path, sent) => sendTo(running.url, method, path, sent),
    stop: () => running.stop(),
  };
}

/** A fake core speaks the schema that fixtures stand on, whatever is shipped; a real one that of the shipped head. */
function overridesFor(coreUrl: string, given: GatewayOverrides): GatewayOverrides {
  if (given.history) return given;
  if (isFakeCore(coreUrl)) return { history: baseHistory, translator: baseTranslator(), ...given };
  return { translator: shipped(), ...given };
}

/** Sends one request and reads the whole answer. Rejects when the connection breaks before its end. */
export function sendTo<T = JsonObject>(
  url: string,
  method: string,
  path: string,
  options: SendOptions = {},
): Promise<Answer<T>> {
  return new Promise((resolve, reject) => {
    const body = toBytes(options.body);
    const { hostname, port } = new URL(url);
    const headers = {
      ...(body === undefined ? {} : { 'content-length': String(body.length), 'content-type': typeOf(method) }),
      ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
      ...options.headers,
    } as Record<string, string | string[]>;
    const agent = new Agent({ keepAlive: false });
    const request = httpRequest({ agent, hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString('utf8');
        const parsed = (isJson(response.headers) && text.startsWith('{') ? JSON.parse(text) : {}) as Answer<T>;
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          bytes,
          text,
          requestId: parsed.requestId,
          meta: parsed.meta,
          data: parsed.data,
          error: parsed.error,
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Writes bytes to the port and reads what comes back until the other side closes, or `waitMs` passes in silence. */
export function sendRaw(port: number, text: string, waitMs = 2_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    const end = (): void => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('utf8'));
    };
    socket.setTimeout(waitMs, end);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', end);
    socket.on('error', reject);
  });
}

function typeOf(method: string): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}

function toBytes(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
}

/** One JSON value, not one a line. */
function isJson(headers: IncomingHttpHeaders): boolean {
  return /^application\/json\b/.test(headers['content-type'] ?? '');
}
