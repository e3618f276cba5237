import { beforeAll, describe, expect, test } from '@jest/globals';
import { edgeWidths, noiseOf } from '@perennial/core/imaging/analysis/film-quality.ts';
import type { ImagingAnalysis } from '@perennial/schemas/resources/imaging-analysis.ts';
import { analyzeFilms } from '../../../support/analyze-films.ts';
import type { PhantomOptions } from '../../../support/chest-phantom.ts';
import { seeded } from '../../../support/random.ts';

/** One patient; what differs is how the film was taken. */
const kinds = {
  good: {},
  burnt: { exposure: 1.1 },
  flat: { exposure: -1.6 },
  photons100: { photons: 100 },
  photons10: { photons: 10 },
  photons1: { photons: 1 },
  photonsFew: { photons: 0.3 },
  framed: { collimation: 0.06 },
} satisfies Record<string, Partial<PhantomOptions>>;

const looks = new Map<string, ImagingAnalysis>();

beforeAll(async () => {
  const films = await analyzeFilms(
    Object.values(kinds).map((special) => ({
      options: { seed: 8, heightPx: 360, ...special },
      context: { source: 'dicom', modality: 'DX', bodyPart: 'KNEE' },
    })),
  );
  for (const [index, name] of Object.keys(kinds).entries()) looks.set(name, films[index]!.analysis);
});

function look(kind: keyof typeof kinds): ImagingAnalysis {
  return looks.get(kind)!;
}

function value({ measures }: ImagingAnalysis, code: string): number {
  return measures.find((each) => each.code === code)!.value;
}

function found({ findings }: ImagingAnalysis): string[] {
  return findings.map(({ code }) => code);
}

describe('the quality of a film, whatever it shows', () => {
  test('a film without fault has none reported', () => {
    expect(found(look('good'))).toEqual([]);
  });

  test('burnt out tones are measured as clipped', () => {
    const burnt = look('burnt');
    expect(value(burnt, 'clipped_bright')).toBeGreaterThan(0.1);
    expect(found(burnt)).toEqual(expect.arrayContaining(['clipped_bright', 'tones_bright']));
  });

  test('a film that uses little of its range has low contrast', () => {
    expect(found(look('flat'))).toContain('low_contrast');
  });

  test('fewer photons are more noise', () => {
    const shares = (['photons100', 'photons10', 'photons1', 'photonsFew'] as const).map((kind) =>
      value(look(kind), 'noise_share'),
    );
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares[3]).toBeGreaterThan(5 * shares[0]!);
  });

  test('shutters in the picture are found and left out', () => {
    const framed = look('framed');
    const border = framed.findings.find(({ code }) => code === 'collimation_border');
    const { width, height } = framed;
    expect(border?.region?.box.x).toBeCloseTo(0.06 * width, -1);
    expect(border?.region?.box.height).toBeCloseTo(height - 0.12 * width, -1);
    expect(value(framed, 'clipped_bright')).toBeLessThan(0.01);
  });
});

describe('single measures against a known truth', () => {
  test('the noise of a sloping plane is that which was added', () => {
    const random = seeded(3);
    const size = 200;
    const pixels = Float32Array.from({ length: size * size }, (_, index) => 0.3 * (index % size) + 4 * random.normal());
    expect(noiseOf(pixels, size, size)).toBeGreaterThan(3.4);
    expect(noiseOf(pixels, size, size)).toBeLessThan(4.2);
  });

  test('edges that were smeared along the rows are wide along the rows alone', () => {
    const size = 128;
    const ramp = (share: number): number => Math.min(1, Math.max(0, share));
    const smeared = (length: number): Float32Array =>
      Float32Array.from({ length: size * size }, (_, index) => {
        const x = (index % size) % 64;
        const y = Math.floor(index / size) % 64;
        return ramp((x - 8) / length) - ramp((x - 40) / length) + (y > 32 ? 1 : 0);
      });
    const widths = edgeWidths({ width: size, height: size, data: smeared(12) });
    expect(widths.x).toBeGreaterThan(9);
    expect(widths.x).toBeLessThan(16);
    expect(widths.y).toBeLessThan(5);
  });
});
