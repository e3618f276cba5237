/** Whole numbers from 0 to below a bound, the same for the same salt. */
export function randomSequence(salt: number): (below: number) => number {
  let state = (salt + 1) * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}
