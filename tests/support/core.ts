import { randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlobStore } from '@perennial/core/attachments/blob-store.ts';
import { ComputeThread } from '@perennial/core/compute/compute.ts';
import { type Config, readConfig } from '@perennial/core/config.ts';
import type { Services } from '@perennial/core/services.ts';
import { startCore as startRealCore } from '@perennial/core/start.ts';
import { createDatabase, type Database } from '@perennial/prisma/client.ts';
import { type Caller, CORE_INSTANCE_HEADER, RequestSigner } from '@perennial/schemas/platform/internal-token.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
import { loginsOf } from './database.ts';
import { TEST_SECRET } from './secret.ts';

export { TEST_SECRET };

/** A core under test. */
export interface TestCore {
  readonly url: string;
  /** The database, as its owner sees it: all of it. */
  readonly database: Database;
  /** What it is made of. */
  readonly services: Services;
  /** The token of one request; by default of the key `key_test` of the account `acc_test`, which may do everything. */
  token(method: string, path: string, caller?: TestCaller): string;
  /** Sends one request with such a token. */
  call<T = unknown>(method: string, path: string, options?: CallOptions): Promise<Reply<T>>;
  stop(): Promise<void>;
}

/** Who calls in a test, so far as it matters there. */
export type TestCaller = Partial<Omit<Caller, 'accountId'> & { readonly accountId: string }>;

/** What a test request carries. */
export interface CallOptions {
  /** Sent as JSON, unless it is text or bytes already. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who calls; `null` sends no token. */
  readonly caller?: TestCaller | null;
}

/** An answer as it came over the socket, nothing decoded on the way. */
export interface Reply<T> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** `data` of the envelope. */
  readonly data: T;
  /** `error` of the envelope. */
  readonly error: ErrorBody;
}

/** The thread that holds the knowledge, one for all cores of this process: reading it anew takes a second each. */
class SharedThread extends ComputeThread {
  /** It ends with the process. */
  override async close(): Promise<void> {}
}

let compute: SharedThread | undefined;

function sharedCompute(): SharedThread {
  compute ??= new SharedThread({ current: TEST_SECRET });
  return compute;
}

/** Starts the real core in this process, on a free port, with the login that a core has. */
export async function startCore(
  databaseUrl: string,
  overrides: Partial<Config> = {},
  blobs?: BlobStore,
): Promise<TestCore> {
  const dataDir = join(process.env['PERENNIAL_TEST_DIR'] ?? tmpdir(), `core-${randomUUID()}`);
  const config: Config = {
    ...readConfig({
      DATABASE_URL: loginsOf(databaseUrl).coreUrl,
      INTERNAL_SECRET: TEST_SECRET,
      CORE_PORT: '0',
      LOG_LEVEL: 'silent',
      DATA_DIR: dataDir,
    }),
    ...overrides,
  };
  const core = await startRealCore(config, {
    ...(blobs && { blobs }),
    ...(config.internalSecret === TEST_SECRET && { compute: sharedCompute() }),
  });
  const database = createDatabase(databaseUrl, { poolMax: 4 });
  // Prisma loads its engine at the first query, which core makes in the background: jest lets nobody load between tests.
  await core.services.database.$connect().catch(() => undefined);
  const signer = new RequestSigner(config.internalSecret);
  // As a gateway learns it. What is called here goes in plain HTTP; a core behind TLS is only called by a gateway.
  const isPlain = core.url.startsWith('http:');
  const said = isPlain ? (await send(core.url, 'GET', '/health', {})).headers : {};
  const instance = (said[CORE_INSTANCE_HEADER] ?? '') as string;
  const token = (method: string, path: string, caller: TestCaller = {}): string =>
    signer.sign(
      { accountId: 'acc_test', keyId: 'key_test', scopes: ['admin'], ...caller } as Caller,
      method,
      path,
      instance,
    );
  return {
    url: core.url,
    database,
    services: core.services,
    token,
    call: async <T>(method: string, path: string, options: CallOptions = {}) => {
      const { caller = {}, body } = options;
      const headers = {
        ...(caller === null ? {} : { authorization: `Bearer ${token(method, path, caller)}` }),
        ...(body === undefined ? {} : { 'content-type': contentTypeOf(method) }),
        ...options.headers,
      };
      return send<T>(core.url, method, path, headers, toBytes(body));
    },
    stop: async () => {
      await core.stop();
      await database.$disconnect();
    },
  };
}

/** Sends one request and reads the whole answer. */
export function send<T>(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: Buffer,
): Promise<Reply<T>> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': body.length };
    const { hostname, port } = new URL(url);
    const request = httpRequest({ hostname, port, method, path, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = response.headers['content-type']?.startsWith('application/json') === true && text !== '';
        const parsed = (isJson ? JSON.parse(text) : {}) as { data: T; error: ErrorBody };
        const { data, error } = parsed;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, data, error });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

function contentTypeOf(method: string): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}

function toBytes(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
}
