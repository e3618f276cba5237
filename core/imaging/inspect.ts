import { findTextLines } from './burned-in-text.ts';
import { checkCodestream } from './dicom/codecs.ts';
import { type DicomDescription, describeDicom } from './dicom/describe.ts';
import type { DicomFile } from './dicom/file.ts';
import { encodedFrame } from './dicom/frames.ts';
import { ImageFault } from './image-fault.ts';
import { type BareObject, framesOf, type Picture, renderPicture, sizeOf } from './picture.ts';

/** Why text in the picture is suspected. */
export type BurnedInReason = 'tag' | 'modality' | 'text_found';

/** Everything that is learnt of a file when it comes. */
export interface Inspection {
  readonly source: 'dicom' | 'png' | 'jpeg';
  /** Width, height, frames and bits are 0 where there are no pixels. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly bitsStored: number;
  readonly photometricInterpretation: string | null;
  readonly transferSyntaxUid: string | null;
  readonly isLossy: boolean;
  /** Distance between rows, then columns. */
  readonly pixelSpacingMm: readonly [number, number] | null;
  readonly window: { readonly center: number; readonly width: number } | null;
  readonly dicom: DicomDescription | null;
  readonly burnedIn: {
    readonly tag: 'yes' | 'no' | null;
    /** Whether the file says that lines of print were blanked in it. */
    readonly isCleaned: boolean;
    readonly textLines: number;
    readonly reasons: readonly BurnedInReason[];
  };
}

/** Modalities whose devices write into the picture: screens that were captured, ultrasound, endoscopy, photographs. */
const WRITES_INTO_PICTURE = new Set(['US', 'IVUS', 'SC', 'OT', 'ES', 'XC', 'GM', 'XA', 'RF', 'SR', 'DOC', 'OP', 'SM']);

/**
 * Learns what a file is. The first frame is decoded, and of the others the codestreams are looked at, so that what is
 * stored can be shown.
 * @throws ImageFault
 */
export function inspectFile(picture: Picture | BareObject): Inspection {
  if (picture.source === 'object') return inspectObject(picture.file);
  const { width, height } = sizeOf(picture);
  const first = renderPicture(picture, 0);
  const textLines = findTextLines(first).length;
  const common = { source: picture.source, width, height, frames: framesOf(picture) };
  if (picture.source !== 'dicom') {
    return {
      ...common,
      bitsStored: picture.image.bits,
      photometricInterpretation: null,
      transferSyntaxUid: null,
      isLossy: picture.source === 'jpeg',
      pixelSpacingMm: null,
      window: null,
      dicom: null,
      burnedIn: { tag: null, isCleaned: false, textLines, reasons: textLines > 0 ? ['text_found'] : [] },
    };
  }
  const { file, header } = picture;
  const { codec, isLossy, uid } = file.transferSyntax;
  if (codec !== 'none' && codec !== 'rle') {
    for (let frame = 1; frame < header.frames; frame += 1)
      checkCodestream(codec, encodedFrame(file, header, frame), header);
  }
  const dicom = describeDicom(file);
  const { burnedInAnnotation: tag, modality } = dicom;
  const reasons: BurnedInReason[] = [];
  if (tag === 'yes') reasons.push('tag');
  if (tag !== 'no' && modality !== null && WRITES_INTO_PICTURE.has(modality)) reasons.push('modality');
  if (textLines > 0) reasons.push('text_found');
  const { window } = header.mappingOf(0);
  return {
    ...common,
    bitsStored: header.bitsStored,
    photometricInterpretation: header.photometricInterpretation,
    transferSyntaxUid: uid,
    isLossy: isLossy || file.dataSet.string('x00282110') === '01',
    pixelSpacingMm: header.pixelSpacingMm ?? null,
    window: window ? { center: window.center, width: window.width } : null,
    dicom,
    burnedIn: { tag, isCleaned: dicom.isPixelsCleaned, textLines, reasons },
  };
}

/** A file without pixels must say which it is, for nothing else can be done with it than to give it back. */
function inspectObject(file: DicomFile): Inspection {
  const dicom = describeDicom(file);
  if (!dicom.uids) {
    throw new ImageFault('unsupported', 'The DICOM file holds no pixels, and does not say which instance it is.');
  }
  const { burnedInAnnotation: tag } = dicom;
  return {
    source: 'dicom',
    width: 0,
    height: 0,
    frames: 0,
    bitsStored: 0,
    photometricInterpretation: null,
    transferSyntaxUid: file.transferSyntax.uid,
    isLossy: false,
    pixelSpacingMm: null,
    window: null,
    dicom,
    burnedIn: { tag, isCleaned: false, textLines: 0, reasons: tag === 'yes' ? ['tag'] : [] },
  };
}
