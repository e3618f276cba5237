import { beforeAll, describe, expect, test } from '@jest/globals';
import { analyzeImage } from '@perennial/core/imaging/analysis/analyze.ts';
import type { StudyContext } from '@perennial/core/imaging/image.ts';
import type { ImagingAnalysis } from '@perennial/schemas/resources/imaging-analysis.ts';
import { analyzeFilms, analyzeOthers, type Film, type OtherPicture } from '../../../support/analyze-films.ts';
import { lookalikes, unseenLookalikes } from '../../../support/lookalikes.ts';
import { notFilms } from '../../../support/not-films.ts';

const names = Object.keys(notFilms) as (keyof typeof notFilms)[];
const pictures = names.flatMap((name) =>
  (notFilms[name].length === 0 ? [1] : [1, 2]).map(
    (seed): OtherPicture => ({ name, seed, context: { source: 'png' } }),
  ),
);
const kneeCalledChest: OtherPicture = {
  name: 'knee',
  seed: 1,
  context: { source: 'dicom', modality: 'DX', bodyPart: 'CHEST' },
};

/** One of each kind that has something of a chest, with a header that says chest: less is asked of the pixels then. */
const alike = [...Object.keys(lookalikes), ...Object.keys(unseenLookalikes)].map(
  (name, index): OtherPicture => ({
    name: name as OtherPicture['name'],
    seed: 31_000 + index,
    context: kneeCalledChest.context,
  }),
);

/** Contexts of one and the same frontal chest film. */
const contexts = {
  knee: { source: 'dicom', modality: 'DX', bodyPart: 'KNEE' },
  tomography: { source: 'dicom', modality: 'CT', bodyPart: 'CHEST' },
  lateral: { source: 'dicom', modality: 'CR', bodyPart: 'CHEST', view: 'LL' },
  frontal: { source: 'dicom', modality: 'CR', bodyPart: 'CHEST', view: 'PA' },
} satisfies Record<string, StudyContext>;

/** A frontal chest film that is not as it should be, and is one nevertheless. */
const odd: Readonly<Record<string, Pick<Film, 'isNegative' | 'cut'>>> = {
  'a negative': { isNegative: true },
  'one without a sixth of its width': { cut: { right: 0.16 } },
  'one whose bases are cut off': { cut: { below: 0.2 } },
};

let others: readonly ImagingAnalysis[];
let films: readonly ImagingAnalysis[];

beforeAll(async () => {
  others = await analyzeOthers([...alike, ...pictures, kneeCalledChest]);
  const looked = await analyzeFilms([
    ...Object.values(contexts).map((context) => ({ options: { seed: 5, heightPx: 300 }, context })),
    ...Object.values(odd).map((each) => ({
      options: { seed: 5, heightPx: 300 },
      context: contexts.frontal,
      ...each,
    })),
  ]);
  films = looked.map(({ analysis }) => analysis);
}, 120_000);

function refusal(kind: keyof typeof contexts): string | undefined {
  const { outcome, refusal: reason, findings, structures } = films[Object.keys(contexts).indexOf(kind)]!;
  if (outcome === 'analyzed') return undefined;
  expect(structures).toEqual([]);
  for (const { category } of findings) expect(['quality', 'technique']).toContain(category);
  return reason?.code;
}

describe('an image that no analyser fits is not analysable, and nothing is said of what it shows', () => {
  test.each(pictures.map(({ name, seed }, index) => [name, seed, index] as const))(
    'a picture of %s (%i)',
    (name, _, index) => {
      const analysis = others[alike.length + index]!;
      expect(analysis).toMatchObject({ outcome: 'not_analyzable', structures: [], findings: [] });
      expect(analysis.refusal?.code).toBe(name === 'blank' ? 'blank' : 'not_recognized');
      expect(analysis.refusal?.text).toBeTruthy();
    },
  );

  test.each(alike.map(({ name }, index) => [name, index] as const))(
    'a picture of %s whose header says chest',
    (_, index) => {
      const { outcome, refusal: reason, structures, findings } = others[index]!;
      expect([outcome, reason?.code, structures]).toEqual(['not_analyzable', 'quality_too_low', []]);
      for (const { category } of findings) expect(['quality', 'technique']).toContain(category);
    },
  );

  test('a knee whose header says chest', () => {
    expect(others.at(-1)!.refusal?.code).toBe('quality_too_low');
  });

  test('a film of another part of the body, by its header, whatever the pixels look like', () => {
    expect(refusal('knee')).toBe('no_analyzer');
  });

  test('another modality', () => {
    expect(refusal('tomography')).toBe('no_analyzer');
  });

  test('a lateral view', () => {
    expect(refusal('lateral')).toBe('unsupported_view');
  });

  test.each(Object.keys(odd).map((name, index) => [name, index] as const))(
    'but a frontal chest film is recognised all the same: %s',
    (name, index) => {
      const { outcome, findings, orientation } = films[Object.keys(contexts).length + index]!;
      expect([outcome, orientation.rotation]).toEqual(['analyzed', 'none']);
      expect(findings.some(({ code }) => code === 'tones_inverted')).toBe(name === 'a negative');
    },
  );

  test('a frontal chest film by its header is analysed', () => {
    expect(refusal('frontal')).toBeUndefined();
  });

  test('an image of a few pixels, and one without any range, of which no model is asked', async () => {
    const unasked = (): Promise<never> => Promise.reject(new Error('the model was asked'));
    const tiny = { width: 40, height: 40, pixels: new Float32Array(1600), minimum: 0, maximum: 1, bitsStored: 8 };
    expect((await analyzeImage(tiny, { source: 'png' }, unasked)).refusal?.code).toBe('too_small');
    const flat = { width: 200, height: 200, pixels: new Float32Array(40_000), minimum: 0, maximum: 0, bitsStored: 8 };
    expect((await analyzeImage(flat, { source: 'png' }, unasked)).refusal?.code).toBe('blank');
  });
});
