import { once } from 'node:events';
import { errorBody } from '@perennial/schemas/platform/http/fault.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { Response } from 'express';
import { describe, toFault } from './answer-faults.ts';
import { subjectsOf } from './envelope.ts';
import { exchangeOf } from './exchange.ts';

/** One server-sent event. */
export interface ServerEvent<Name extends string = string> {
  /** Sent back as Last-Event-ID when a client reconnects. Contains no line breaks. */
  readonly id: string;
  /** One of the names that the operation declares. */
  readonly event: Name;
  readonly data: unknown;
}

/** Shorter than the idle timeout of common proxies. */
const HEARTBEAT_MS = 15_000;
/** How long a client waits before it comes back with Last-Event-ID. */
const RETRY_MS = 3_000;

const common = {
  'cache-control': 'no-store',
  'content-type': 'text/event-stream; charset=utf-8',
  'x-content-type-options': 'nosniff',
  // Tells proxies not to buffer: events must arrive one by one.
  'x-accel-buffering': 'no',
} as const;

/**
 * Answers events as they come (HTML Living Standard, section 9.2). The next is asked for when the client has taken the
 * ones before, and none is once the client has left. A comment says every so often that the stream lives. A failure
 * before the first event is answered like any other; a later one ends the stream with an event `error`.
 */
export async function sendEvents(
  response: Response,
  headers: Readonly<Record<string, string>>,
  events: AsyncIterable<ServerEvent>,
  logger: Logger | undefined,
  heartbeatMs: number = HEARTBEAT_MS,
): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  let next = await iterator.next();
  if (next.done) {
    // Resumed at its very end. 204 is what tells a client not to come back (section 9.2.3).
    response.writeHead(204, { 'cache-control': common['cache-control'], ...subjectsOf(exchangeOf(response)) });
    response.end();
    return;
  }
  response.writeHead(200, { ...headers, ...common, ...subjectsOf(exchangeOf(response)) });
  // Comments have no empty line behind them: there are clients that take any block for an event.
  response.write(`: begun\nretry: ${RETRY_MS}\n`);
  const heart = setInterval(() => response.write(': heartbeat\n'), heartbeatMs);
  try {
    while (!next.done && !response.destroyed) {
      const { id, event, data } = next.value;
      const text = `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
      if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      next = await iterator.next();
    }
  } catch (error) {
    const fault = toFault(error);
    const exchange = exchangeOf(response);
    exchange.errorCode = fault.code;
    const { requestId, operationId: operation } = exchange;
    logger?.error('stream failed', { requestId, operation, code: fault.code, ...describe(fault.cause ?? error) });
    response.write(`event: error\ndata: ${JSON.stringify(errorBody(fault))}\n\n`);
  } finally {
    clearInterval(heart);
    await iterator.return?.();
  }
  response.end();
}
