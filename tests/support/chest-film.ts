import type { GrayImage } from '@perennial/core/imaging/image.ts';
import { chestPhantom } from './chest-phantom.ts';
import { dicomFile, elements, grayElements } from './dicom.ts';

/** A computed frontal film of a chest with a wide heart, as pixels and as a DICOM file. */
export function chestFilm(seed: number): { readonly film: GrayImage; readonly file: Buffer } {
  const film = chestPhantom({ seed, heightPx: 320, cardiothoracicRatio: 0.6 }).image;
  const spacing = film.pixelSpacingMm?.join('\\') ?? '';
  const about = grayElements(film.height, film.width, [...film.pixels].map(Math.round), {
    '00080060 CS': 'DX',
    '00180015 CS': 'CHEST',
    '00185101 CS': 'PA',
    '00181164 DS': spacing.slice(0, 30),
  });
  return { film, file: dicomFile(elements(about)) };
}
