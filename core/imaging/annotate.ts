import { describeDicom } from './dicom/describe.ts';
import type { Picture } from './picture.ts';
import type { Raster } from './raster.ts';
import type { Annotation } from './worker/tasks.ts';

/*
 * Writes on pictures. Letters are drawn here, so that they are the same on every machine, whatever fonts it has.
 */

/** Columns of five by seven points, the lowest bit on top, from the blank to the underscore of ASCII. */
const FONT = Buffer.from(
  [
    '0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649562050 0008070300 001c224100 0041221c00',
    '2a1c7f1c2a 08083e0808 0080703000 0808080808 0000606000 2010080402 3e5149453e 00427f4000 7249494946 2141494d33',
    '1814127f10 2745454539 3c4a494931 4121110907 3649494936 464949291e 0000140000 0040340000 0008142241 1414141414',
    '0041221408 0201590906 3e415d594e 7c1211127c 7f49494936 3e41414122 7f4141413e 7f49494941 7f09090901 3e41415173',
    '7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f021c027f 7f0408107f 3e4141413e 7f09090906 3e4151215e',
    '7f09192946 2649494932 03017f0103 3f4040403f 1f2040201f 3f4038403f 6314081463 0304780403 6159494d43 007f414141',
    '0204081020 004141417f 0402010204 4040404040',
  ]
    .join('')
    .replaceAll(' ', ''),
  'hex',
);
const WIDE = 5;
const TALL = 7;
const FIRST = 0x20;
const LAST = 0x5f;
const LINE_CHARS_MAX = 64;

/** Lines of text, one for each thing that is known. */
export function annotationsOf(picture: Picture, wanted: readonly Annotation[]): readonly string[] {
  if (picture.source !== 'dicom') return [];
  const about = describeDicom(picture.file);
  const lines = {
    patient: [about.patientName, about.patientId, joined(about.patientBirthDate, about.patientSex)],
    technique: [
      joined(about.studyDate, about.studyTime?.slice(0, 6) ?? null),
      joined(about.modality, about.bodyPart, about.view, about.laterality),
      about.studyDescription,
      about.seriesDescription,
    ],
  };
  return wanted.flatMap((each) => lines[each]).filter((line) => line !== null && line !== '') as string[];
}

function joined(...values: readonly (string | null)[]): string {
  return values.filter((each) => each !== null).join(' ');
}

/** The picture with lines written on it from the top left, white with a dark edge. */
export function writeOn(raster: Raster, lines: readonly string[]): Raster {
  const { width, height, channels } = raster;
  const data = Uint8Array.from(raster.data);
  const scale = Math.max(1, Math.floor(Math.min(width, height) / 256));
  const put = (x: number, y: number, value: number): void => {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    data.fill(value, (y * width + x) * channels, (y * width + x + 1) * channels);
  };
  for (const edge of [true, false]) {
    for (const [row, line] of lines.entries()) {
      for (const [at, code] of codesOf(line).entries()) {
        const left = 2 + at * (WIDE + 1);
        const top = 2 + row * (TALL + 3);
        for (let x = 0; x < WIDE; x += 1) {
          const column = FONT[(code - FIRST) * WIDE + x] as number;
          for (let y = 0; y < TALL; y += 1)
            if (((column >> y) & 1) === 1) drawPoint(put, left + x, top + y, scale, edge);
        }
      }
    }
  }
  return { width, height, channels, data };
}

function drawPoint(
  put: (x: number, y: number, value: number) => void,
  x: number,
  y: number,
  scale: number,
  edge: boolean,
): void {
  const more = edge ? 1 : 0;
  for (let down = -more; down < scale + more; down += 1) {
    for (let across = -more; across < scale + more; across += 1)
      put(x * scale + across, y * scale + down, edge ? 0 : 255);
  }
}

/** Capitals without their accents; what has no letter here is a question mark. */
function codesOf(line: string): readonly number[] {
  const plain = line.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().slice(0, LINE_CHARS_MAX);
  return [...plain].map((each) => {
    const code = each.codePointAt(0) ?? 0;
    return code >= FIRST && code <= LAST ? code : 0x3f;
  });
}
