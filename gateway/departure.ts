/** What tells that work is no longer wanted: an `AbortSignal`, or the client's leaving. */
export interface Cancellation {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * A client's leaving before its answer was complete. Every request needs one and next to none of them uses it, so it
 * is an object with a list, where an `AbortController` is several with weak references.
 */
export class Departure implements Cancellation {
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

  /** Tells everyone who listens. */
  leave(): void {
    this.aborted = true;
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const tell of listeners) tell();
  }
}
