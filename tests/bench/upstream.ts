import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * Core's place in the benchmark: answers a recorded answer of the real core from memory, so that the upstream is not
 * what is measured.
 */

/** A recorded answer. */
export interface Recorded {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const recorded = JSON.parse(process.env['RECORDED'] ?? '{}') as Recorded;
const body = Buffer.from(recorded.body, 'utf8');
const headers = { ...recorded.headers, 'content-length': body.length };

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('disconnect', () => process.exit(0));
