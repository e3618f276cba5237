import type { Box } from './raster.ts';

/** A set of pixels: 1 inside, 0 outside. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A connected set of pixels (four neighbours). */
export interface Component {
  readonly label: number;
  readonly area: number;
  readonly box: Box;
  /** Mean position. */
  readonly x: number;
  readonly y: number;
  readonly touches: {
    readonly left: boolean;
    readonly right: boolean;
    readonly top: boolean;
    readonly bottom: boolean;
  };
}

export function maskOf(width: number, height: number, isInside: (index: number) => boolean): Mask {
  const data = new Uint8Array(width * height);
  for (let index = 0; index < data.length; index++) data[index] = isInside(index) ? 1 : 0;
  return { width, height, data };
}

export function areaOf(mask: Mask): number {
  let area = 0;
  for (const each of mask.data) area += each;
  return area;
}

/**
 * Labels every connected set of pixels from 1 on, in the order of their first pixels; those of fewer than `areaMin`
 * pixels are left out of the list. By runs of rows that are joined where they touch: A. Rosenfeld and J. L. Pfaltz,
 * Journal of the ACM 1966.
 */
export function components(
  mask: Mask,
  areaMin = 1,
): { readonly labels: Int32Array; readonly list: readonly Component[] } {
  const { width, height, data } = mask;
  const { starts, ends, parents } = runsOf(mask);
  const labels = new Int32Array(data.length);
  const labelOf = new Int32Array(starts.length);
  const all: Extent[] = [];
  for (const [run, start] of starts.entries()) {
    // A run's parent comes before it, or is the run itself: parents have their label already.
    const isFirst = parents[run] === run;
    if (isFirst) all.push({ area: 0, sumX: 0, sumY: 0, left: width, right: 0, upper: height, lower: 0 });
    const label = isFirst ? all.length : labelOf[parents[run]!]!;
    labelOf[run] = label;
    const end = ends[run]!;
    labels.fill(label, start, end);
    const x = start % width;
    const y = (start - x) / width;
    const count = end - start;
    const last = x + count - 1;
    const extent = all[label - 1]!;
    extent.area += count;
    extent.sumX += (count * (x + last)) / 2;
    extent.sumY += count * y;
    if (x < extent.left) extent.left = x;
    if (last > extent.right) extent.right = last;
    if (y < extent.upper) extent.upper = y;
    if (y > extent.lower) extent.lower = y;
  }
  const list = all.flatMap(({ area, sumX, sumY, left, right, upper, lower }, index): Component[] =>
    area < areaMin
      ? []
      : [
          {
            label: index + 1,
            area,
            box: { x: left, y: upper, width: right - left + 1, height: lower - upper + 1 },
            x: sumX / area,
            y: sumY / area,
            touches: { left: left === 0, right: right === width - 1, top: upper === 0, bottom: lower === height - 1 },
          },
        ],
  );
  return { labels, list };
}

interface Extent {
  area: number;
  sumX: number;
  sumY: number;
  left: number;
  right: number;
  upper: number;
  lower: number;
}

/**
 * The runs of pixels in each row, by their first index and the one after their last, and for each an earlier run of
 * the same connected set: the first one of it at the end of all.
 */
function runsOf({ width, height, data }: Mask): {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly parents: readonly number[];
} {
  const starts: number[] = [];
  const ends: number[] = [];
  const parents: number[] = [];
  const rootOf = (run: number): number => {
    let root = run;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!;
    return root;
  };
  let above = 0;
  for (let row = 0; row < height; row++) {
    const first = starts.length;
    const rowEnd = (row + 1) * width;
    for (let at = row * width; at < rowEnd; at++) {
      if (data[at] === 0) continue;
      const start = at;
      while (at < rowEnd && data[at] === 1) at += 1;
      const run = starts.length;
      starts.push(start);
      ends.push(at);
      parents.push(run);
      while (above < first && ends[above]! <= start - width) above += 1;
      for (let each = above; each < first && starts[each]! < at - width; each++) {
        const one = rootOf(run);
        const other = rootOf(each);
        // The earlier run stays: labels are in the order of first pixels.
        if (one < other) parents[other] = one;
        else parents[one] = other;
      }
    }
    above = first;
  }
  for (let run = 0; run < parents.length; run++) parents[run] = rootOf(run);
  return { starts, ends, parents };
}

/** The pixels of one label. */
export function componentMask(labels: Int32Array, label: number, width: number, height: number): Mask {
  return maskOf(width, height, (index) => labels[index] === label);
}

/** The largest connected part; an empty mask stays empty. */
export function largestPart(mask: Mask): Mask {
  const { labels, list } = components(mask);
  const largest = list.reduce<Component | undefined>(
    (best, each) => (best && best.area >= each.area ? best : each),
    undefined,
  );
  return largest ? componentMask(labels, largest.label, mask.width, mask.height) : mask;
}

/** With every part of the outside that does not reach the border of the picture counted as inside. */
export function filled(mask: Mask): Mask {
  const { width, height } = mask;
  const outside = maskOf(width, height, (index) => mask.data[index] === 0);
  const { labels, list } = components(outside);
  const open = new Set(
    list
      .filter(({ touches }) => touches.left || touches.right || touches.top || touches.bottom)
      .map(({ label }) => label),
  );
  return maskOf(width, height, (index) => mask.data[index] === 1 || !open.has(labels[index]!));
}

/** Grown by a square of half width `radius`; for shapes of dozens of pixels square and disc differ little. */
export function dilated(mask: Mask, radius: number): Mask {
  return swept(mask, radius, 1);
}

/** Shrunk likewise; what lies outside the picture counts as inside, so that its border eats nothing. */
export function eroded(mask: Mask, radius: number): Mask {
  return swept(mask, radius, 0);
}

/** Gaps narrower than the square are closed. */
export function closed(mask: Mask, radius: number): Mask {
  return eroded(dilated(mask, radius), radius);
}

/** Parts narrower than the square are removed. */
export function opened(mask: Mask, radius: number): Mask {
  return dilated(eroded(mask, radius), radius);
}

function swept(mask: Mask, radius: number, value: 0 | 1): Mask {
  if (radius < 1) return mask;
  const { width, height } = mask;
  return {
    width,
    height,
    data: sweepColumns(sweepRows(mask.data, width, radius, value), width, height, radius, value),
  };
}

function sweepRows(source: Uint8Array, width: number, radius: number, value: 0 | 1): Uint8Array {
  const target = new Uint8Array(source.length).fill(1 - value);
  for (let start = 0; start < source.length; start += width) {
    const end = start + width;
    // Up to here the row is swept already.
    let reach = start;
    for (let at = start; at < end; at++) {
      if (source[at] !== value) continue;
      const until = Math.min(end, at + radius + 1);
      for (let each = Math.max(reach, at - radius); each < until; each++) target[each] = value;
      reach = until;
    }
  }
  return target;
}

/** All columns at once, row by row: memory is read in its order, which is several times faster. */
function sweepColumns(source: Uint8Array, width: number, height: number, radius: number, value: 0 | 1): Uint8Array {
  const target = new Uint8Array(source.length);
  // Distance of each column's nearest row of the value, above and then below.
  const far = new Int32Array(width).fill(radius + 1);
  for (let start = 0; start < source.length; start += width)
    for (let x = 0; x < width; x++) {
      const distance = source[start + x] === value ? 0 : far[x]! + 1;
      far[x] = distance;
      target[start + x] = distance <= radius ? value : 1 - value;
    }
  far.fill(radius + 1);
  for (let start = width * (height - 1); start >= 0; start -= width)
    for (let x = 0; x < width; x++) {
      const distance = source[start + x] === value ? 0 : far[x]! + 1;
      far[x] = distance;
      if (distance <= radius) target[start + x] = value;
    }
  return target;
}

/**
 * The outline of the largest part as points between pixels, clockwise, simplified so that no point of it lies
 * farther than `tolerance` pixels from what is returned. Empty for an empty mask.
 * D. H. Douglas and T. K. Peucker, Cartographica 1973.
 */
export function outline(mask: Mask, tolerance: number): [number, number][] {
  const path = trace(largestPart(mask));
  if (path.length < 4) return path;
  // A closed line has no ends: the farthest point from the first one halves it.
  let far = 0;
  let farthest = -1;
  for (const [index, [x, y]] of path.entries()) {
    const distance = Math.hypot(x - path[0]![0], y - path[0]![1]);
    if (distance > farthest) {
      farthest = distance;
      far = index;
    }
  }
  const first = simplified(path.slice(0, far + 1), tolerance);
  const second = simplified([...path.slice(far), path[0]!], tolerance);
  return [...first.slice(0, -1), ...second.slice(0, -1)];
}

/** Follows the cracks between inside and outside, with the inside on the right hand. */
function trace(mask: Mask): [number, number][] {
  const { width, height, data } = mask;
  const start = data.indexOf(1);
  if (start < 0) return [];
  const inside = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && data[y * width + x] === 1;
  const startX = start % width;
  const startY = (start - startX) / width;
  const path: [number, number][] = [];
  let x = startX;
  let y = startY;
  // Directions: 0 right, 1 down, 2 left, 3 up. The first crack is the top of the topmost pixel.
  let direction = 0;
  const limit = 4 * data.length;
  for (let step = 0; step < limit; step++) {
    path.push([x, y]);
    if (direction === 0) x += 1;
    else if (direction === 1) y += 1;
    else if (direction === 2) x -= 1;
    else y -= 1;
    if (x === startX && y === startY) break;
    // The two pixels ahead of the corner that was reached.
    const [leftAhead, rightAhead] = (
      [
        [inside(x, y - 1), inside(x, y)],
        [inside(x, y), inside(x - 1, y)],
        [inside(x - 1, y), inside(x - 1, y - 1)],
        [inside(x - 1, y - 1), inside(x, y - 1)],
      ] as const
    )[direction]!;
    if (!rightAhead) direction = (direction + 1) % 4;
    else if (leftAhead) direction = (direction + 3) % 4;
  }
  return path;
}

function simplified(path: readonly [number, number][], tolerance: number): [number, number][] {
  if (path.length < 3) return [...path];
  const keep = new Uint8Array(path.length);
  keep[0] = 1;
  keep[path.length - 1] = 1;
  const spans: [number, number][] = [[0, path.length - 1]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span;
    const [ax, ay] = path[from]!;
    const [bx, by] = path[to]!;
    const length = Math.hypot(bx - ax, by - ay);
    let worst = tolerance;
    let at = -1;
    for (let index = from + 1; index < to; index++) {
      const [px, py] = path[index]!;
      const distance =
        length === 0 ? Math.hypot(px - ax, py - ay) : Math.abs((bx - ax) * (ay - py) - (ax - px) * (by - ay)) / length;
      if (distance > worst) {
        worst = distance;
        at = index;
      }
    }
    if (at < 0) continue;
    keep[at] = 1;
    spans.push([from, at], [at, to]);
  }
  return path.filter((_, index) => keep[index] === 1);
}
