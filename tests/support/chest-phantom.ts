import type { GrayImage } from '@perennial/core/imaging/image.ts';
import { type Random, seeded } from './random.ts';

/**
 * A frontal chest film computed from a body of simple shapes: path lengths through tissue, air and bone along
 * parallel rays, Beer-Lambert attenuation, scatter, quantum noise, blur and a film-like tone curve. Lengths are
 * millimetres at the detector; `u` runs from the midline to the left of the patient (to the right of the picture),
 * `v` downwards from the apices. It knows where everything is, so measurements can be held against it. It is no
 * substitute for films of people: its organs are smooth and its patients are all alike.
 */

export type Side = 'right' | 'left';

export interface PhantomOpacity {
  readonly side: Side;
  /** Place between the mediastinum (0) and the chest wall (1). */
  readonly across: number;
  /** Place between apex (0) and dome of the diaphragm (1). */
  readonly down: number;
  readonly radiusMm: number;
  /** Tissue added at the centre, in millimetres of water. */
  readonly waterMm: number;
}

export interface PhantomOptions {
  readonly seed: number;
  /** Height of the picture in pixels; the width follows the field of 350 by 430 mm. */
  readonly heightPx?: number;
  /** Width of the heart over inner width of the thorax. */
  readonly cardiothoracicRatio?: number;
  readonly effusion?: { readonly side: Side /** Above the lowest point of the angle. */; readonly levelMm: number };
  readonly opacities?: readonly PhantomOpacity[];
  /** Half width of the upper mediastinum. */
  readonly mediastinumHalfMm?: number;
  /** Where the trachea runs; positive is towards the left of the patient. */
  readonly tracheaShiftMm?: number;
  /** Photons of an unattenuated ray, in thousands: fewer means more noise. */
  readonly photons?: number;
  /** Moves the tone curve: 0 is right, 1 burns the mediastinum out to white, -1 drowns the lungs in black. */
  readonly exposure?: number;
  /** Length of a movement during exposure. */
  readonly motionMm?: { readonly x: number; readonly y: number };
  /** Width of unexposed borders, as a share of the picture. */
  readonly collimation?: number;
  /** Quarter turns clockwise of the finished picture. */
  readonly quarterTurns?: 0 | 1 | 2 | 3;
  readonly isMirrored?: boolean;
}

export interface PhantomTruth {
  readonly spacingMm: number;
  readonly cardiothoracicRatio: number;
  readonly thoraxWidthMm: number;
  readonly heartWidthMm: number;
  /** Between the inner borders of the lung fields at the height of the aortic arch: the median over those rows. */
  readonly mediastinumWidthMm: number;
  readonly tracheaShiftMm: number;
  /** In pixels of the upright picture. */
  readonly midlineX: number;
  /** Lung fields as they are seen: 1 right, 2 left. In the upright picture. */
  readonly lungs: Uint8Array;
  /** In pixels of the upright picture; `across` and `down` of each opacity. */
  readonly opacities: readonly {
    readonly side: Side;
    readonly x: number;
    readonly y: number;
    readonly radius: number;
  }[];
}

export interface Phantom {
  readonly image: GrayImage;
  readonly truth: PhantomTruth;
}

const FIELD_MM = { width: 350, height: 430 };
const WATER_PER_MM = 0.0185;

/** A film of a random patient. The same options give the same film. */
export function chestPhantom(options: PhantomOptions): Phantom {
  const random = seeded(options.seed);
  const height = options.heightPx ?? 512;
  const spacing = FIELD_MM.height / height;
  const width = Math.round(FIELD_MM.width / spacing);
  const body = patient(options, random);
  const water = new Float32Array(width * height);
  const lungs = new Uint8Array(width * height);
  const air = new Uint8Array(width * height);
  const midX = FIELD_MM.width / 2 + random.between(-8, 8);
  const apexY = random.between(62, 82);
  const texture = clouds(random, width, height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const index = y * width + x;
      const u = (x + 0.5) * spacing - midX;
      const v = (y + 0.5) * spacing - apexY;
      const point = along(body, u, v);
      lungs[index] = point.lung;
      air[index] = point.isAir ? 1 : 0;
      water[index] = point.isAir
        ? 0
        : Math.max(0, point.water + (point.aerated > 20 ? texture[index]! * 5 : texture[index]! * 2));
    }
  const opacities = body.opacities.map((each) => ({
    side: each.side,
    x: (each.u + midX) / spacing,
    y: (each.v + apexY) / spacing,
    radius: each.radiusMm / spacing,
  }));
  const heartWidth = reachOf(body, 'right') + reachOf(body, 'left');
  const upright = expose(water, width, height, spacing, options, random);
  const turned = turn(collimated(upright, width, height, options.collimation ?? 0), width, height, options);
  return {
    image: {
      ...turned,
      minimum: 0,
      maximum: 4095,
      bitsStored: 12,
      pixelSpacingMm: [spacing, spacing],
    },
    truth: {
      spacingMm: spacing,
      cardiothoracicRatio: heartWidth / (2 * body.halfWidth),
      thoraxWidthMm: 2 * body.halfWidth,
      heartWidthMm: heartWidth,
      mediastinumWidthMm: archWidth(body),
      tracheaShiftMm: body.trachea,
      midlineX: midX / spacing,
      lungs,
      opacities,
    },
  };
}

interface Body {
  readonly halfWidth: number;
  readonly lungHeight: number;
  readonly wall: number;
  readonly depth: number;
  readonly mediastinum: number;
  readonly trachea: number;
  readonly heartWidth: number;
  readonly heart: { u: number; v: number; a: number; b: number; cos: number; sin: number };
  readonly dome: Readonly<Record<Side, number>>;
  readonly recess: number;
  readonly effusion: { readonly side: Side; readonly top: number } | undefined;
  readonly opacities: readonly (PhantomOpacity & { readonly u: number; readonly v: number })[];
  readonly ribs: readonly { v: number; slope: number }[];
  readonly vessels: readonly { u: number; v: number; du: number; dv: number; length: number; radius: number }[];
  readonly breast: number;
  readonly stomach: boolean;
  readonly shoulder: number;
  readonly neck: number;
}

function patient(options: PhantomOptions, random: Random): Body {
  const halfWidth = random.between(118, 146);
  const lungHeight = halfWidth * random.between(1.75, 2.0);
  const ratio = options.cardiothoracicRatio ?? random.between(0.38, 0.48);
  const heartWidth = ratio * 2 * halfWidth;
  const leftShare = random.between(0.64, 0.72);
  const tilt = random.between(0.35, 0.65);
  // Half extents of a tilted ellipse: the width is given, the proportions are the heart's.
  const proportion = random.between(0.68, 0.8);
  const a = heartWidth / 2 / Math.hypot(Math.cos(tilt), proportion * Math.sin(tilt));
  const b = proportion * a;
  const rightDome = lungHeight * random.between(0.9, 0.97);
  const leftDome = rightDome + random.between(4, 16);
  const recess = random.between(28, 44);
  const mediastinum = options.mediastinumHalfMm ?? random.between(25, 31);
  const heartHalfHeight = Math.hypot(a * Math.sin(tilt), b * Math.cos(tilt));
  const body: Body = {
    halfWidth,
    lungHeight,
    wall: random.between(16, 34),
    depth: random.between(82, 98),
    mediastinum,
    trachea: options.tracheaShiftMm ?? random.between(-3, 3),
    heartWidth,
    heart: {
      u: heartWidth * (leftShare - 0.5),
      v: leftDome + 8 - heartHalfHeight * random.between(0.9, 1),
      a,
      b,
      cos: Math.cos(tilt),
      sin: Math.sin(tilt),
    },
    dome: { right: rightDome, left: leftDome },
    recess,
    effusion: undefined,
    opacities: [],
    ribs: Array.from({ length: 10 }, (_, each) => ({
      v: -8 + (each * lungHeight) / 9.2 + random.between(-3, 3),
      slope: random.between(24, 36),
    })),
    vessels: vesselsOf(random, lungHeight, mediastinum),
    breast: random.chance(0.4) ? random.between(8, 22) : 0,
    stomach: random.chance(0.6),
    shoulder: random.between(165, 200),
    neck: random.between(52, 68),
  };
  const effusion = options.effusion;
  return {
    ...body,
    effusion: effusion && {
      side: effusion.side,
      top: body.dome[effusion.side] + recess - effusion.levelMm,
    },
    opacities: (options.opacities ?? []).map((each) => {
      const v = each.down * body.dome[each.side];
      const outer = wallAt(body, v);
      const inner = medialAt(body, each.side, v);
      const u = inner + each.across * (outer - inner);
      return { ...each, u: each.side === 'left' ? u : -u, v };
    }),
  };
}

/** Half width of the inner thorax at a height. */
function wallAt(body: Body, v: number): number {
  const t = v / body.lungHeight;
  if (t <= 0) return 0;
  const rise = Math.min(1, t / 0.82);
  return body.halfWidth * (1 - (1 - rise) ** 2.2) ** 0.5 * (1 - 0.25 * Math.max(0, t - 0.86) ** 1.3);
}

/** How far the mediastinum or heart reaches from the midline to one side at a height. */
function medialAt(body: Body, side: Side, v: number): number {
  let reach = body.mediastinum * (0.9 + 0.2 * Math.max(0, v / body.lungHeight));
  // The aortic knob, and the hilum below it.
  if (side === 'left') reach += 7 * Math.exp(-(((v - 0.27 * body.lungHeight) / 13) ** 2));
  reach += 5 * Math.exp(-(((v - 0.43 * body.lungHeight) / 18) ** 2));
  const heart = heartAt(body, v);
  if (heart) reach = Math.max(reach, side === 'left' ? heart.right : -heart.left);
  return reach;
}

/** How far the heart, or what hides its border, is seen to reach. */
function reachOf(body: Body, side: Side): number {
  let reach = 0;
  for (let v = 0.5 * body.lungHeight; v < body.dome[side]; v++) reach = Math.max(reach, medialAt(body, side, v));
  return reach;
}

/** Width of the mediastinum from a fifth to a third of the way down the lung fields. */
function archWidth(body: Body): number {
  const bottom = Math.max(body.dome.left, body.dome.right) + body.recess;
  const widths: number[] = [];
  for (let v = 0.2 * bottom; v <= 0.33 * bottom; v++)
    widths.push(medialAt(body, 'left', v) + medialAt(body, 'right', v));
  return widths.sort((a, b) => a - b)[Math.floor(widths.length / 2)]!;
}

/** Left and right end of the heart in the picture at a height. */
function heartAt(body: Body, v: number): { left: number; right: number } | undefined {
  const { u, v: centre, a, b, cos, sin } = body.heart;
  const dv = v - centre;
  const p = (cos / a) ** 2 + (sin / b) ** 2;
  const q = 2 * dv * cos * sin * (1 / a ** 2 - 1 / b ** 2);
  const r = (dv * sin) ** 2 / a ** 2 + (dv * cos) ** 2 / b ** 2 - 1;
  const root = q * q - 4 * p * r;
  if (root <= 0) return undefined;
  const half = Math.sqrt(root) / (2 * p);
  return { left: u - q / (2 * p) - half, right: u - q / (2 * p) + half };
}

/** Height of the lower end of the lung field at a distance from the midline. */
function baseAt(body: Body, side: Side, reach: number): number {
  const outer = body.halfWidth;
  const peak = 0.48 * outer;
  const share = reach > peak ? (reach - peak) / (outer - peak) : ((peak - reach) / peak) * 0.55;
  const dome = body.dome[side] + body.recess * Math.min(1.3, share) ** 2.3;
  if (body.effusion?.side !== side) return dome;
  // The surface of the fluid climbs along the chest wall and the mediastinum.
  const meniscus = 26 * Math.max(0, (reach - 0.62 * outer) / (0.38 * outer)) ** 2;
  return Math.min(dome, body.effusion.top - meniscus);
}

interface Ray {
  readonly water: number;
  readonly aerated: number;
  readonly lung: 0 | 1 | 2;
  readonly isAir: boolean;
}

function along(body: Body, u: number, v: number): Ray {
  const side: Side = u >= 0 ? 'left' : 'right';
  const reach = Math.abs(u);
  const wall = wallAt(body, v);
  const outline = outlineAt(body, v);
  const edge = 1 - (reach / outline) ** 2;
  if (edge <= 0) return { water: 0, aerated: 0, lung: 0, isAir: true };
  const depth = 58 + (body.depth - 36) * smooth((v + 85) / 75);
  let water = 2 * depth * edge ** 0.42;
  let aerated = 0;
  let lung: 0 | 1 | 2 = 0;
  if (v > 0 && reach < wall) {
    const medial = medialAt(body, side, v);
    const base = baseAt(body, side, reach);
    const chord = 2 * body.depth * Math.sqrt(Math.max(0, 1 - (reach / wall) ** 2)) * Math.min(1, 0.35 + v / 60);
    const beside = reach - medial;
    const above = base - v;
    if (beside > 0 && above > 0) {
      lung = side === 'right' ? 1 : 2;
      // The organs that bound the lung are round: the air grows with the root of the distance to them.
      aerated =
        chord *
        Math.min(1, 0.42 + 0.58 * Math.sqrt(Math.min(1, beside / 35))) *
        Math.min(1, 0.4 + 0.6 * Math.sqrt(Math.min(1, above / 30)));
    } else if (above > 0) aerated = chord * 0.16;
    else aerated = chord * 0.1 * Math.max(0, 1 + above / 40);
  }
  water -= aerated * 0.72;
  water += bones(body, u, v, wall);
  if (lung > 0) {
    for (const vessel of body.vessels) water += vesselMm(vessel, u, v);
    for (const each of body.opacities) {
      const distance = Math.hypot(u - each.u, v - each.v) / each.radiusMm;
      if (distance < 1.6) water += Math.min(aerated * 0.65, each.waterMm * Math.exp(-(distance ** 4)));
    }
  }
  if (v > -70 && v < 0.27 * body.lungHeight) {
    const off = Math.abs(u - body.trachea * Math.min(1, Math.max(0, (v + 70) / 70)));
    if (off < 9) water -= 20 * Math.sqrt(1 - (off / 9) ** 2);
  }
  if (body.breast > 0) {
    const r = ((reach - 78) / 62) ** 2 + ((v - 0.72 * body.lungHeight) / 52) ** 2;
    if (r < 1) water += body.breast * Math.sqrt(1 - r);
  }
  if (body.stomach && u > 0) {
    const r = ((u - 62) / 26) ** 2 + ((v - body.dome.left - 24) / 14) ** 2;
    if (r < 1) water -= 55 * Math.sqrt(1 - r);
  }
  return { water: Math.max(4, water), aerated, lung, isAir: false };
}

/** Half width of the body: neck, shoulders, trunk. */
function outlineAt(body: Body, v: number): number {
  const trunk = body.halfWidth + body.wall;
  const shoulder = smooth((v + 62) / 45);
  const upper = body.neck + (body.shoulder - body.neck) * shoulder;
  return upper + (trunk - upper) * smooth((v - 70) / 90);
}

function smooth(t: number): number {
  const s = Math.min(1, Math.max(0, t));
  return s * s * (3 - 2 * s);
}

function bones(body: Body, u: number, v: number, wall: number): number {
  const reach = Math.abs(u);
  let water = 0;
  if (reach < 19) water += 26 * Math.sqrt(1 - (reach / 19) ** 2) * (1 - 0.25 * Math.cos((v * 2 * Math.PI) / 24) ** 8);
  const out = wall > 0 ? reach / wall : 2;
  if (out < 1.04 && v > -15 && v < body.lungHeight * 1.25) {
    for (const rib of body.ribs) {
      if (Math.abs(v - rib.v) > 110) continue;
      const back = v - (rib.v + rib.slope * out ** 2 - 14 * out);
      if (reach > 16) water += tube(back, 5.5, 9) * (1 + 0.8 * smooth((out - 0.85) / 0.15));
      if (out > 0.35) {
        const front = v - (rib.v + rib.slope + 34 * (1 - out) + 14);
        water += tube(front, 5.5, 5);
      }
    }
  }
  const clavicle = v - (14 - 0.2 * (reach - 14));
  if (reach > 12 && reach < 165) water += tube(clavicle, 7, 13);
  const scapula = ((reach - 128) / 22) ** 2 + ((v - 62) / 62) ** 2;
  if (scapula < 1) water += 10 * (1 - scapula) ** 0.4;
  return water;
}

/** A bone with a dense rim, seen from the side. */
function tube(distance: number, radius: number, waterMm: number): number {
  const r = Math.abs(distance) / radius;
  return r >= 1 ? 0 : waterMm * (0.6 + 0.4 * r * r) * Math.min(1, (1 - r) * 4);
}

function vesselsOf(random: Random, lungHeight: number, mediastinum: number): Body['vessels'] {
  const all: { u: number; v: number; du: number; dv: number; length: number; radius: number }[] = [];
  for (const sign of [-1, 1])
    for (let each = 0; each < 11; each++) {
      const angle = random.between(-1.25, 1.3);
      all.push({
        u: sign * (mediastinum + 6),
        v: lungHeight * random.between(0.38, 0.5),
        du: sign * Math.cos(angle),
        dv: Math.sin(angle),
        length: random.between(45, 95),
        radius: random.between(2.5, 5.5),
      });
    }
  return all;
}

function vesselMm(vessel: Body['vessels'][number], u: number, v: number): number {
  const along = (u - vessel.u) * vessel.du + (v - vessel.v) * vessel.dv;
  if (along < -6 || along > vessel.length) return 0;
  const radius = vessel.radius * (1 - 0.75 * Math.max(0, along / vessel.length));
  const off = Math.abs((u - vessel.u) * vessel.dv - (v - vessel.v) * vessel.du);
  return off >= radius ? 0 : 2 * Math.sqrt(radius * radius - off * off) * 0.8;
}

/** Texture in octaves, about -1 to 1. */
function clouds(random: Random, width: number, height: number): Float32Array {
  const sum = new Float32Array(width * height);
  for (const [cell, amount] of [
    [width / 6, 0.5],
    [width / 14, 0.3],
    [width / 32, 0.2],
  ] as const) {
    const columns = Math.ceil(width / cell) + 2;
    const rows = Math.ceil(height / cell) + 2;
    const lattice = Float32Array.from({ length: columns * rows }, () => random.between(-1, 1));
    for (let y = 0; y < height; y++) {
      const gy = y / cell;
      const iy = Math.floor(gy);
      const fy = smooth(gy - iy);
      for (let x = 0; x < width; x++) {
        const gx = x / cell;
        const ix = Math.floor(gx);
        const fx = smooth(gx - ix);
        const at = iy * columns + ix;
        const top = lattice[at]! * (1 - fx) + lattice[at + 1]! * fx;
        const bottom = lattice[at + columns]! * (1 - fx) + lattice[at + columns + 1]! * fx;
        sum[y * width + x]! += amount * (top * (1 - fy) + bottom * fy);
      }
    }
  }
  return sum;
}

function expose(
  water: Float32Array,
  width: number,
  height: number,
  spacing: number,
  options: PhantomOptions,
  random: Random,
): Float32Array {
  const primary = water.map((mm) => Math.exp(-WATER_PER_MM * mm));
  const scatter = box(
    box(primary, width, height, 30 / spacing, 30 / spacing),
    width,
    height,
    30 / spacing,
    30 / spacing,
  );
  const motion = options.motionMm;
  let signal: Float32Array = primary.map((each, index) => each + 0.12 * scatter[index]!);
  if (motion) signal = box(signal, width, height, motion.x / 2 / spacing, motion.y / 2 / spacing);
  const photons = (options.photons ?? 30) * 1000;
  const shift = options.exposure ?? 0;
  return signal.map((each) => {
    const counted = Math.max(1, each * photons + Math.sqrt(each * photons) * random.normal());
    const density = -Math.log(counted / photons);
    const tone = 1 / (1 + Math.exp(-((density - 2.5 + 1.6 * shift) * 1.45)));
    return Math.round(Math.min(4095, Math.max(0, 4095 * ((tone - 0.02) / 0.96))));
  });
}

/** Mean over a box of half widths `rx`, `ry`; borders repeat. */
function box(source: Float32Array, width: number, height: number, rx: number, ry: number): Float32Array {
  const pass = (
    from: Float32Array,
    count: number,
    lines: number,
    step: number,
    stride: number,
    radius: number,
  ): Float32Array => {
    const r = Math.round(radius);
    if (r < 1) return from;
    const to = new Float32Array(from.length);
    for (let line = 0; line < lines; line++) {
      const start = line * stride;
      const at = (index: number): number => from[start + Math.min(count - 1, Math.max(0, index)) * step]!;
      let sum = 0;
      for (let index = -r; index <= r; index++) sum += at(index);
      for (let index = 0; index < count; index++) {
        to[start + index * step] = sum / (2 * r + 1);
        sum += at(index + r + 1) - at(index - r);
      }
    }
    return to;
  };
  return pass(pass(source, width, height, 1, width, rx), height, width, width, 1, ry);
}

function collimated(pixels: Float32Array, width: number, height: number, share: number): Float32Array {
  if (share === 0) return pixels;
  const margin = Math.round(share * width);
  return pixels.map((value, index) => {
    const x = index % width;
    const y = (index - x) / width;
    // Shielded parts get no exposure: white on a film.
    return x < margin || y < margin || x >= width - margin || y >= height - margin ? 4080 : value;
  });
}

function turn(
  pixels: Float32Array,
  width: number,
  height: number,
  options: PhantomOptions,
): { readonly pixels: Float32Array; readonly width: number; readonly height: number } {
  const turns = options.quarterTurns ?? 0;
  if (turns === 0 && !options.isMirrored) return { pixels, width, height };
  const wide = turns % 2 === 0 ? width : height;
  const high = turns % 2 === 0 ? height : width;
  const result = new Float32Array(pixels.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const sx = options.isMirrored ? width - 1 - x : x;
      const [tx, ty] = (
        [
          [sx, y],
          [height - 1 - y, sx],
          [width - 1 - sx, height - 1 - y],
          [y, width - 1 - sx],
        ] as const
      )[turns];
      result[ty * wide + tx] = pixels[y * width + x]!;
    }
  return { pixels: result, width: wide, height: high };
}
