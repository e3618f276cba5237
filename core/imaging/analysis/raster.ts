/** A picture to compute with: row-major numbers. Functions here are pure and keep the size unless they say so. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

export function raster(width: number, height: number, data = new Float32Array(width * height)): Raster {
  return { width, height, data };
}

/** The picture with each value replaced. */
export function mapped(source: Raster, map: (value: number, index: number) => number): Raster {
  const data = new Float32Array(source.data.length);
  for (let index = 0; index < data.length; index++) data[index] = map(source.data[index]!, index);
  return { ...source, data };
}

/**
 * The picture made smaller by the mean over areas, so that its longer side has at most `longest` pixels. A picture
 * that is small already is returned as it is. Pixel (x, y) of the result covers [x, x + 1) × `scale` of the source.
 */
export function shrunk(
  source: Raster,
  longest: number,
): { readonly small: Raster; readonly scale: { readonly x: number; readonly y: number } } {
  const factor = Math.max(source.width, source.height) / longest;
  if (factor <= 1) return { small: source, scale: { x: 1, y: 1 } };
  const width = Math.max(1, Math.round(source.width / factor));
  const height = Math.max(1, Math.round(source.height / factor));
  const x = source.width / width;
  const y = source.height / height;
  const data = new Float32Array(width * height);
  const weights = new Float32Array(width * height);
  // Each source pixel belongs to the cell of its centre: at these factors the error is far below a pixel.
  const columns = Int32Array.from({ length: source.width }, (_, each) =>
    Math.min(width - 1, Math.floor((each + 0.5) / x)),
  );
  for (let row = 0; row < source.height; row++) {
    const line = Math.min(height - 1, Math.floor((row + 0.5) / y)) * width;
    const from = row * source.width;
    for (let column = 0; column < source.width; column++) {
      const to = line + columns[column]!;
      data[to]! += source.data[from + column]!;
      weights[to]! += 1;
    }
  }
  for (let index = 0; index < data.length; index++) data[index]! /= Math.max(1, weights[index]!);
  return { small: { width, height, data }, scale: { x, y } };
}

/** Smoothed by about a Gaussian of standard deviation `sigma` pixels: three box means, borders repeated. */
export function smoothed(source: Raster, sigma: number): Raster {
  if (sigma <= 0.3) return source;
  // W. M. Wells, Efficient synthesis of Gaussian filters by cascaded uniform filters, PAMI 1986.
  const radius = Math.max(1, Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2));
  let data = source.data;
  for (let pass = 0; pass < 3; pass++) data = boxMean(data, source.width, source.height, radius);
  return { ...source, data };
}

function boxMean(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  return boxColumns(boxRows(source, width, height, radius), width, height, radius);
}

function boxRows(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const target = new Float32Array(source.length);
  const span = 2 * radius + 1;
  for (let start = 0; start < width * height; start += width) {
    const last = start + width - 1;
    let sum = source[start]! * (radius + 1);
    for (let index = 1; index <= radius; index++) sum += source[Math.min(last, start + index)]!;
    for (let at = start; at <= last; at++) {
      target[at] = sum / span;
      sum += source[Math.min(last, at + radius + 1)]! - source[Math.max(start, at - radius)]!;
    }
  }
  return target;
}

/** All columns at once, row by row: memory is read in its order, which is several times faster. */
function boxColumns(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const target = new Float32Array(source.length);
  const span = 2 * radius + 1;
  const sums = new Float64Array(width);
  const startOf = (row: number): number => Math.min(height - 1, Math.max(0, row)) * width;
  for (let x = 0; x < width; x++) sums[x] = source[x]! * (radius + 1);
  for (let row = 1; row <= radius; row++) {
    const start = startOf(row);
    for (let x = 0; x < width; x++) sums[x]! += source[start + x]!;
  }
  for (let row = 0; row < height; row++) {
    const start = row * width;
    const enters = startOf(row + radius + 1);
    const leaves = startOf(row - radius);
    for (let x = 0; x < width; x++) {
      const sum = sums[x]!;
      target[start + x] = sum / span;
      sums[x] = sum + (source[enters + x]! - source[leaves + x]!);
    }
  }
  return target;
}

/** Turned clockwise by quarter turns; width and height change places for odd ones. */
export function turned(source: Raster, quarterTurns: 0 | 1 | 2 | 3): Raster {
  if (quarterTurns === 0) return source;
  const { width, height } = source;
  const wide = quarterTurns === 2 ? width : height;
  const high = quarterTurns === 2 ? height : width;
  const data = new Float32Array(source.data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [tx, ty] =
        quarterTurns === 1
          ? [height - 1 - y, x]
          : quarterTurns === 2
            ? [width - 1 - x, height - 1 - y]
            : [y, width - 1 - x];
      data[ty * wide + tx] = source.data[y * width + x]!;
    }
  return { width: wide, height: high, data };
}

/** Left and right exchanged. */
export function mirrored(source: Raster): Raster {
  const { width } = source;
  return mapped(source, (_, index) => {
    const x = index % width;
    return source.data[index - x + (width - 1 - x)]!;
  });
}

/** The part inside a box of whole pixels. */
export function cropped(source: Raster, box: Box): Raster {
  const data = new Float32Array(box.width * box.height);
  for (let y = 0; y < box.height; y++) {
    const from = (box.y + y) * source.width + box.x;
    data.set(source.data.subarray(from, from + box.width), y * box.width);
  }
  return { width: box.width, height: box.height, data };
}

/** An upright box in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A histogram of 1024 bins over [minimum, maximum], for shares and quantiles without sorting. */
export class Histogram {
  private static readonly BINS = 1024;
  private readonly counts = new Float64Array(Histogram.BINS);
  private readonly minimum: number;
  private readonly width: number;
  private total = 0;

  constructor(values: Iterable<number> & { readonly length: number }, minimum: number, maximum: number) {
    this.minimum = minimum;
    this.width = Math.max(maximum - minimum, Number.MIN_VALUE) / Histogram.BINS;
    for (const value of values) {
      const bin = Math.floor((value - minimum) / this.width);
      this.counts[Math.min(Histogram.BINS - 1, Math.max(0, bin))]! += 1;
      this.total += 1;
    }
  }

  /** The value below which the share of all values lies. */
  quantile(share: number): number {
    const wanted = share * this.total;
    let seen = 0;
    for (let bin = 0; bin < Histogram.BINS; bin++) {
      const count = this.counts[bin]!;
      if (seen + count >= wanted && count > 0) return this.minimum + (bin + (wanted - seen) / count) * this.width;
      seen += count;
    }
    return this.minimum + Histogram.BINS * this.width;
  }

  /** Shannon entropy in bits, of 0 to 10. */
  entropy(): number {
    let bits = 0;
    for (const count of this.counts) if (count > 0) bits -= (count / this.total) * Math.log2(count / this.total);
    return bits;
  }

  /** The largest share of all values that one bin holds. */
  peak(): number {
    return Math.max(...this.counts) / Math.max(1, this.total);
  }
}

/** The median; 0 for nothing. Does not change its argument. */
export function median(values: ArrayLike<number>): number {
  return quantileOf(values, 0.5);
}

/** The value below which the share lies; 0 for nothing. */
export function quantileOf(values: ArrayLike<number>, share: number): number {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(sorted.length - 1, low + 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low);
}

/** Standard deviation by the median absolute deviation, untouched by outliers. */
export function robustDeviation(values: ArrayLike<number>, centre = median(values)): number {
  return 1.4826 * median(Float64Array.from(values, (value) => Math.abs(value - centre)));
}
