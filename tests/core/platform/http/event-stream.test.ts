import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { type ServerEvent, sendEvents } from '@perennial/core/platform/http/event-stream.ts';
import { openExchange } from '@perennial/core/platform/http/exchange.ts';
import express from 'express';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

const HEARTBEAT_MS = 5;
const event = (number: number, data: unknown = number): ServerEvent => ({ id: String(number), event: 'told', data });

/** Opens a stream of these events, with a heart that beats fast. */
async function open(events: AsyncIterable<ServerEvent>): Promise<IncomingMessage> {
  const app = express();
  app.use(openExchange());
  app.use((_request, response) => sendEvents(response, {}, events, undefined, HEARTBEAT_MS));
  server = createServer(app);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const request = httpRequest({ port, host: '127.0.0.1' });
  request.on('error', () => undefined);
  request.end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.setEncoding('utf8');
  return answer;
}

async function readAll(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text;
}

test('events are sent as they come, each with its id and name', async () => {
  const answer = await open(
    (async function* () {
      yield event(1, { a: 'line\nbreak' });
      yield event(2);
    })(),
  );
  expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  const text = await readAll(answer);
  expect(text).toBe(
    ': begun\nretry: 3000\nid: 1\nevent: told\ndata: {"a":"line\\nbreak"}\n\nid: 2\nevent: told\ndata: 2\n\n',
  );
});

test('a stream that is resumed at its very end tells the client not to come back', async () => {
  const answer = await open((async function* () {})());
  expect([answer.statusCode, await readAll(answer)]).toEqual([204, '']);
});

test('while nothing happens, a comment says that the stream lives', async () => {
  const heard = Promise.withResolvers<void>();
  const answer = await open(
    (async function* () {
      yield event(1);
      await heard.promise;
      yield event(2);
    })(),
  );
  let text = '';
  answer.on('data', (chunk: string) => {
    text += chunk;
    if (text.includes(': heartbeat\n')) heard.resolve();
  });
  await once(answer, 'end');
  expect(text.indexOf(': heartbeat')).toBeLessThan(text.indexOf('id: 2'));
});

test('a failure after the first event ends the stream with an event', async () => {
  const answer = await open(
    (async function* () {
      yield event(1);
      throw new Error('a secret');
    })(),
  );
  const text = await readAll(answer);
  expect(text).toContain('event: error\ndata: {"code":"internal_error"');
  expect(text).not.toContain('a secret');
});

test('a client that leaves ends the work', async () => {
  const ended = Promise.withResolvers<void>();
  const answer = await open(
    (async function* () {
      try {
        for (let number = 0; ; number += 1) {
          yield event(number, 'x'.repeat(1_000));
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        ended.resolve();
      }
    })(),
  );
  await once(answer, 'data');
  answer.on('error', () => undefined);
  answer.destroy();
  await ended.promise;
});
