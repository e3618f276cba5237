/**
 * An object that is made when something of it is first asked for. What reads much at its start (the knowledge base)
 * costs a process nothing that never asks; one that serves clients asks before they do (`Services.warmUp`).
 * @param make is called once. What it throws is thrown to whoever asks, each time anew.
 */
export function lazily<T extends object>(make: () => T): T {
  const get = once(make);
  return new Proxy({} as T, {
    get(_, name) {
      const made = get();
      const value: unknown = Reflect.get(made, name, made);
      return typeof value === 'function' ? value.bind(made) : value;
    },
  });
}

/** A function that works its value out once. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
