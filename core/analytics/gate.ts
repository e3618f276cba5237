import { Fault } from '@perennial/schemas/platform/http/fault.ts';

const RETRY_AFTER_SECONDS = '5';

/** Lets a few callers in at a time and makes some wait, so that analytics never take every database connection. */
export class Gate {
  readonly #atOnceMax: number;
  readonly #waitingMax: number;
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnceMax: number, waitingMax: number) {
    this.#atOnceMax = atOnceMax;
    this.#waitingMax = waitingMax;
  }

  /** @throws Fault `unavailable` when too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#atOnceMax) await this.#wait();
    else this.#inside += 1;
    try {
      return await work();
    } finally {
      // Whoever waits takes the place over; it is not given up in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside -= 1;
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#waitingMax) {
      throw new Fault('unavailable', { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
