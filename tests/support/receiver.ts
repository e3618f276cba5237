import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver of webhooks got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a receiver answers: a status, or whatever the function does with the response. */
export type Reaction = number | ((response: ServerResponse, received: Received) => void);

/** A real receiver of webhooks on a port of its own. */
export interface Receiver {
  readonly url: string;
  /** What it got, oldest first. */
  readonly got: readonly Received[];
  /** Sets what the next requests to a path are answered, one after another; 204 after those. */
  react(path: string, ...reactions: readonly Reaction[]): void;
  /** Resolves with what came to the path once there are so many. */
  wait(path: string, count: number): Promise<readonly Received[]>;
  stop(): Promise<void>;
}

/** Longer than anything under test takes; only a failure waits for it. */
const WAIT_MS_MAX = 20_000;

/** Starts a receiver. @param port a certain one, for a receiver that comes back. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const got: Received[] = [];
  const reactions = new Map<string, Reaction[]>();
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '/';
      const received = { path, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
      got.push(received);
      for (const look of waiting) look();
      const reaction = reactions.get(path)?.shift() ?? 204;
      if (typeof reaction === 'number') response.writeHead(reaction).end();
      else reaction(response, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const at = (path: string): readonly Received[] => got.filter((each) => each.path === path);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    react(path, ...next) {
      reactions.set(path, [...(reactions.get(path) ?? []), ...next]);
    },
    wait: (path, count) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`${at(path).length} of ${count} came to ${path}`));
        }, WAIT_MS_MAX);
        const look = (): void => {
          if (at(path).length < count) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(at(path));
        };
        waiting.add(look);
        look();
      }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
