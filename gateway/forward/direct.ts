import type { Operation } from '@perennial/schemas/operation.ts';
import { type BodyLimits, hasBody, readBytes } from '@perennial/schemas/platform/http/body.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Request, RequestHandler } from 'express';
import { exchangeOf, known } from '../exchange.ts';
import { sendWhole } from '../respond.ts';
import { answerHeaders, checkAnswer } from './answer.ts';
import { type CoreAnswer, type CoreClient, decodeAnswer } from './core-client.ts';
import { coreHeaders, corePath } from './core-request.ts';
import type { ReadKept } from './kept-answer.ts';
import { sendAnswer } from './send-answer.ts';

/** What the direct exchange works with. */
export interface DirectOptions {
  readonly core: CoreClient;
  readonly limits: BodyLimits;
  /** Largest answer, before and after decompression. */
  readonly answerBytesMax: number;
  readonly readKept: ReadKept;
}

/** Whether both bodies of the operation are JSON, and so of bounded size: what else there is, streams. */
export function isWhole({ body, response }: Operation): boolean {
  return (
    response.mediaType === undefined && (body === undefined || (body.mediaType.endsWith('json') && !body.elements))
  );
}

/**
 * Exchanges in the version that core speaks whose bodies are JSON: the bytes are passed on whole, unparsed, both ways,
 * over the same pooled connections as translated exchanges. Core validates alone, and what it says is what the client
 * reads. A proxy's pipes and emitters would cost several times what is done here, for bodies of a kilobyte.
 */
export function createDirect({ core, limits, answerBytesMax, readKept }: DirectOptions): RequestHandler {
  return async (request, response) => {
    const exchange = exchangeOf(response);
    const plan = known(exchange.plan, 'plan');
    const { head } = plan;
    try {
      const headers = coreHeaders(request, exchange);
      const accepted = request.headers['accept-encoding'];
      if (typeof accepted === 'string') headers['accept-encoding'] = accepted;
      const answer = await core.fetchEncoded({
        caller: known(exchange.caller, 'caller'),
        method: request.method,
        path: `${corePath(head, exchange.parameters)}${exchange.search === '' ? '' : `?${exchange.search}`}`,
        headers,
        body: head.body && hasBody(request) ? await readBytes(request, limits.bodyBytesMax) : undefined,
        signal: exchange.disconnect,
      });
      const { status, headers: received } = answer;
      checkAnswer(head, status, received, request.method, request.headers['if-none-match'] !== undefined);
      // Everything served at head has the shape of head, so it is passed on as it is.
      readKept(plan, received);
      const { body, coding } = await readable(answer, request, answerBytesMax);
      const isEmpty = status === 204 || status === 304 || request.method === 'HEAD';
      if (!isEmpty && body.length === 0) throw new Fault('core_failed', { cause: new Error('the answer is empty') });
      const raw = answerHeaders(exchange, received);
      const tag = received['etag'];
      if (!isEmpty) {
        await sendAnswer(request, response, head, { status, headers: raw, tag: textOf(tag), body, coding });
        return;
      }
      if (tag !== undefined) raw.push('etag', tag);
      if (coding !== undefined) raw.push('content-encoding', coding);
      if (received['content-length'] !== undefined) raw.push('content-length', received['content-length']);
      sendWhole(response, status, raw, undefined);
    } catch (error) {
      // Nobody is left to read an answer.
      if (!exchange.disconnect.aborted) throw error;
    }
  };
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The answer in a content coding that the client takes: as core encoded it, or else decoded. */
async function readable(
  { headers, body }: CoreAnswer,
  request: Request,
  bytesMax: number,
): Promise<{ readonly body: Buffer; readonly coding?: string }> {
  const coding = headers['content-encoding'];
  if (coding === undefined || coding === 'identity') return { body };
  if (typeof coding === 'string' && request.acceptsEncodings(coding) !== false) return { body, coding };
  return { body: await decodeAnswer(body, coding, bytesMax) };
}
