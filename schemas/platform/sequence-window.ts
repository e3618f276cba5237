/** How many numbers below the highest are remembered: more than one process ever has under way. */
const SIZE = 32_768;
const BITS = 32;

/**
 * Which numbers of a sequence have been seen, in memory that does not grow: those that are far behind the highest
 * count as seen (as in RFC 4303, section 3.4.3).
 */
export class SequenceWindow {
  /** `performance.now()` when a number was last asked about. */
  usedAt = 0;
  #highest = 0;
  readonly #seen = new Uint32Array(SIZE / BITS);

  /** Takes a number. @returns whether it is the first time. */
  take(number: number): boolean {
    if (!Number.isSafeInteger(number) || number < 1) return false;
    this.usedAt = performance.now();
    if (number > this.#highest) {
      this.#forget(number);
      this.#highest = number;
    } else if (number <= this.#highest - SIZE) return false;
    const [word, bit] = placeOf(number);
    if (((this.#seen[word] as number) & bit) !== 0) return false;
    this.#seen[word] = (this.#seen[word] as number) | bit;
    return true;
  }

  /** Makes room: what stood in the places of the numbers up to this one has left the window. */
  #forget(number: number): void {
    if (number - this.#highest >= SIZE) {
      this.#seen.fill(0);
      return;
    }
    for (let each = this.#highest + 1; each <= number; each += 1) {
      const [word, bit] = placeOf(each);
      this.#seen[word] = (this.#seen[word] as number) & ~bit;
    }
  }
}

function placeOf(number: number): readonly [word: number, bit: number] {
  const place = number % SIZE;
  return [Math.floor(place / BITS), 1 << (place % BITS)];
}
