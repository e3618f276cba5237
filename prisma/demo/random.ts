/** A small repeatable source of chance (sfc32), so that the demo data is the same on every machine. */
export interface Random {
  /** A number from 0 up to but not including 1. */
  next(): number;
  /** A whole number from 0 up to but not including `below`. */
  below(below: number): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True with probability `p`. */
  chance(p: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** One of the values, each as likely as its weight says. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T;
  /** A draw from the bell curve. */
  normal(mean: number, deviation: number): number;
}

export function createRandom(seed: number): Random {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, seed | 0];
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    c |= 0;
    return (t >>> 0) / 4_294_967_296;
  };
  // The first draws still show the seed.
  for (let index = 0; index < 16; index += 1) next();
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (p) => next() < p,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    weighted: (choices) => {
      let at = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of choices) {
        at -= weight;
        if (at < 0) return value;
      }
      return (choices.at(-1) as (typeof choices)[number])[0];
    },
    normal: (mean, deviation) => {
      const radius = Math.sqrt(-2 * Math.log(1 - next()));
      return mean + deviation * radius * Math.cos(2 * Math.PI * next());
    },
  };
}
