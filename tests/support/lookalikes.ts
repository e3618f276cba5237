import { smoothed } from '@perennial/core/imaging/analysis/raster.ts';
import type { GrayImage } from '@perennial/core/imaging/image.ts';
import { chestPhantom } from './chest-phantom.ts';
import { type Random, seeded } from './random.ts';

/*
 * Pictures that have something of a frontal chest film, two dark parts beside each other above all, and are none.
 * Coordinates run from 0 to 1 over the picture, tones from 0 to 255.
 */

type Tone = (x: number, y: number) => number;
type Make = (seed: number) => GrayImage;

/** Kinds on which the signs of a chest were chosen. */
export const lookalikes = {
  /** Two dark ellipses on a lighter ground, leaning together as lungs do. */
  ellipses: drawn((random) => {
    const ground = random.between(90, 250);
    const dark = random.between(0, ground - 50);
    const [off, a, b, lean] = [
      random.between(0.18, 0.27),
      random.between(0.1, 0.17),
      random.between(0.2, 0.38),
      random.between(0, 0.25),
    ];
    const middle = random.between(0.42, 0.58);
    return (x, y) => {
      const across = Math.abs(x - 0.5) - off - lean * (y - middle);
      return Math.hypot(across / a, (y - middle) / b) < 1 ? dark : ground;
    };
  }),
  /** An icon of lungs: narrow above, hollow below, a windpipe between them. */
  icon: drawn((random) => {
    const ground = random.between(150, 255);
    const dark = random.between(0, 90);
    const wide = random.between(0.3, 0.42);
    const gap = random.between(0.04, 0.12);
    const [top, bottom] = [random.between(0.12, 0.25), random.between(0.72, 0.86)];
    return (x, y) => (lungShape(Math.abs(x - 0.5), y, { top, bottom, gap, wide }) ? dark : ground);
  }),
  /** The same with a body around it, shaded. */
  shadedIcon: drawn((random) => {
    const [body, dark, air] = [random.between(140, 220), random.between(20, 100), random.between(0, 60)];
    const wide = random.between(0.3, 0.38);
    const gap = random.between(0.05, 0.12);
    const [top, bottom] = [random.between(0.15, 0.25), random.between(0.7, 0.8)];
    const slope = random.between(-60, 60);
    return (x, y) => {
      const off = Math.abs(x - 0.5);
      if (off > 0.46 || (y < 0.1 && off > 0.12)) return air;
      return (lungShape(off, y, { top, bottom, gap, wide }) ? dark : body) + slope * (y - 0.5);
    };
  }),
  /** A slice through the chest: a body on black, two dark lungs, a bright spine below between them. */
  slice: drawn((random) => {
    const [a, b] = [random.between(0.4, 0.48), random.between(0.3, 0.4)];
    const tissue = random.between(110, 170);
    const lung = random.between(15, 60);
    const fibres = waves(random, 20, 25, 12);
    return (x, y) => {
      const [u, v] = [(x - 0.5) / a, (y - 0.5) / b];
      if (Math.hypot(u, v) > 1) return 4;
      if (Math.hypot(u / 0.16, (v - 0.62) / 0.2) < 1) return 230;
      if (Math.hypot(u, v) > 0.93) return tissue - 30;
      const isLung = Math.hypot((Math.abs(u) - 0.46) / 0.38, (v - 0.02) / 0.68) < 1;
      const isHeart = Math.hypot((u - 0.1) / 0.34, (v + 0.3) / 0.36) < 1;
      return isLung && !isHeart ? lung + fibres(x, y) : tissue;
    };
  }),
  /** A skull from the front: two dark orbits, a dark nose, a bright outline. */
  skull: drawn((random) => {
    const [bright, hollow] = [random.between(170, 230), random.between(40, 100)];
    const orbit = random.between(0.08, 0.13);
    const grain = waves(random, 20, 10, 8);
    return (x, y) => {
      const head = Math.hypot((x - 0.5) / 0.36, (y - 0.47) / 0.43);
      if (head > 1) return 8;
      if (head > 0.93) return 245;
      const isOrbit = Math.hypot((Math.abs(x - 0.5) - 0.15) / orbit, (y - 0.5) / (0.8 * orbit)) < 1;
      const isNose = Math.abs(x - 0.5) < 0.05 * ((y - 0.5) / 0.15) && y > 0.5 && y < 0.65;
      return (isOrbit || isNose ? hollow : bright) + grain(x, y);
    };
  }),
  /** A pelvis: bright wings, two dark rings below. */
  pelvis: drawn((random) => {
    const ring = random.between(0.07, 0.11);
    const grain = waves(random, 16, 8, 12);
    return (x, y) => {
      const off = Math.abs(x - 0.5);
      const isWing = Math.hypot((off - 0.26) / 0.17, (y - 0.33) / 0.22) < 1;
      const isRing = Math.hypot((off - 0.15) / ring, (y - 0.7) / (0.9 * ring));
      const isFemur = Math.abs(off - 0.33 - 0.1 * (y - 0.6)) < 0.05 && y > 0.6;
      const isSpine = off < 0.07 && y < 0.5;
      const tone = isWing || isFemur || isSpine || (isRing > 1 && isRing < 1.6) ? 190 : isRing <= 1 ? 60 : 110;
      return tone + grain(x, y);
    };
  }),
  /** An ink blot: shapeless parts, mirrored. */
  inkBlot: drawn((random) => {
    const shape = waves(random, 30, 60, 4);
    const level = random.between(-20, 60);
    const isSoft = random.chance(0.5);
    return (x, y) => {
      const value = shape(Math.abs(x - 0.5), y) - level - 300 * Math.max(0, Math.hypot(x - 0.5, y - 0.5) - 0.35);
      return isSoft ? 225 - 170 / (1 + Math.exp(-value / 12)) : value > 0 ? 30 : 235;
    };
  }),
  /** Clouds, mirrored. */
  mirroredClouds: drawn((random) => {
    const shape = waves(random, 24, 30, 5);
    return (x, y) => 128 + shape(Math.abs(x - 0.5), y);
  }),
  /** A window of two panes. */
  panes: drawn((random) => {
    const [frame, pane] = [random.between(150, 250), random.between(10, 110)];
    const [gap, rim, sill] = [random.between(0.03, 0.1), random.between(0.06, 0.16), random.between(0.1, 0.25)];
    const narrowing = random.between(0, 0.15);
    const shade = random.between(-50, 50);
    return (x, y) => {
      const off = Math.abs(x - 0.5);
      const isPane = off > gap && off < 0.5 - rim - narrowing * (1 - y) && y > sill && y < 1 - sill;
      return (isPane ? pane : frame) + shade * (y - 0.5);
    };
  }),
  /** A face with dark glasses. */
  sunglasses: drawn((random) => {
    const lens = random.between(0.1, 0.16);
    return (x, y) => {
      if (Math.hypot((x - 0.5) / 0.4, (y - 0.5) / 0.48) > 1) return 90;
      const off = Math.abs(x - 0.5);
      if (Math.hypot((off - 0.18) / lens, (y - 0.42) / (lens * 0.8)) < 1) return 25;
      if (off < 0.12 && Math.abs(y - 0.75) < 0.02) return 120;
      return 205 - 90 * off;
    };
  }),
  /** Two soles on a bright floor. */
  soles: drawn((random) => {
    const [ground, dark] = [random.between(170, 245), random.between(10, 90)];
    const turn = random.between(-0.1, 0.15);
    const tread = random.between(14, 30);
    return (x, y) => {
      const across = Math.abs(x - 0.5) - 0.22 - turn * (0.5 - y);
      const half = 0.1 + 0.04 * Math.cos(6.28 * (y - 0.25));
      const isSole = Math.abs(across) < half && y > 0.12 && y < 0.88;
      return isSole ? dark + 25 * Math.sin(6.28 * tread * y) : ground;
    };
  }),
  /** Two dark ellipses with stripes across them, as ribs are. */
  stripes: drawn((random) => {
    const [off, a, b] = [random.between(0.2, 0.25), random.between(0.12, 0.16), random.between(0.25, 0.36)];
    const [count, slope] = [random.between(6, 12), random.between(-0.8, 0.8)];
    const ground = random.between(140, 230);
    return (x, y) => {
      const distance = Math.hypot((Math.abs(x - 0.5) - off) / a, (y - 0.5) / b);
      if (distance > 1) return ground;
      return 50 + 35 * Math.sin(6.28 * count * (y + slope * Math.abs(x - 0.5)));
    };
  }),
  /** A page of text with two dark figures side by side. */
  page: drawn((random) => {
    const letters = Array.from({ length: 60 * 80 }, () => random.chance(0.45));
    const [top, bottom] = [random.between(0.15, 0.3), random.between(0.6, 0.85)];
    const dark = random.between(20, 120);
    const grain = waves(random, 12, 15, 10);
    return (x, y) => {
      const off = Math.abs(x - 0.5);
      if (off > 0.04 && off < 0.4 && y > top && y < bottom) return dark + grain(x, y);
      const isLine = (y * 50) % 1 < 0.5 && x > 0.08 && x < 0.92;
      return isLine && letters[Math.floor(y * 50) * 60 + Math.floor(x * 60)] ? 20 : 245;
    };
  }),
  /** A chest film whose parts were exchanged. */
  shuffled: (seed) => {
    const random = seeded(seed);
    const { image } = chestPhantom({ seed, heightPx: 320 });
    const order = [0, 1, 2, 3, 4, 5, 6, 7, 8].sort(() => random.next() - 0.5);
    return rearranged(image, (column, row) => {
      const source = order[row * 3 + column]!;
      return [source % 3, Math.floor(source / 3)];
    });
  },
  /** Gas in a belly: dark loops of any shape in grey. */
  bowel: drawn((random) => {
    const grain = waves(random, 20, 12, 6);
    const loops = Array.from({ length: 9 }, () => ({
      x: random.between(0.2, 0.8),
      y: random.between(0.15, 0.85),
      a: random.between(0.05, 0.14),
      b: random.between(0.04, 0.16),
    }));
    return (x, y) => {
      const off = Math.abs(x - 0.5);
      if (off > 0.46) return 15;
      const depth = Math.max(0, ...loops.map((each) => 1 - Math.hypot((x - each.x) / each.a, (y - each.y) / each.b)));
      return 160 + (off < 0.06 ? 40 : 0) - 110 * Math.min(1, 2 * depth) + grain(x, y);
    };
  }),
  /** A chest film of which one half stands on its head. */
  halfTurned: (seed) => {
    const { image } = chestPhantom({ seed, heightPx: 320 });
    const { width, height, pixels } = image;
    return {
      ...image,
      pixels: pixels.map((value, index) => {
        const x = index % width;
        const y = (index - x) / width;
        return x < width / 2 ? value : pixels[(height - 1 - y) * width + x]!;
      }),
    };
  },
} satisfies Record<string, Make>;

/** Kinds that were never looked at while the signs of a chest were chosen. */
export const unseenLookalikes = {
  /** Two trees on a meadow before a bright sky. */
  trees: drawn((random) => {
    const leaves = waves(random, 30, 14, 18);
    const [at, wide] = [random.between(0.2, 0.27), random.between(0.12, 0.18)];
    return (x, y) => {
      if (y > 0.85) return 110 + leaves(x, y);
      const off = Math.abs(x - 0.5) - at;
      const isCrown = y > 0.12 && y < 0.75 && Math.abs(off) < wide * Math.sqrt((y - 0.12) / 0.63);
      const isTrunk = y >= 0.75 && Math.abs(off) < 0.02;
      return (isCrown || isTrunk ? 60 : 215 - 30 * y) + (isCrown ? leaves(x, y) : 0);
    };
  }),
  /** A vase that is two dark faces. */
  vase: drawn((random) => {
    const [rim, waist] = [random.between(0.18, 0.26), random.between(0.05, 0.09)];
    const turns = random.between(1.5, 3);
    return (x, y) => {
      const off = Math.abs(x - 0.5);
      const half = waist + (rim - waist) * Math.cos(6.28 * turns * (y - 0.5)) ** 2;
      return off > half && off < 0.44 && y > 0.08 && y < 0.92 ? 25 : 235;
    };
  }),
  /** Two kidneys between the loins. */
  kidneys: drawn((random) => {
    const speckle = waves(random, 40, 12, 30);
    const size = random.between(0.1, 0.15);
    return (x, y) => {
      const off = Math.abs(x - 0.5);
      if (Math.hypot((x - 0.5) / 0.47, (y - 0.5) / 0.46) > 1) return 5;
      const isKidney = Math.hypot((off - 0.22) / size, (y - 0.5) / (1.9 * size)) < 1;
      const isHilum = Math.hypot((off - 0.12) / 0.06, (y - 0.5) / 0.07) < 1;
      return (off < 0.07 ? 210 : isKidney && !isHilum ? 60 : 140) + speckle(x, y);
    };
  }),
  /** A head with its ventricles. */
  ventricles: drawn((random) => {
    const folds = waves(random, 30, 18, 14);
    return (x, y) => {
      const head = Math.hypot((x - 0.5) / 0.4, (y - 0.5) / 0.46);
      if (head > 1) return 3;
      if (head > 0.9) return 235;
      const off = Math.abs(x - 0.5);
      const isVentricle = Math.abs(off - 0.09 - 0.18 * Math.abs(y - 0.5)) < 0.06 && Math.abs(y - 0.5) < 0.2;
      return (isVentricle ? 30 : 150) + folds(x, y);
    };
  }),
  /** An owl. */
  owl: drawn((random) => {
    const feathers = waves(random, 40, 20, 25);
    return (x, y) => {
      const off = Math.abs(x - 0.5);
      const eye = Math.hypot((off - 0.19) / 0.15, (y - 0.4) / 0.17);
      return (eye < 0.75 ? 20 : eye < 1 ? 230 : 150) + (eye < 1 ? 0 : feathers(x, y));
    };
  }),
  /** Wings of a butterfly, dark, with veins. */
  butterfly: drawn((random) => {
    const veins = random.between(6, 14);
    const [upper, lower] = [random.between(0.25, 0.4), random.between(0.2, 0.34)];
    return (x, y) => {
      const off = Math.abs(x - 0.5);
      if (off < 0.025 && y > 0.2 && y < 0.85) return 10;
      const angle = Math.atan2(y - 0.5, off);
      const reach = (angle < 0 ? upper : lower) * (0.75 + 0.25 * Math.cos(4 * angle));
      if (Math.hypot(off, y - 0.5) > reach + 0.08) return 235;
      return 70 + 40 * Math.cos(veins * angle) ** 8;
    };
  }),
  /** Both knees on one film: bright legs, dark beside and between. */
  knees: drawn((random) => {
    const grain = waves(random, 20, 6, 10);
    return (x, y) => {
      const off = Math.abs(Math.abs(x - 0.5) - 0.24);
      const half = 0.06 + 0.05 * Math.exp(-(((y - 0.5) / 0.14) ** 2));
      return (off < half && Math.abs(y - 0.5) > 0.012 ? 215 : off < half + 0.06 ? 110 : 12) + grain(x, y);
    };
  }),
  /** The front of a car. */
  car: drawn((random) => {
    const [screen, bars] = [random.between(30, 80), random.between(8, 20)];
    return (x, y) => {
      const off = Math.abs(x - 0.5);
      if (y > 0.15 && y < 0.4 && off > 0.01 && off < 0.22 + 0.4 * (y - 0.15)) return screen;
      if (y > 0.55 && y < 0.75 && off < 0.2) return 90 + 60 * Math.sin(6.28 * bars * y);
      if (Math.hypot((off - 0.32) / 0.1, (y - 0.62) / 0.1) < 1) return 40;
      return y > 0.9 || off > 0.47 ? 70 : 185;
    };
  }),
  /** Two thumbs' prints. */
  prints: drawn((random) => {
    const [ridges, swirl] = [random.between(14, 22), random.between(0, 6)];
    return (x, y) => {
      const off = Math.abs(x - 0.5) - 0.23;
      const distance = Math.hypot(off / 0.17, (y - 0.5) / 0.33);
      if (distance > 1) return 240;
      return 90 + 60 * Math.sin(6.28 * (ridges * 0.4 * distance) + swirl * Math.atan2(y - 0.5, off));
    };
  }),
  /** A shirt with two dark pockets and buttons. */
  shirt: drawn((random) => {
    const weave = waves(random, 30, 8, 40);
    const [wide, top, bottom] = [random.between(0.12, 0.17), random.between(0.2, 0.35), random.between(0.65, 0.85)];
    return (x, y) => {
      const off = Math.abs(x - 0.5);
      const isOutside = off > 0.3 + 0.18 * Math.exp(-(((y - 0.25) / 0.18) ** 2));
      if (isOutside) return 60;
      const isPocket = Math.abs(off - 0.16) < wide * (0.6 + 0.4 * y) && y > top && y < bottom && off > 0.03;
      return (isPocket ? 70 : 190) + weave(x, y);
    };
  }),
  /** Turbulence of many scales with two soft dark parts. */
  turbulence: drawn((random) => {
    const layers = [2, 4, 8, 16].map((scale) => waves(random, 16, 60 / scale, scale));
    const depth = random.between(40, 120);
    return (x, y) => {
      const lobe = Math.exp(-((((Math.abs(x - 0.5) - 0.22) / 0.12) ** 2 + ((y - 0.5) / 0.25) ** 2) ** 1.5));
      return 170 - depth * lobe + layers.reduce((sum, layer) => sum + layer(x, y), 0);
    };
  }),
  /** Ribbed ellipses in a body with a bright column and a bright floor: much of a chest, by a draughtsman. */
  sketch: drawn((random) => {
    const [off, a, b] = [random.between(0.19, 0.23), random.between(0.12, 0.15), random.between(0.25, 0.32)];
    const count = random.between(7, 11);
    return (x, y) => {
      const reach = Math.abs(x - 0.5);
      if (reach > 0.44) return 10;
      if (reach < 0.06) return 225;
      if (Math.hypot((reach - off) / a, (y - 0.48) / b) < 1)
        return 60 + (Math.sin(6.28 * count * (y + 0.3 * reach)) > 0.6 ? 50 : 0);
      return y > 0.8 ? 215 : 175;
    };
  }),
  /** A chest film as seen in a ring of mirrors: its left half again and again. */
  tiled: (seed) => {
    const { image } = chestPhantom({ seed, heightPx: 320 });
    const { width, height, pixels } = image;
    return {
      ...image,
      pixels: pixels.map(
        (_, index) => pixels[((3 * Math.floor(index / width)) % height) * width + ((2 * index) % width)]!,
      ),
    };
  },
} satisfies Record<string, Make>;

/** Half of a pair of lungs: pointed above, hollow below. */
function lungShape(
  off: number,
  y: number,
  {
    top,
    bottom,
    gap,
    wide,
  }: { readonly top: number; readonly bottom: number; readonly gap: number; readonly wide: number },
): boolean {
  const down = (y - top) / (bottom - top);
  if (down < 0 || off < gap) return false;
  const outer = gap + (wide - gap) * Math.min(1, Math.sqrt(down / 0.6));
  const base = 1 + 0.2 * Math.max(0, (off - gap) / (wide - gap) - 0.4);
  return off < outer && down < base;
}

/** A sum of waves: its height is about `height`, and it has about `detail` of them across the picture. */
function waves(random: Random, count: number, height: number, detail: number): Tone {
  const all = Array.from({ length: count }, () => ({
    x: random.normal() * detail,
    y: random.normal() * detail,
    phase: random.between(0, 6.3),
  }));
  const each = height / Math.sqrt(count);
  return (x, y) => all.reduce((sum, wave) => sum + each * Math.sin(6.28 * (wave.x * x + wave.y * y) + wave.phase), 0);
}

/** A picture of 8 bits, of a size, a sharpness and a noise of its own. */
function drawn(kind: (random: Random) => Tone): Make {
  return (seed) => {
    const random = seeded(seed);
    const tone = kind(random);
    const height = Math.round(random.between(240, 360));
    const width = Math.round(height * random.between(0.75, 1.05));
    const noise = random.chance(0.3) ? 0 : random.between(1, 9);
    const blur = random.chance(0.4) ? 0 : random.between(0.3, 3);
    const data = Float32Array.from({ length: width * height }, (_, index) => {
      const x = index % width;
      return tone((x + 0.5) / width, ((index - x) / width + 0.5) / height);
    });
    const sharp = { width, height, data };
    const { data: soft } = blur === 0 ? sharp : smoothed(sharp, blur);
    const pixels = soft.map((value) => Math.round(Math.min(255, Math.max(0, value + noise * random.normal()))));
    return { width, height, pixels, minimum: 0, maximum: 255, bitsStored: 8 };
  };
}

/** The picture with its nine parts in another order. */
function rearranged(image: GrayImage, from: (column: number, row: number) => readonly number[]): GrayImage {
  const { width, height, pixels } = image;
  const [wide, high] = [Math.floor(width / 3), Math.floor(height / 3)];
  return {
    ...image,
    pixels: pixels.map((value, index) => {
      const x = index % width;
      const y = (index - x) / width;
      const [column, row] = [Math.floor(x / wide), Math.floor(y / high)];
      if (column > 2 || row > 2) return value;
      const [sourceColumn, sourceRow] = from(column, row);
      return pixels[(y - row * high + sourceRow! * high) * width + (x - column * wide + sourceColumn! * wide)]!;
    }),
  };
}
