import { createServer, type Server } from 'node:http';
import { errorPage } from '@perennial/gateway/error-page.ts';
import { history } from '@perennial/schemas/history.ts';
import { newestFirst } from '@perennial/schemas/lifecycle.ts';

const RETRY_AFTER_SECONDS = '1';

/** Answers for the gateway while it is being started again: clients read that they may come back in a second. */
export class StandIn {
  #server: Server | undefined;

  /** Listens where the gateway did, if it can: it is a courtesy. */
  async open(host: string, port: number): Promise<void> {
    const semver = newestFirst(history)[0]?.semver ?? '0.0.0';
    const server = createServer((request, response) => {
      const { headers, body } = errorPage('unavailable', semver);
      response.writeHead(503, {
        ...headers,
        'retry-after': RETRY_AFTER_SECONDS,
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      });
      response.end(request.method === 'HEAD' ? undefined : body);
      request.resume();
    });
    await new Promise<void>((resolve) => {
      server.once('error', () => resolve());
      server.listen(port, host, () => {
        this.#server = server;
        resolve();
      });
    });
  }

  /** Leaves the port to the gateway. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
}
