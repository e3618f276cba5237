/**
 * Draws the computed pictures that the tests use, for the training: pictures that are no chest films, and computed films.
 * Seeds are far from those of every test. Writes `<kind>.bin`, 224 × 224 bytes a picture, into the folder given.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { GrayImage } from '@perennial/core/imaging/image.ts';
import { chestPhantom } from '../../support/chest-phantom.ts';
import { lookalikes, unseenLookalikes } from '../../support/lookalikes.ts';
import { notFilms } from '../../support/not-films.ts';
import { seeded } from '../../support/random.ts';

const SIDE = 224;
const FIRST_SEED = 41_000_000;

const { values, positionals } = parseArgs({
  options: { each: { type: 'string', default: '30' }, phantoms: { type: 'string', default: '300' } },
  allowPositionals: true,
});
const folder = positionals[0];
if (!folder) throw new Error('name the folder to write to');
mkdirSync(folder, { recursive: true });

function phantom(seed: number): GrayImage {
  const random = seeded(seed ^ 0x5bd1e995);
  const kind = random.next();
  const side = random.chance(0.5) ? 'left' : 'right';
  return chestPhantom({
    seed,
    heightPx: 300,
    photons: random.between(4, 60),
    exposure: random.between(-0.5, 0.5),
    ...(random.chance(0.3) ? { cardiothoracicRatio: random.between(0.42, 0.68) } : {}),
    ...(kind < 0.25 ? { effusion: { side, levelMm: random.between(25, 130) } } : {}),
    ...(kind > 0.65
      ? {
          opacities: [
            {
              side,
              across: random.between(0.2, 0.8),
              down: random.between(0.15, 0.85),
              radiusMm: random.between(15, 40),
              waterMm: random.between(30, 90),
            },
          ],
        }
      : {}),
    ...(random.chance(0.2) ? { collimation: random.between(0.02, 0.09) } : {}),
  }).image;
}

/** The picture as bytes of a square, by the mean over areas. */
function square({ width, height, pixels, minimum, maximum }: GrayImage): Uint8Array {
  const out = new Uint8Array(SIDE * SIDE);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const [left, top] = [Math.floor((x * width) / SIDE), Math.floor((y * height) / SIDE)];
      const right = Math.max(left + 1, Math.round(((x + 1) * width) / SIDE));
      const bottom = Math.max(top + 1, Math.round(((y + 1) * height) / SIDE));
      let sum = 0;
      for (let row = top; row < bottom; row++)
        for (let column = left; column < right; column++) sum += pixels[row * width + column]!;
      out[y * SIDE + x] = Math.round((255 * (sum / ((right - left) * (bottom - top)) - minimum)) / (maximum - minimum));
    }
  return out;
}

function write(name: string, make: (seed: number) => GrayImage, count: number, first: number): void {
  const parts = Array.from({ length: count }, (_, index) => square(make(first + index)));
  writeFileSync(path.join(folder!, `${name}.bin`), Buffer.concat(parts));
}

const kinds = Object.entries({ ...notFilms, ...lookalikes, ...unseenLookalikes } as Record<
  string,
  (seed: number) => GrayImage
>);
for (const [index, [name, make]] of kinds.entries())
  write(name, make, make.length === 0 ? 1 : Number(values.each), FIRST_SEED + 10_000 * index);
write('phantom', phantom, Number(values.phantoms), FIRST_SEED + 5_000_000);
