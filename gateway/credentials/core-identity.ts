import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { CORE_INSTANCE_HEADER } from '@perennial/schemas/platform/internal-token.ts';

/** How long after a change of the process another one shows that there are several behind the address. */
const CHANGES_APART_MS = 10_000;
/** How long they are then taken for several. */
const SEVERAL_MS = 600_000;

/**
 * Which core answers at an address, as its answers say. A token that is meant for one process is worth nothing at
 * another, or to the same after it was started anew. Behind a balancer it is another one each time, and none is named.
 */
export class CoreIdentity {
  #instance: string | undefined;
  #changedAt = Number.NEGATIVE_INFINITY;
  #severalUntil = 0;

  /** The core process that the next request is addressed to; undefined for any. */
  get audience(): string | undefined {
    return this.#severalUntil > 0 && performance.now() < this.#severalUntil ? undefined : this.#instance;
  }

  /**
   * Learns from an answer.
   * @param meantFor whom the request was meant for. @param status of the answer.
   * @returns whom it is to be sent to instead, where core did nothing but refuse what was not meant for it.
   */
  misdirected(
    meantFor: string | undefined,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): string | undefined {
    const instance = headers[CORE_INSTANCE_HEADER];
    if (typeof instance !== 'string') return undefined;
    if (instance !== this.#instance) this.#change(instance);
    return status === 401 && instance !== meantFor ? instance : undefined;
  }

  #change(instance: string): void {
    const now = performance.now();
    if (this.#instance !== undefined) {
      if (now - this.#changedAt < CHANGES_APART_MS) this.#severalUntil = now + SEVERAL_MS;
      this.#changedAt = now;
    }
    this.#instance = instance;
  }
}

/** What is asked of an identity. */
export type Identity = Pick<CoreIdentity, 'audience' | 'misdirected'>;

/** Of a service that does not say which process answers. */
export const anyProcess: Identity = { audience: undefined, misdirected: () => undefined };

/** Core was restarted while a body was being sent that cannot be sent again. Nothing was done. */
export function notReached(): Fault {
  return new Fault('unavailable', { headers: { 'retry-after': '1' }, cause: new Error('core was started anew') });
}
