import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorBody } from '@perennial/schemas/platform/http/fault.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { Response } from 'express';
import { describe, toFault } from './answer-faults.ts';
import { subjectsOf } from './envelope.ts';
import { exchangeOf } from './exchange.ts';

/** An answer of bytes, with its length. */
export interface Bytes {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Opened only when the bytes are wanted: not for HEAD. */
  readonly open: () => Promise<Readable>;
}

const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/**
 * Answers one element a line (application/x-ndjson), a batch at a time: memory holds one batch, however slow the
 * reader. A failure before the first line is answered like any other; a later one ends the stream with a line
 * `{"error": …}`, because a stream that just ended would look whole.
 */
export async function sendLines(
  response: Response,
  headers: Readonly<Record<string, string>>,
  batches: AsyncIterable<readonly unknown[]>,
  logger: Logger | undefined,
): Promise<void> {
  const iterator = batches[Symbol.asyncIterator]();
  let next = await iterator.next();
  response.writeHead(200, {
    ...common,
    ...headers,
    ...subjectsOf(exchangeOf(response)),
    'content-type': 'application/x-ndjson; charset=utf-8',
  });
  try {
    // Nothing is produced for HEAD, or when the caller has left.
    while (!next.done && response.req.method !== 'HEAD' && !response.destroyed) {
      const text = next.value.map((element) => `${JSON.stringify(element)}\n`).join('');
      if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      next = await iterator.next();
    }
  } catch (error) {
    const fault = toFault(error);
    const exchange = exchangeOf(response);
    exchange.errorCode = fault.code;
    const { requestId, operationId: operation } = exchange;
    logger?.error('stream failed', { requestId, operation, code: fault.code, ...describe(fault.cause ?? error) });
    response.write(`${JSON.stringify({ error: errorBody(fault) })}\n`);
  } finally {
    await iterator.return?.();
  }
  response.end();
}

/** Sends bytes. If they end early the connection is broken, so that nobody takes a part for the whole. */
export async function sendBytes(response: Response, bytes: Bytes): Promise<void> {
  const isHead = response.req.method === 'HEAD';
  const stream = isHead ? undefined : await bytes.open();
  response.writeHead(bytes.status, { ...common, ...bytes.headers, ...subjectsOf(exchangeOf(response)) });
  if (!stream) {
    response.end();
    return;
  }
  try {
    await pipeline(stream, response);
  } catch {
    response.destroy();
  }
}

/** The same batches with every entry as answered. */
export async function* mapBatches<Row, Item>(
  batches: AsyncIterable<readonly Row[]>,
  toItem: (row: Row) => Item,
): AsyncGenerator<readonly Item[]> {
  for await (const batch of batches) yield batch.map(toItem);
}
