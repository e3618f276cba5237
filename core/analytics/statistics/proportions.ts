import { Z } from './distributions.ts';
import type { Bounds } from './interval.ts';

/**
 * Score interval of a proportion, from 0 to 1.
 * Wilson EB. Probable inference, the law of succession, and statistical inference. J Am Stat Assoc 1927;22:209-212.
 * @param people greater than 0.
 */
export function wilson(cases: number, people: number): Bounds {
  const share = cases / people;
  const square = Z * Z;
  const middle = share + square / (2 * people);
  const half = Z * Math.sqrt((share * (1 - share)) / people + square / (4 * people * people));
  const whole = 1 + square / people;
  return { low: Math.max(0, (middle - half) / whole), high: Math.min(1, (middle + half) / whole) };
}
