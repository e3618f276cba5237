/** Tells work that its result is no longer wanted: an `AbortSignal`, or the client's disconnect. */
export interface Cancellation {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * The client's disconnect before its answer was complete. Every request has one and very few use it, so it is one small
 * object with a list of listeners: an `AbortController` is several objects with weak references.
 */
export class ClientDisconnect implements Cancellation {
  aborted = false;
  #listeners: (() => void)[] | undefined;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners ??= [];
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners?.indexOf(listener) ?? -1;
    if (at >= 0) this.#listeners?.splice(at, 1);
  }

  /** Calls every listener. */
  abort(): void {
    this.aborted = true;
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const tell of listeners) tell();
  }
}
