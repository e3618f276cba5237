import { Agent, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { Fault } from '@perennial/schemas/http/fault.ts';
import type { RequestHandler, Response } from 'express';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import type { AnswerFault } from '../answer-fault.ts';
import { exchangeOf, known } from '../exchange.ts';
import { beginAnswer, checkAnswer } from './answer.ts';
import { coreHeaders, corePath } from './core-request.ts';

/** Core did not begin or go on with its answer in time. */
class CoreSilent extends Error {
  override readonly name = 'CoreSilent';
}

/** Settings of the pass-through. */
export interface PassThroughOptions {
  readonly coreUrl: string;
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
  readonly answerFault: AnswerFault;
}

/**
 * Exchanges in the version that core speaks: bodies stream through untouched and unparsed, both ways. Core validates
 * alone, and what it says is what the client reads.
 */
export function createPassThrough(options: PassThroughOptions): RequestHandler {
  const { coreUrl, timeoutMs, bodyBytesMax, answerFault } = options;
  const fail = (response: Response, fault: Fault): void => {
    if (response.headersSent) response.destroy();
    else answerFault(fault, response);
  };
  const proxy = createProxyMiddleware({
    target: coreUrl,
    agent: new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 256 }),
    changeOrigin: true,
    // The answer is passed on here, because it must be looked at before its status is the client's.
    selfHandleResponse: true,
    // The events below, without the library's own error pages and log.
    ejectPlugins: true,
    plugins: [proxyEventsPlugin],
    on: {
      proxyReq(proxyRequest, _request, response) {
        proxyRequest.setTimeout(timeoutMs, () => proxyRequest.destroy(new CoreSilent()));
        // A client that is gone needs no answer.
        response.once('close', () => {
          if (!response.writableEnded) proxyRequest.destroy();
        });
      },
      proxyRes(answer, _request, response) {
        passOn(answer, response as Response, fail);
      },
      error(error, _request, target) {
        const response = target as Response;
        if (response.destroyed || response.writableEnded) return;
        fail(response, new Fault(error instanceof CoreSilent ? 'core_timeout' : 'core_failed', { cause: error }));
      },
    },
  });
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > bodyBytesMax) throw new Fault('body_too_large', { headers: { connection: 'close' } });
    const { head } = known(exchange.plan, 'plan');
    const framing: Record<string, string> = {};
    for (const name of ['content-length', 'transfer-encoding', 'accept-encoding'] as const) {
      const value = request.headers[name];
      if (typeof value === 'string') framing[name] = value;
    }
    request.url = `${corePath(head, exchange.parameters)}${exchange.search === '' ? '' : `?${exchange.search}`}`;
    request.headers = { ...coreHeaders(request, exchange), ...framing };
    return proxy(request, response, next);
  };
}

function passOn(answer: IncomingMessage, response: Response, fail: (response: Response, fault: Fault) => void): void {
  const status = answer.statusCode ?? 502;
  try {
    checkAnswer(status, answer.headers);
  } catch (error) {
    answer.resume();
    fail(response, error as Fault);
    return;
  }
  beginAnswer(response, exchangeOf(response), status, answer.headers);
  for (const name of ['content-length', 'content-encoding', 'etag'] as const) {
    const value = answer.headers[name];
    if (value !== undefined) response.setHeader(name, value);
  }
  // An answer that breaks off must break off for the client too, or it would look whole.
  pipeline(answer, response, (error) => {
    if (error) response.destroy();
  });
}
