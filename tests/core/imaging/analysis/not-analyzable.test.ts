import { describe, expect, test } from '@jest/globals';
import { analyzeImage } from '@perennial/core/imaging/analysis/analyze.ts';
import type { StudyContext } from '@perennial/core/imaging/image.ts';
import { chestPhantom } from '../../../support/chest-phantom.ts';
import { notFilms } from '../../../support/not-films.ts';

const chest = chestPhantom({ seed: 5, heightPx: 420 }).image;

function refusal(context: StudyContext): string | undefined {
  const { outcome, refusal: reason, findings, structures } = analyzeImage(chest, context);
  if (outcome === 'analyzed') return undefined;
  expect(structures).toEqual([]);
  for (const { category } of findings) expect(['quality', 'technique']).toContain(category);
  return reason?.code;
}

describe('an image that no analyser fits is not analysable, and nothing is said of what it shows', () => {
  const pictures = Object.entries(notFilms).flatMap(([name, make]) =>
    (make.length === 0 ? [1] : [1, 2, 3]).map((seed) => [name, seed, make(seed)] as const),
  );

  test.each(pictures)('a picture of %s (%i)', (name, _, image) => {
    const analysis = analyzeImage(image, { source: 'png' });
    expect(analysis).toMatchObject({ outcome: 'not_analyzable', structures: [], findings: [] });
    expect(analysis.refusal?.code).toBe(name === 'blank' ? 'blank' : 'not_recognized');
    expect(analysis.refusal?.text).toBeTruthy();
  });

  test('a hand whose header says chest', () => {
    const { refusal: reason } = analyzeImage(notFilms.knee(), { source: 'dicom', modality: 'DX', bodyPart: 'CHEST' });
    expect(reason?.code).toBe('quality_too_low');
  });

  test('a film of another part of the body, by its header, whatever the pixels look like', () => {
    expect(refusal({ source: 'dicom', modality: 'DX', bodyPart: 'KNEE' })).toBe('no_analyzer');
  });

  test('another modality', () => {
    expect(refusal({ source: 'dicom', modality: 'CT', bodyPart: 'CHEST' })).toBe('no_analyzer');
  });

  test('a lateral view', () => {
    expect(refusal({ source: 'dicom', modality: 'CR', bodyPart: 'CHEST', view: 'LL' })).toBe('unsupported_view');
  });

  test('a frontal chest film by its header is analysed', () => {
    expect(refusal({ source: 'dicom', modality: 'CR', bodyPart: 'CHEST', view: 'PA' })).toBeUndefined();
  });

  test('an image of a few pixels, and one without any range', () => {
    const tiny = { width: 40, height: 40, pixels: new Float32Array(1600), minimum: 0, maximum: 1, bitsStored: 8 };
    expect(analyzeImage(tiny, { source: 'png' }).refusal?.code).toBe('too_small');
    const flat = { width: 200, height: 200, pixels: new Float32Array(40_000), minimum: 0, maximum: 0, bitsStored: 8 };
    expect(analyzeImage(flat, { source: 'png' }).refusal?.code).toBe('blank');
  });
});
