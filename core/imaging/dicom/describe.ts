import type { DataSet } from 'dicom-parser';
import type { DicomFile } from './file.ts';
import { dictionaryEntry, dictionaryVr } from './libraries.ts';
import { TextReader } from './text.ts';

/** A value of the file that tells who the patient is, or who treated them. */
export interface IdentifyingTag {
  /** As `00100010`. */
  readonly tag: string;
  /** As `PatientName`. */
  readonly keyword: string;
  readonly value: string;
}

/** Where an instance stands among the others. */
export interface DicomUids {
  readonly study: string;
  readonly series: string;
  readonly instance: string;
  readonly sopClass: string;
}

/** What the data set says of itself beside the pixels. */
export interface DicomDescription {
  /** Null unless all are there and well-formed: then nobody can ask for it over DICOMweb. */
  readonly uids: DicomUids | null;
  readonly modality: string | null;
  readonly bodyPart: string | null;
  readonly view: string | null;
  readonly laterality: string | null;
  readonly studyDescription: string | null;
  readonly seriesDescription: string | null;
  readonly studyId: string | null;
  readonly accessionNumber: string | null;
  readonly seriesNumber: number | null;
  readonly instanceNumber: number | null;
  /** As `20231015` and `101500.000000`. */
  readonly studyDate: string | null;
  readonly studyTime: string | null;
  readonly seriesDate: string | null;
  readonly seriesTime: string | null;
  readonly performedDate: string | null;
  readonly performedTime: string | null;
  readonly referringPhysician: string | null;
  readonly patientBirthDate: string | null;
  readonly patientSex: string | null;
  readonly patientName: string | null;
  readonly patientId: string | null;
  readonly patientAgeYears: number | null;
  readonly identifyingTags: readonly IdentifyingTag[];
  /** Whether the file says that the identity was removed. */
  readonly isIdentityRemoved: boolean;
  /** Whether it says that print in the picture was looked for and blanked. */
  readonly isPixelsCleaned: boolean;
  /** What the file says of text in the picture. */
  readonly burnedInAnnotation: 'yes' | 'no' | null;
}

/** The code of the Clean Pixel Data Option (PS3.16, CID 7050). */
export const CLEAN_PIXELS = '113101';
const TEXT_CHARS_MAX = 256;
/** UIDs are numbers between dots (PS3.5, 9.1). */
const UID = /^(0|[1-9]\d*)(\.(0|[1-9]\d*))+$/;

/** Attributes that tell who somebody is, and that files of images commonly have. */
const IDENTIFYING = [
  'x00100010',
  'x00100020',
  'x00100021',
  'x00100030',
  'x00100032',
  'x00100040',
  'x00101000',
  'x00101001',
  'x00101005',
  'x00101010',
  'x00101020',
  'x00101030',
  'x00101040',
  'x00101060',
  'x00101080',
  'x00102154',
  'x00102160',
  'x001021f0',
  'x00104000',
  'x00080050',
  'x00080080',
  'x00080081',
  'x00080090',
  'x00081048',
  'x00081050',
  'x00081060',
  'x00081070',
  'x00200010',
  'x00321032',
] as const;

/** Reads what the file says of itself. */
export function describeDicom({ dataSet }: DicomFile): DicomDescription {
  const texts = new TextReader(dataSet);
  const text = (tag: string): string | null => {
    const value = texts.first(dataSet, tag, dictionaryVr(tag));
    return value === undefined ? null : storable(value).slice(0, TEXT_CHARS_MAX).toWellFormed() || null;
  };
  const whole = (tag: string): number | null => {
    const value = Number.parseInt(text(tag) ?? '', 10);
    return Number.isSafeInteger(value) && Math.abs(value) <= 2_147_483_647 ? value : null;
  };
  const date = (tag: string): string | null => matching(text(tag), /^\d{8}$/);
  const time = (tag: string): string | null => matching(text(tag), /^\d{2}(\d{2}(\d{2}(\.\d{1,6})?)?)?$/);
  const annotation = text('x00280301');
  const view = text('x00185101');
  return {
    uids: readUids(dataSet),
    modality: word(text('x00080060')),
    bodyPart: word(text('x00180015')),
    view: word(view),
    laterality: word(text('x00200062') ?? text('x00200060')),
    studyDescription: text('x00081030'),
    seriesDescription: text('x0008103e'),
    studyId: text('x00200010'),
    accessionNumber: text('x00080050'),
    seriesNumber: whole('x00200011'),
    instanceNumber: whole('x00200013'),
    studyDate: date('x00080020'),
    studyTime: time('x00080030'),
    seriesDate: date('x00080021'),
    seriesTime: time('x00080031'),
    performedDate: date('x00400244'),
    performedTime: time('x00400245'),
    referringPhysician: text('x00080090'),
    patientBirthDate: date('x00100030'),
    patientSex: word(text('x00100040')),
    patientName: text('x00100010'),
    patientId: text('x00100020'),
    patientAgeYears: readAge(text('x00101010')),
    identifyingTags: IDENTIFYING.flatMap((tag) => {
      const value = text(tag);
      // Blank names, and what stands for a value that was removed, tell nothing.
      if (value === null || /^([\s^=]*|REMOVED)$/.test(value)) return [];
      return [{ tag: tag.slice(1).toUpperCase(), keyword: dictionaryEntry(tag)?.name ?? tag, value }];
    }),
    isIdentityRemoved: text('x00120062') === 'YES',
    isPixelsCleaned:
      dataSet.elements['x00120064']?.items?.some(({ dataSet: item }) => item?.string('x00080100') === CLEAN_PIXELS) ===
      true,
    burnedInAnnotation: annotation === 'YES' ? 'yes' : annotation === 'NO' ? 'no' : null,
  };
}

function readUids(dataSet: DataSet): DicomUids | null {
  const [study, series, instance, sopClass] = ['x0020000d', 'x0020000e', 'x00080018', 'x00080016'].map((tag) => {
    const value = dataSet.string(tag)?.trim() ?? '';
    return value.length <= 64 && UID.test(value) ? value : undefined;
  });
  return study && series && instance && sopClass ? { study, series, instance, sopClass } : null;
}

/** Coded words: capitals, digits, spaces and underscores, at most 16 (PS3.5, 6.2); anything else is no code. */
function word(value: string | null): string | null {
  return matching(value, /^[A-Z0-9_ ]{1,16}$/);
}

function matching(value: string | null, pattern: RegExp): string | null {
  return value !== null && pattern.test(value) ? value : null;
}

/** `045Y`, `018M`, `003W`, `012D` in years. */
function readAge(value: string | null): number | null {
  const match = /^(\d{3})([YMWD])$/.exec(value ?? '');
  if (!match) return null;
  const perYear = { Y: 1, M: 12, W: 52.18, D: 365.25 }[match[2] as 'Y' | 'M' | 'W' | 'D'];
  return Math.round((Number(match[1]) / perYear) * 100) / 100;
}

/** Without what the database cannot store or nobody can read. */
function storable(value: string): string {
  return value
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim();
}
