import type { DetailCode } from '@perennial/schemas/errors.ts';
import { invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { Column, Condition } from '../matching.ts';

/*
 * What QIDO-RS asks with: attributes by keyword or tag (PS3.18, 8.3.4), matched as PS3.4, C.2.2.2 says.
 */

/** On what an attribute stands. */
export type Level = 'study' | 'series' | 'instance';

type Kind = 'uid' | 'text' | 'code' | 'name' | 'date' | 'time' | 'number';

interface Key {
  readonly tag: string;
  readonly keyword: string;
  readonly level: Level;
  readonly kind: Kind;
  readonly column: Column;
}

function key(tag: string, keyword: string, level: Level, kind: Kind, column: Column): Key {
  return { tag, keyword, level, kind, column };
}

const keys: readonly Key[] = [
  key('0020000D', 'StudyInstanceUID', 'study', 'uid', 'studyUid'),
  key('00100010', 'PatientName', 'study', 'name', 'patientName'),
  key('00100020', 'PatientID', 'study', 'text', 'patientId'),
  key('00100030', 'PatientBirthDate', 'study', 'date', 'patientBirthDate'),
  key('00100040', 'PatientSex', 'study', 'code', 'patientSex'),
  key('00080020', 'StudyDate', 'study', 'date', 'studyDate'),
  key('00080030', 'StudyTime', 'study', 'time', 'studyTime'),
  key('00080050', 'AccessionNumber', 'study', 'text', 'accessionNumber'),
  key('00080061', 'ModalitiesInStudy', 'study', 'code', 'modalities'),
  key('00080090', 'ReferringPhysicianName', 'study', 'name', 'referringPhysician'),
  key('00081030', 'StudyDescription', 'study', 'text', 'studyDescription'),
  key('00200010', 'StudyID', 'study', 'text', 'studyId'),
  key('0020000E', 'SeriesInstanceUID', 'series', 'uid', 'seriesUid'),
  key('00080060', 'Modality', 'series', 'code', 'modality'),
  key('00200011', 'SeriesNumber', 'series', 'number', 'seriesNumber'),
  key('0008103E', 'SeriesDescription', 'series', 'text', 'seriesDescription'),
  key('00080021', 'SeriesDate', 'series', 'date', 'seriesDate'),
  key('00080031', 'SeriesTime', 'series', 'time', 'seriesTime'),
  key('00400244', 'PerformedProcedureStepStartDate', 'series', 'date', 'performedDate'),
  key('00400245', 'PerformedProcedureStepStartTime', 'series', 'time', 'performedTime'),
  key('00080018', 'SOPInstanceUID', 'instance', 'uid', 'instanceUid'),
  key('00080016', 'SOPClassUID', 'instance', 'uid', 'sopClassUid'),
  key('00200013', 'InstanceNumber', 'instance', 'number', 'instanceNumber'),
];

const byName: ReadonlyMap<string, Key> = new Map(
  keys.flatMap((each) => [
    [each.keyword, each],
    [each.tag, each],
  ]),
);
const LEVELS = { study: 1, series: 2, instance: 3 } as const;
const VALUES_MAX = 200;

/** Attributes that are answered of each level, beside those that can be matched by. */
const answered = new Set(
  '00080056 00080201 00081190 00201206 00201208 00201209 00280008 00280010 00280011 00083002'.split(' '),
);

/** What was asked, and what of it was passed over. */
export interface Asked {
  readonly conditions: readonly Condition[];
  /** Names of attributes that cannot be matched by here. */
  readonly ignored: readonly string[];
  /** Names of attributes that were wished for and are not kept. */
  readonly missing: readonly string[];
}

/** Parameters that are no attributes. */
const OPTIONS = new Set(['limit', 'offset', 'fuzzymatching', 'includefield', 'accept', 'charset']);

/**
 * Reads the attributes of a query.
 * @param level what is searched for: attributes of what is below it are passed over, as the standard has it.
 * @throws Fault `validation_failed` naming the parameter as it was sent.
 */
export function readKeys(search: URLSearchParams, level: Level, isFuzzy: boolean): Asked {
  const conditions: Condition[] = [];
  const ignored: string[] = [];
  for (const [name, value] of search) {
    if (OPTIONS.has(name)) continue;
    const known = keyOf(name);
    if (!known || LEVELS[known.level] > LEVELS[level]) ignored.push(name);
    // An empty value matches everything (PS3.4, C.2.2.2.3); it only asks that the attribute is answered.
    else if (value !== '' && value !== '*') conditions.push(conditionOf(known, name, value, isFuzzy));
  }
  const wished = search.getAll('includefield').flatMap((each) => each.split(','));
  const missing = wished.filter((each) => each !== 'all' && each !== '' && !keyOf(each) && !answered.has(tagOf(each)));
  return { conditions, ignored: [...new Set(ignored)], missing: [...new Set(missing)] };
}

function keyOf(name: string): Key | undefined {
  return byName.get(name) ?? byName.get(tagOf(name));
}

function tagOf(name: string): string {
  return name.toUpperCase();
}

function conditionOf({ kind, column }: Key, name: string, value: string, isFuzzy: boolean): Condition {
  switch (kind) {
    case 'uid':
      return { column, kind: 'any', values: listOf(name, value, /[,\\]/, 64) };
    case 'code': {
      const values = listOf(name, value, /[,\\]/, 16);
      return values.some(hasWildcard) && column !== 'modalities'
        ? { column, kind: 'like', patterns: values.map(patternOf), ignoreCase: false }
        : { column, kind: 'any', values };
    }
    case 'number': {
      const values = listOf(name, value, /[,\\]/, 12).map(Number);
      const isWhole = values.every((each) => Number.isSafeInteger(each) && Math.abs(each) <= 2_147_483_647);
      if (!isWhole) throw invalidParameter(name, 'wrong_type');
      return { column, kind: 'numbers', values };
    }
    case 'text':
      return { column, kind: 'like', patterns: listOf(name, value, /\\/, 256).map(patternOf), ignoreCase: false };
    case 'name': {
      const words = value.split(/[\s^=,*]+/).filter((each) => each !== '');
      if (isFuzzy && words.length > 0) return { column, kind: 'words', words: words.slice(0, 10) };
      return { column, kind: 'like', patterns: listOf(name, value, /\\/, 256).map(patternOf), ignoreCase: true };
    }
    case 'date':
      return { column, kind: 'between', ...rangeOf(name, value, /^\d{8}$/, (text) => [text, text]) };
    case 'time':
      return { column, kind: 'between', ...rangeOf(name, value.replaceAll(':', ''), TIME, timesOf) };
  }
}

const TIME = /^\d{2}(\d{2}(\d{2}(\.\d{1,6})?)?)?$/;

/** The first and the last instant that a time of hours, of minutes or of seconds stands for. */
function timesOf(text: string): readonly [string, string] {
  return [text, text.length > 6 ? text.padEnd(13, '9') : `${text}${'5959.999999'.slice(text.length - 2)}`];
}

/** A value, or two with a hyphen between of which one may be missing (PS3.4, C.2.2.2.5). */
function rangeOf(
  name: string,
  value: string,
  pattern: RegExp,
  ends: (text: string) => readonly [string, string],
): { readonly from: string | undefined; readonly to: string | undefined } {
  const [first = '', last = first, ...more] = value.split('-');
  const isRange = (first === '' || pattern.test(first)) && (last === '' || pattern.test(last));
  if (!isRange || more.length > 0 || (first === '' && last === '')) throw invalidParameter(name, 'wrong_format');
  return { from: first === '' ? undefined : ends(first)[0], to: last === '' ? undefined : ends(last)[1] };
}

function listOf(name: string, value: string, between: RegExp, charsMax: number): readonly string[] {
  const values = value.split(between).filter((each) => each !== '');
  const fault: DetailCode | undefined =
    values.length > VALUES_MAX ? 'too_many' : values.some((each) => each.length > charsMax) ? 'too_long' : undefined;
  if (fault !== undefined) throw invalidParameter(name, fault);
  return values;
}

function hasWildcard(value: string): boolean {
  return /[*?]/.test(value);
}

/** With the wildcards of LIKE in place of those of DICOM. */
function patternOf(value: string): string {
  return value
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');
}
