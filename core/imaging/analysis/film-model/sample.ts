import type { GrayImage } from '../../image.ts';
import type { FilmPosition } from './film-look.ts';

/**
 * The picture as a square of so many pixels, without regard to proportions: means over areas where it is larger, linear
 * between pixels where it is smaller. Tones run from 0 to 1 over the range of the image.
 */
export function squareOf({ width, height, pixels, minimum, maximum }: GrayImage, side: number): Float32Array {
  const columns = weightsOf(width, side);
  const rows = weightsOf(height, side);
  const narrow = new Float32Array(side * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < side; x++) {
      const { from, weights } = columns[x]!;
      let sum = 0;
      for (let index = 0; index < weights.length; index++) sum += pixels[y * width + from + index]! * weights[index]!;
      narrow[y * side + x] = sum;
    }
  const range = Math.max(maximum - minimum, Number.MIN_VALUE);
  const square = new Float32Array(side * side);
  for (let y = 0; y < side; y++) {
    const { from, weights } = rows[y]!;
    for (let x = 0; x < side; x++) {
      let sum = 0;
      for (let index = 0; index < weights.length; index++) sum += narrow[(from + index) * side + x]! * weights[index]!;
      square[y * side + x] = (sum - minimum) / range;
    }
  }
  return square;
}

interface Weights {
  readonly from: number;
  readonly weights: Float64Array;
}

/** Which pixels of a line make each of so many new ones, and how much. */
function weightsOf(length: number, side: number): readonly Weights[] {
  const scale = length / side;
  return Array.from({ length: side }, (_, at) => {
    if (scale <= 1) {
      const centre = Math.min(length - 1, Math.max(0, (at + 0.5) * scale - 0.5));
      const from = Math.min(Math.max(0, length - 2), Math.floor(centre));
      const share = centre - from;
      return { from, weights: Float64Array.of(1 - share, share).subarray(0, Math.min(2, length)) };
    }
    const from = Math.floor(at * scale);
    const until = Math.min(length, Math.ceil((at + 1) * scale - 1e-9));
    const weights = Float64Array.from({ length: until - from }, (__, index) => {
      const pixel = from + index;
      return (Math.min(pixel + 1, (at + 1) * scale) - Math.max(pixel, at * scale)) / scale;
    });
    return { from, weights };
  });
}

/** Where a place of the upright film lies in the stored picture; both run from 0 to 1. */
export function storedPlace(
  { quarterTurns, isMirrored }: FilmPosition,
  u: number,
  v: number,
): readonly [number, number] {
  const x = isMirrored ? 1 - u : u;
  return (
    [
      [x, v],
      [1 - v, x],
      [1 - x, 1 - v],
      [v, 1 - x],
    ] as const
  )[quarterTurns];
}

/** The stored square as the upright film, neither mirrored nor with its tones exchanged. */
export function uprightOf(square: Float32Array, position: FilmPosition, isInverted: boolean): Float32Array {
  const side = Math.round(Math.sqrt(square.length));
  const upright = new Float32Array(square.length);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const [u, v] = storedPlace(position, (x + 0.5) / side, (y + 0.5) / side);
      const tone = square[Math.floor(v * side) * side + Math.floor(u * side)]!;
      upright[y * side + x] = isInverted ? 1 - tone : tone;
    }
  return upright;
}
