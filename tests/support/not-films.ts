import type { GrayImage } from '@perennial/core/imaging/image.ts';
import { seeded } from './random.ts';

/** Pictures of 8 bits that are no chest films, by what they are like. */
export const notFilms = {
  blank: () => picture(() => 128),
  gradient: () => picture((x, y) => 255 * (0.3 * x + 0.7 * y)),
  noise: (seed: number) => {
    const random = seeded(seed);
    return picture(() => random.between(0, 255));
  },
  text: (seed: number) => {
    const random = seeded(seed);
    const letters = Array.from({ length: 40 * 60 }, () => random.chance(0.45));
    return picture((x, y) => {
      const isLine = (y * 40) % 1 < 0.55 && x > 0.08 && x < 0.92;
      return isLine && letters[Math.floor(y * 40) * 60 + Math.floor(x * 60)] ? 20 : 245;
    });
  },
  /** Clouds, hills or skin: tones at every scale. */
  photograph: (seed: number) => {
    const random = seeded(seed);
    const waves = Array.from({ length: 24 }, () => ({
      x: random.normal() * 6,
      y: random.normal() * 6,
      phase: random.between(0, 6.3),
      height: random.between(5, 30),
    }));
    return picture((x, y) =>
      waves.reduce((sum, wave) => sum + wave.height * Math.sin(6.28 * (wave.x * x + wave.y * y) + wave.phase), 128),
    );
  },
  /** Blobs, dark on bright, as in a still life or under a microscope. */
  blobs: (seed: number) => {
    const random = seeded(seed);
    const all = Array.from({ length: 6 }, () => [random.next(), random.next(), random.between(0.08, 0.22)] as const);
    return picture((x, y) =>
      all.reduce((tone, [bx, by, r]) => (Math.hypot(x - bx, y - by) < r ? tone - 90 : tone), 220),
    );
  },
  /** Five bright rods on a bright palm, on black: a film of a hand. */
  hand: () =>
    picture((x, y) => {
      const isPalm = Math.hypot((x - 0.5) / 0.26, (y - 0.72) / 0.22) < 1;
      const finger = [0.28, 0.39, 0.5, 0.61, 0.72].some(
        (at, index) => Math.abs(x - at) < 0.035 && y > 0.12 + 0.05 * Math.abs(index - 2) && y < 0.7,
      );
      const bone = [0.28, 0.39, 0.5, 0.61, 0.72].some((at) => Math.abs(x - at) < 0.014 && y > 0.16 && y < 0.85);
      return (isPalm || finger ? 130 : 8) + (bone && (isPalm || finger) ? 90 : 0);
    }),
  /** One bright shaft that widens at the joint: a film of a knee. */
  knee: () =>
    picture((x, y) => {
      const half = 0.1 + 0.09 * Math.exp(-(((y - 0.5) / 0.12) ** 2));
      const off = Math.abs(x - 0.5);
      if (off < half && Math.abs(y - 0.5) > 0.015) return 215;
      return off < half + 0.14 ? 110 : 10;
    }),
  face: () =>
    picture((x, y) => {
      const isHead = Math.hypot((x - 0.5) / 0.34, (y - 0.5) / 0.44) < 1;
      const isEye = [0.37, 0.63].some((at) => Math.hypot((x - at) / 0.07, (y - 0.42) / 0.035) < 1);
      const isMouth = Math.hypot((x - 0.5) / 0.13, (y - 0.72) / 0.04) < 1;
      return !isHead ? 60 : isEye || isMouth ? 40 : 200 - 60 * Math.abs(x - 0.5);
    }),
} satisfies Record<string, (seed: number) => GrayImage>;

function picture(toneAt: (x: number, y: number) => number, width = 360, height = 420): GrayImage {
  const pixels = new Float32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      pixels[y * width + x] = Math.round(Math.min(255, Math.max(0, toneAt((x + 0.5) / width, (y + 0.5) / height))));
  return { width, height, pixels, minimum: 0, maximum: 255, bitsStored: 8 };
}
