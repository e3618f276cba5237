import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * An address that stays while what is behind it comes and goes: each connection is led to one of the targets, in turn,
 * and ends when either side of it does.
 */
export class Relay {
  readonly #targets: () => readonly number[];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #turn = 0;
  #withheld: number | 'all' | undefined;

  /** @param targets the ports on 127.0.0.1 that can be reached at the moment. */
  constructor(targets: () => readonly number[]) {
    this.#targets = targets;
    this.#server = createServer((near) => this.#lead(near));
  }

  /** @returns its port on 127.0.0.1. */
  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on, what the other side answers is kept back. @param port of one target; all of them when left out. */
  withholdAnswers(port: number | 'all' = 'all'): void {
    this.#withheld = port;
  }

  /** Lets answers through again. What was kept back until then stays lost. */
  letAnswersThrough(): void {
    this.#withheld = undefined;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #lead(near: Socket): void {
    const targets = this.#targets();
    const port = targets[this.#turn++ % Math.max(1, targets.length)];
    if (port === undefined) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket
        .setNoDelay()
        .on('error', () => undefined)
        .on('close', () => {
          near.destroy();
          far.destroy();
          this.#sockets.delete(socket);
        });
    }
    near.pipe(far);
    far.on('data', (chunk: Buffer) => {
      const isWithheld = this.#withheld === 'all' || this.#withheld === port;
      if (!isWithheld && !near.write(chunk)) {
        far.pause();
        near.once('drain', () => far.resume());
      }
    });
    far.on('end', () => near.end());
  }
}
