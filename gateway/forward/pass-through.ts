import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Operation, takesFiles } from '@perennial/schemas/operation.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { RequestSigner } from '@perennial/schemas/platform/internal-token.ts';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import type { AnswerFault } from '../answer-fault.ts';
import { type Identity, notReached } from '../credentials/core-identity.ts';
import { exchangeOf, known } from '../exchange.ts';
import { wantsProblem } from '../problem.ts';
import { beginAnswer, hasContent } from './answer.ts';
import { coreFault } from './core-client.ts';
import { corePath } from './core-request.ts';
import type { TakeElsewhere } from './failover.ts';
import type { ReadKept } from './kept-answer.ts';
import { sendAnswer } from './send-answer.ts';
import type { Wire } from './wire.ts';

/** Core did not begin or go on with its answer in time. */
class CoreSilent extends Error {
  override readonly name = 'CoreSilent';
}

/** The client sends more than is taken. */
class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** Settings of the pass-through. */
export interface PassThroughOptions {
  readonly coreUrl: string;
  /** Connections to core, kept alive. */
  readonly agent: Agent;
  /** What requests are signed with; without it they carry what their headers say. */
  readonly signer: RequestSigner | undefined;
  readonly identity: Identity;
  readonly wire: Pick<Wire, 'requestHeaders' | 'check' | 'answerHeaders'>;
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
  /** Of operations that take files, which core streams to its storage. */
  readonly uploadBytesMax: number;
  /** Of operations that take many elements, which core reads one by one. */
  readonly bulkBytesMax: number;
  readonly readKept: ReadKept;
  readonly answerFault: AnswerFault;
  /** Is told of a core that failed; true when another one is asked instead. */
  readonly takeElsewhere: TakeElsewhere;
}

type Fail = (response: Response, error: unknown) => void;

/**
 * Exchanges in the version that core speaks that carry files or answer in streams: bodies pass untouched and unparsed,
 * both ways, of any length. Core validates alone, and what it says is what the client reads.
 */
export function createPassThrough(options: PassThroughOptions): RequestHandler {
  const { coreUrl, agent, signer, identity, wire, timeoutMs, readKept, answerFault, takeElsewhere } = options;
  /** Whom each request is meant for. */
  const meantFor = new WeakMap<Response, string | undefined>();
  const bytesMaxOf = (operation: Operation): number => {
    if (operation.body?.elements) return options.bulkBytesMax;
    return takesFiles(operation) ? options.uploadBytesMax : options.bodyBytesMax;
  };
  const fail: Fail = (response, error) => {
    if (response.headersSent) response.destroy();
    else answerFault(error, response);
  };
  const proxy = createProxyMiddleware({
    // Parsed once, not for every request.
    target: new URL(coreUrl),
    agent,
    changeOrigin: true,
    // The answer is passed on here, because it must be looked at before its status is the client's.
    selfHandleResponse: true,
    // The events below, without the library's own error pages and log.
    ejectPlugins: true,
    plugins: [proxyEventsPlugin],
    on: {
      proxyReq(proxyRequest, request, response) {
        boundSilence(proxyRequest, timeoutMs);
        if (request.headers['transfer-encoding'] === undefined) return;
        const { head } = known(exchangeOf(response as Response).plan, 'plan');
        boundBody(request, proxyRequest, bytesMaxOf(head));
      },
      proxyRes(answer, request, response) {
        const target = response as Response;
        if (identity.misdirected(meantFor.get(target), answer.statusCode ?? 0, answer.headers) !== undefined) {
          answer.resume();
          fail(target, notReached());
        } else passOn(answer, request as Request, target, wire, readKept, fail);
      },
      error(error, request, target) {
        const response = target as Response;
        if (response.destroyed || response.writableEnded) return;
        if (error instanceof BodyTooLarge) void refuseLarge(request, response, fail);
        else if (error instanceof CoreSilent) fail(response, new Fault('core_timeout', { cause: error }));
        else if (!takeElsewhere(error, request as Request, response)) fail(response, coreFault(error));
      },
    },
  });
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const length = request.headers['content-length'];
    const { head } = known(exchange.plan, 'plan');
    if (length !== undefined && Number(length) > bytesMaxOf(head)) {
      void refuseLarge(request, response, fail);
      return;
    }
    // The library and the streams listen for the end of the response as well, each for itself.
    response.setMaxListeners(LISTENERS_MAX);
    const headers = wire.requestHeaders(request, exchange);
    for (const name of framing) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    request.url = `${corePath(head, exchange.parameters)}${exchange.search === '' ? '' : `?${exchange.search}`}`;
    const core = identity.audience;
    meantFor.set(response, core);
    if (signer)
      headers['authorization'] =
        `Bearer ${signer.sign(known(exchange.caller, 'caller'), request.method, request.url, core)}`;
    request.headers = headers;
    return proxy(request, response, next);
  };
}

const LISTENERS_MAX = 32;
const framing = ['content-length', 'transfer-encoding', 'accept-encoding'] as const;

function boundSilence(proxyRequest: ClientRequest, timeoutMs: number): void {
  proxyRequest.setTimeout(timeoutMs, () => proxyRequest.destroy(new CoreSilent()));
  // A request's time counts from its connection; the connection itself is bounded as well.
  if (proxyRequest.socket?.connecting) proxyRequest.socket.setTimeout(timeoutMs);
}

/** A body without a length is counted as it passes. */
function boundBody(request: IncomingMessage, proxyRequest: ClientRequest, bytesMax: number): void {
  let total = 0;
  request.on('data', (chunk: Buffer) => {
    total += chunk.length;
    if (total > bytesMax && !proxyRequest.destroyed) {
      request.unpipe(proxyRequest);
      proxyRequest.destroy(new BodyTooLarge());
    }
  });
}

/** How much more than the limit is read and thrown away, so that the client is still there to read the answer. */
const DRAIN_BYTES_MAX = 16 * 1024 * 1024;
const DRAIN_TIMEOUT_MS = 2_000;

async function refuseLarge(request: IncomingMessage, response: Response, fail: Fail): Promise<void> {
  await new Promise<void>((resolve) => {
    let total = 0;
    const timer = setTimeout(resolve, DRAIN_TIMEOUT_MS);
    request.on('data', (chunk: Buffer) => {
      total += chunk.length;
      if (total > DRAIN_BYTES_MAX) resolve();
    });
    request.once('close', resolve).once('end', resolve).once('error', resolve).resume();
    response.once('close', () => clearTimeout(timer));
  });
  fail(response, new Fault('body_too_large', { headers: { connection: 'close' } }));
}

function passOn(
  answer: IncomingMessage,
  request: Request,
  response: Response,
  wire: PassThroughOptions['wire'],
  readKept: ReadKept,
  fail: Fail,
): void {
  const status = answer.statusCode ?? 502;
  const { headers } = answer;
  const coding = headers['content-encoding'];
  const operation = known(exchangeOf(response).operation, 'operation');
  let decoder: Duplex | undefined;
  try {
    wire.check(operation, status, headers, request.method, request.headers['if-none-match'] !== undefined);
    // Whatever can be read at head has the shape of head: it is passed on like the rest.
    readKept(known(exchangeOf(response).plan, 'plan'), headers);
    decoder = decoderOf(coding, request);
  } catch (error) {
    answer.resume();
    fail(response, error);
    return;
  }
  const begin = (): void => {
    beginAnswer(wire, response, exchangeOf(response), status, headers);
    if (headers.etag !== undefined) response.setHeader('etag', headers.etag);
    if (decoder) return;
    if (headers['content-length'] !== undefined) response.setHeader('content-length', headers['content-length']);
    if (coding !== undefined) response.setHeader('content-encoding', coding);
  };
  // An answer that breaks off must break off for the client too, or it would look whole. The library sees to that,
  // except where something stands between.
  const pass = (): void => {
    begin();
    if (decoder && request.method !== 'HEAD')
      pipeline(answer, decoder, response, (error) => {
        if (error) response.destroy();
      });
    else answer.pipe(response);
  };
  if (status >= 400 && wantsProblem(request) && coding === undefined) {
    void sendProblem(wire, answer, request, response).catch((error: unknown) => fail(response, error));
    return;
  }
  const isBodiless = status === 204 || status === 304 || request.method === 'HEAD';
  if (
    isBodiless ||
    headers['content-length'] !== undefined ||
    !hasContent(operation, status, headers['content-type'])
  ) {
    pass();
    // A stream has begun when core says so, whenever its first element comes.
    if (!isBodiless) response.flushHeaders();
    return;
  }
  // Without a length, only the end shows that an answer is empty.
  answer.once('readable', () => {
    const first = answer.read() as Buffer | null;
    if (first === null) {
      fail(response, new Fault('core_failed', { cause: new Error('the answer is empty') }));
      return;
    }
    answer.unshift(first);
    pass();
  });
}

/** An error of core is small and whole, whatever the operation answers otherwise. */
async function sendProblem(
  wire: PassThroughOptions['wire'],
  answer: IncomingMessage,
  request: Request,
  response: Response,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const exchange = exchangeOf(response);
  const headers = wire.answerHeaders(exchange, answer.headers);
  const body = Buffer.concat(chunks);
  const status = answer.statusCode ?? 502;
  await sendAnswer(request, response, known(exchange.operation, 'operation'), {
    status,
    headers,
    tag: undefined,
    body,
  });
}

/** What decodes an answer that core encoded for a client that cannot. */
function decoderOf(coding: string | undefined, request: Request): Duplex | undefined {
  if (coding === undefined || coding === 'identity' || request.acceptsEncodings(coding) !== false) return undefined;
  switch (coding) {
    case 'gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      throw new Fault('core_failed', { cause: new Error('the answer has an unknown content coding') });
  }
}
