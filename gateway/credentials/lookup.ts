/** Finds one value by its name. */
export interface Lookup<T> {
  find(name: string): Promise<T | undefined>;
  /** Lookups from now on do not share queries that were sent before. */
  renew(): void;
}

interface Waiting<T> {
  readonly promise: Promise<T | undefined>;
  resolve(value: T | undefined): void;
  reject(error: unknown): void;
}

/** Most queries at a time, and most names in one of them. */
const ASKED_AT_A_TIME = 2;
const NAMES_MAX = 500;

/**
 * Asks for many values together: the first at once, and those that come while enough questions are under way with the
 * next one. So a flood of names costs a handful of questions, and whoever comes with it waits for two at most.
 * A name that is asked for twice is asked once.
 */
export function createLookup<T>(load: (names: readonly string[]) => Promise<ReadonlyMap<string, T>>): Lookup<T> {
  const waiting = new Map<string, Waiting<T>>();
  const asked = new Map<string, Waiting<T>>();
  let underWay = 0;

  const ask = async (): Promise<void> => {
    const batch = [...waiting].slice(0, NAMES_MAX);
    for (const [name, each] of batch) {
      waiting.delete(name);
      asked.set(name, each);
    }
    underWay += 1;
    try {
      const found = await load(batch.map(([name]) => name));
      for (const [name, { resolve }] of batch) resolve(found.get(name));
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    } finally {
      underWay -= 1;
      for (const [name, each] of batch) if (asked.get(name) === each) asked.delete(name);
      if (waiting.size > 0) void ask();
    }
  };

  return {
    find(name) {
      const known = asked.get(name) ?? waiting.get(name);
      if (known) return known.promise;
      const fresh: Waiting<T> = Promise.withResolvers<T | undefined>();
      waiting.set(name, fresh);
      if (underWay < ASKED_AT_A_TIME) void ask();
      return fresh.promise;
    },
    renew: () => asked.clear(),
  };
}
