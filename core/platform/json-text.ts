/**
 * A value that is JSON already: it was written where it was worked out, so that core's loop neither takes a large one
 * apart nor puts it together again.
 */
export class JsonText<T> {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Parses the text: for the few callers that need a member of it. */
  value(): T {
    return JSON.parse(this.text) as T;
  }
}

/** The value, parsed if it is held as text. */
export function jsonValue<T>(given: T | JsonText<T>): T {
  return given instanceof JsonText ? given.value() : given;
}
