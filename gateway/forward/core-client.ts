import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Caller, RequestSigner } from '@perennial/schemas/platform/internal-token.ts';
import { type Dispatcher, errors, Pool } from 'undici';
import type { Cancellation } from '../client-disconnect.ts';
import { type Identity, notReached } from '../credentials/core-identity.ts';
import { known } from '../exchange.ts';
import { coreFailureOf, unreachedFault } from './core-failure.ts';
import type { CoreTls } from './core-tls.ts';

/** A pooled keep-alive client of core, for exchanges whose body is rewritten: translation is not proxying. */
export interface CoreClient {
  /** The whole answer, decompressed. @throws {Fault} core_failed, core_timeout */
  fetch(request: CoreRequest): Promise<CoreAnswer>;
  /** The whole answer, as core encoded it. @throws {Fault} core_failed, core_timeout */
  fetchEncoded(request: CoreRequest): Promise<CoreAnswer>;
  /** The answer as it arrives, as core encoded it. @throws {Fault} core_failed, core_timeout */
  open(request: CoreRequest): Promise<Dispatcher.ResponseData>;
  /** The whole of an answer that `open` began. @throws {Fault} core_failed, core_timeout */
  collect(answer: Dispatcher.ResponseData): Promise<CoreAnswer>;
  close(): Promise<void>;
}

/** A request to core. */
export interface CoreRequest {
  /** The caller that core is told of; undefined for a service that is told of none. */
  readonly caller: Caller | undefined;
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | Readable | undefined;
  readonly signal?: Cancellation;
  /** Whether the request is idempotent; derived from method and headers when left out. */
  readonly repeatable?: boolean;
}

/** A whole answer of core. */
export interface CoreAnswer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Buffer;
}

const CONNECTIONS = 128;

/** What the client works with. */
export interface CoreClientOptions {
  readonly url: string;
  /** What stands before every path, for a service that is not at the root of its address. */
  readonly pathPrefix?: string;
  readonly timeoutMs: number;
  /** Largest answer taken, before and after decompression. */
  readonly answerBytesMax: number;
  /** What requests are signed with; without it they carry what their headers say. */
  readonly signer: RequestSigner | undefined;
  readonly identity: Identity;
  readonly tls: CoreTls | undefined;
}

/** Most tries of one request: a core that its token is not meant for refuses it and names itself. */
const TRIES_MAX = 3;

export function createCoreClient(options: CoreClientOptions): CoreClient {
  const { timeoutMs, answerBytesMax, signer, identity, pathPrefix = '' } = options;
  const pool = new Pool(options.url, {
    connections: CONNECTIONS,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs, ...options.tls },
  });
  // Signed for each try: core takes a token once.
  const signed = (
    { caller, method, path, headers }: CoreRequest,
    core: string | undefined,
  ): Record<string, string> => ({
    ...headers,
    ...(signer && { authorization: `Bearer ${signer.sign(known(caller, 'caller'), method, path, core)}` }),
  });

  const openOnce = async (request: CoreRequest, core: string | undefined): Promise<Dispatcher.ResponseData> => {
    try {
      const answer = await pool.request({
        method: request.method as Dispatcher.HttpMethod,
        path: `${pathPrefix}${request.path}`,
        headers: signed(request, core),
        ...(request.body === undefined ? {} : { body: request.body }),
        // The client asks no more of a signal than the interface has.
        ...(request.signal ? { signal: request.signal as AbortSignal } : {}),
      });
      // A destroyed stream emits an error; without a listener that would end the process.
      answer.body.on('error', () => undefined);
      return answer;
    } catch (error) {
      throw coreFault(error);
    }
  };
  const open = async (request: CoreRequest): Promise<Dispatcher.ResponseData> => {
    let core = identity.audience;
    for (let tries = 1; ; tries += 1) {
      const answer = await openOnce(request, core);
      const right = identity.misdirected(core, answer.statusCode, answer.headers);
      if (right === undefined || tries === TRIES_MAX) return answer;
      await answer.body.dump();
      // Part of the body has been sent already and cannot be sent again.
      if (request.body instanceof Readable) throw notReached();
      core = right;
    }
  };
  const collect = async (answer: Dispatcher.ResponseData): Promise<CoreAnswer> => {
    try {
      const raw = await readBounded(answer, answerBytesMax);
      const body = await decodeAnswer(raw, answer.headers['content-encoding'], answerBytesMax);
      return { status: answer.statusCode, headers: answer.headers, body };
    } catch (error) {
      throw error instanceof Fault ? error : coreFault(error);
    }
  };
  const fetchEncoded = async (request: CoreRequest): Promise<CoreAnswer> => {
    let core = identity.audience;
    for (let tries = 1; ; tries += 1) {
      const answer = await fetchWhole(
        pool,
        pathPrefix === '' ? request : { ...request, path: `${pathPrefix}${request.path}` },
        signed(request, core),
        answerBytesMax,
      );
      const right = identity.misdirected(core, answer.status, answer.headers);
      if (right === undefined || tries === TRIES_MAX) return answer;
      if (request.body instanceof Readable) throw notReached();
      core = right;
    }
  };
  return {
    open,
    collect,
    fetchEncoded,
    fetch: (request) =>
      fetchEncoded(request).then((answer) => {
        const coding = answer.headers['content-encoding'];
        return coding === undefined
          ? answer
          : decodeAnswer(answer.body, coding, answerBytesMax).then((body) => ({ ...answer, body }));
      }),
    close: () => pool.close(),
  };
}

/**
 * Sends a request and takes the whole answer, without the streams that `pool.request` would put around it: most
 * exchanges are of this kind, and small.
 */
function fetchWhole(
  pool: Pool,
  request: CoreRequest,
  headersSent: Record<string, string>,
  bytesMax: number,
): Promise<CoreAnswer> {
  return new Promise((resolve, reject) => {
    const { signal } = request;
    let status = 0;
    let headers: CoreAnswer['headers'] = {};
    let total = 0;
    const chunks: Buffer[] = [];
    let abort: (() => void) | undefined;
    const settled = (): void => {
      if (abort) signal?.removeEventListener('abort', abort);
    };
    const tooLarge = (): Fault => new Fault('core_failed', { cause: new Error('the answer is larger than is taken') });
    pool.dispatch(
      {
        method: request.method as Dispatcher.HttpMethod,
        path: request.path,
        headers: headersSent,
        body: request.body ?? null,
      },
      {
        onRequestStart(controller) {
          if (!signal) return;
          if (signal.aborted) {
            controller.abort(new ClientGone());
            return;
          }
          abort = () => controller.abort(new ClientGone());
          signal.addEventListener('abort', abort);
        },
        onResponseStart(controller, statusCode, received) {
          if (statusCode < 200) return;
          status = statusCode;
          headers = received;
          if (Number(received['content-length'] ?? 0) > bytesMax) controller.abort(tooLarge());
        },
        onResponseData(controller, chunk) {
          total += chunk.length;
          if (total > bytesMax) controller.abort(tooLarge());
          else chunks.push(chunk);
        },
        onResponseEnd() {
          settled();
          resolve({
            status,
            headers,
            body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, total),
          });
        },
        onResponseError(_controller, error) {
          settled();
          reject(error instanceof Fault ? error : coreFault(error));
        },
      },
    );
  });
}

/** Nobody waits for the answer any more. */
class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

async function readBounded(answer: Dispatcher.ResponseData, bytesMax: number): Promise<Buffer> {
  if (Number(answer.headers['content-length'] ?? 0) > bytesMax) {
    answer.body.destroy();
    throw new Fault('core_failed', { cause: new Error('the answer is larger than is taken') });
  }
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > bytesMax) {
      answer.body.destroy();
      throw new Fault('core_failed', { cause: new Error('the answer is larger than is taken') });
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, total);
}

type Inflater = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
const inflaters: Readonly<Record<string, Inflater>> = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
};

/** The bytes without their content coding. @throws {Fault} core_failed */
export async function decodeAnswer(
  raw: Buffer,
  coding: string | string[] | undefined,
  bytesMax: number,
): Promise<Buffer> {
  if (coding === undefined || coding === 'identity' || raw.length === 0) return raw;
  const inflater = typeof coding === 'string' ? inflaters[coding] : undefined;
  if (!inflater) throw new Fault('core_failed', { cause: new Error('the answer has an unknown content coding') });
  try {
    return await inflater(raw, { maxOutputLength: bytesMax });
  } catch (error) {
    throw coreFault(error);
  }
}

/** What a failed exchange with core is to the client: 504 when core was silent, 503 when it was not reached, else 502. */
export function coreFault(error: unknown): Fault {
  const isTimeout =
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError;
  if (!isTimeout && coreFailureOf(error) === 'unreached') return unreachedFault(error);
  return new Fault(isTimeout ? 'core_timeout' : 'core_failed', { cause: error });
}
