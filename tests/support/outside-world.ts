/** What a converter must not ask: it would give another answer tomorrow, in another process, or the second time. */
export class AskedOutside extends Error {
  override readonly name = 'AskedOutside';
}

/** Runs `work` where there is no clock, no randomness and no environment: whoever asks for them is told what for. */
export function withoutOutside<T>(work: () => T): T {
  const refuse = (what: string) => (): never => {
    throw new AskedOutside(`a translator asked for ${what}`);
  };
  const RealDate = globalThis.Date;
  const env = Object.getOwnPropertyDescriptor(process, 'env') as PropertyDescriptor;
  const Timeless = new Proxy(RealDate, {
    construct: (target, args: readonly unknown[]) =>
      args.length === 0 ? refuse('the date')() : Reflect.construct(target, args),
    apply: refuse('the date'),
    get: (target, name, receiver) => (name === 'now' ? refuse('the clock') : Reflect.get(target, name, receiver)),
  });
  const { random } = Math;
  const { now } = performance;
  const { randomUUID, getRandomValues } = crypto;
  globalThis.Date = Timeless;
  Math.random = refuse('a random number');
  performance.now = refuse('the clock');
  crypto.randomUUID = refuse('a random id');
  crypto.getRandomValues = refuse('random bytes');
  Object.defineProperty(process, 'env', {
    configurable: true,
    get: refuse('the environment'),
  });
  try {
    return work();
  } finally {
    globalThis.Date = RealDate;
    Math.random = random;
    performance.now = now;
    crypto.randomUUID = randomUUID;
    crypto.getRandomValues = getRandomValues;
    Object.defineProperty(process, 'env', env);
  }
}
