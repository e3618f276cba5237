import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const CHECK_EVERY_MS = 200;
const CHECK_MS_MAX = 2_000;
/** One answer that does not come says little on a busy machine. */
const SILENCES_MAX = 3;

/**
 * A load balancer as simple as they come: it asks each target's `/ready` several times a second, deals requests out to
 * those that say yes, keeps connections, and repeats nothing. Whoever says no is out at once, whoever is silent after
 * the third time.
 */
export class Balancer {
  readonly #targets: readonly string[];
  readonly #up = new Set<string>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #server: Server;
  #turn = 0;
  #isOpen = true;

  /** @param targets addresses that stay. */
  constructor(targets: readonly string[]) {
    this.#targets = targets;
    this.#server = createServer((request, response) => this.#lead(request, response));
  }

  /** @returns its address, once it has seen every target ready. */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    for (const target of this.#targets) void this.#watch(target);
    await this.allUp();
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async allUp(): Promise<void> {
    while (this.#up.size < this.#targets.length) await sleep(CHECK_EVERY_MS);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#agent.destroy();
  }

  async #watch(target: string): Promise<void> {
    let silent = 0;
    while (this.#isOpen) {
      const said = await fetch(`${target}/ready`, { signal: AbortSignal.timeout(CHECK_MS_MAX) }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.ok ? 'ready' : 'not ready';
        },
        () => 'nothing',
      );
      silent = said === 'nothing' ? silent + 1 : 0;
      if (said === 'ready') this.#up.add(target);
      else if (said === 'not ready' || silent >= SILENCES_MAX) this.#up.delete(target);
      await sleep(CHECK_EVERY_MS);
    }
  }

  #lead(request: IncomingMessage, response: ServerResponse): void {
    const up = this.#targets.filter((each) => this.#up.has(each));
    // Where nobody says yes, somebody may still answer.
    const among = up.length > 0 ? up : this.#targets;
    const target = among[this.#turn++ % among.length] as string;
    const { hostname, port } = new URL(target);
    const { method, url: path, headers } = request;
    const onward = httpRequest({ agent: this.#agent, hostname, port, method, path, headers }, (answer) => {
      const { connection: _, ...passed } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, passed);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end('broken');
    });
    request.pipe(onward);
  }
}
