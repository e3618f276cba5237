import type { DataSet, Element } from 'dicom-parser';

/*
 * Text of a data set in the character set that the file names (PS3.3, C.12.1.1.2; PS3.5, 6.1).
 */

/** Names of DICOM as the Encoding Standard calls them. */
const encodings: Readonly<Record<string, string>> = {
  'ISO_IR 6': 'windows-1252',
  'ISO_IR 100': 'windows-1252',
  'ISO_IR 101': 'iso-8859-2',
  'ISO_IR 109': 'iso-8859-3',
  'ISO_IR 110': 'iso-8859-4',
  'ISO_IR 144': 'iso-8859-5',
  'ISO_IR 127': 'iso-8859-6',
  'ISO_IR 126': 'iso-8859-7',
  'ISO_IR 138': 'iso-8859-8',
  'ISO_IR 148': 'windows-1254',
  'ISO_IR 203': 'iso-8859-15',
  'ISO_IR 166': 'windows-874',
  'ISO_IR 13': 'shift_jis',
  'ISO_IR 192': 'utf-8',
  GB18030: 'gb18030',
  GBK: 'gbk',
  'ISO_IR 87': 'iso-2022-jp',
  'ISO_IR 159': 'iso-2022-jp',
  'ISO_IR 149': 'euc-kr',
  'ISO_IR 58': 'gb18030',
};

/** VRs whose bytes are in the character set of the file; the others are ASCII. */
const IN_CHARACTER_SET = new Set(['SH', 'LO', 'ST', 'PN', 'LT', 'UC', 'UT']);
/** VRs of which a backslash is part of the text, not between values. */
const ONE_VALUE = new Set(['ST', 'LT', 'UT', 'UR']);

/** Decodes the texts of one data set. */
export class TextReader {
  readonly #decoder: InstanceType<typeof TextDecoder>;
  readonly #ascii = new TextDecoder('windows-1252');
  /** Designates a second set in front of each run of its characters; the decoder of that set does not expect it. */
  readonly #hasEscapes: boolean;

  constructor(dataSet: DataSet) {
    const named = (dataSet.string('x00080005') ?? '')
      .split('\\')
      .map((each) => each.trim().replace('ISO 2022 ', 'ISO_'));
    // Of several sets, the later ones are those with more characters; all keep ASCII in its place.
    const name = named.findLast((each) => each !== '') ?? '';
    const encoding = encodings[name] ?? 'windows-1252';
    this.#decoder = new TextDecoder(encoding);
    this.#hasEscapes = encoding === 'euc-kr' || encoding === 'gb18030';
  }

  /** Values of the element, without padding; empty ones stay empty. */
  values(dataSet: DataSet, element: Element, vr: string): readonly string[] {
    const bytes = dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
    const text = this.#decode(bytes, vr).replace(/\0+$/, '');
    if (text === '') return [];
    return (ONE_VALUE.has(vr) ? [text] : text.split('\\')).map((each) => each.trim());
  }

  /** The first value of the element with that tag; undefined when there is none. */
  first(dataSet: DataSet, tag: string, vr: string): string | undefined {
    const element = dataSet.elements[tag];
    if (!element || element.items) return undefined;
    const value = this.values(dataSet, element, vr)[0];
    return value === '' ? undefined : value;
  }

  #decode(bytes: Uint8Array, vr: string): string {
    if (!IN_CHARACTER_SET.has(vr)) return this.#ascii.decode(bytes);
    const text = this.#decoder.decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for.
    return this.#hasEscapes ? text.replace(/\u001b\$?[()-][A-Z0-9]/g, '') : text;
  }
}
