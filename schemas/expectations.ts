import type { JsonSchema } from './platform/json-schema.ts';

/*
 * What a fault was expected to be, in words, from the contract of the version that is spoken: its limits, its words, its
 * formats. Nothing of what was sent is ever in it.
 */

/** Longer lists of words are not told. */
const WORDS_MAX = 20;
const CHARS_MAX = 300;

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const formatNames: Readonly<Record<string, string>> = {
  date: 'a date, YYYY-MM-DD, such as 2023-10-15',
  'date-time': 'a date and time with its zone, such as 2023-10-15T09:30:00Z',
  email: 'an e-mail address',
  uri: 'an absolute address, such as https://example.org/hook',
  'uri-reference': 'an address',
};

/** Patterns of the contract in words. A pattern that is not here is told by the example of its schema. */
const patternNames: ReadonlyMap<string, string> = new Map([
  ['^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$', 'a month, YYYY-MM, such as 2023-10'],
  ['^\\d{4}-\\d{2}-\\d{2}$', 'a date, YYYY-MM-DD, such as 2023-10-15'],
  ['^[+-]?\\d{1,15}(\\.\\d{1,15})?([eE][+-]?\\d{1,2})?$', 'a decimal number, such as 7.1'],
  ['^(https?://|urn:)[!-~]+$', 'an address that begins with http://, https:// or urn:'],
  ['^[!-~]+( [!-~]+)*$', 'printable ASCII characters, with single spaces between them'],
  ['^[^/\\\\\\u0000-\\u001f\\u007f]+$', 'a file name without slashes and control characters'],
  ['^[0-9a-f]{64}$', 'a SHA-256 digest: 64 characters, 0 to 9 and a to f'],
  ['^[0-9A-Za-z][0-9A-Za-z.\\-]*$', 'a code of letters, digits, points and hyphens, such as E11.9'],
  ['^[a-z][a-z0-9_]{0,63}$', 'a name of small letters, digits and underscores'],
  ['^[0-9A-F]{8}$', 'a DICOM tag of eight hexadecimal digits, such as 00100010'],
  ['^[A-Z0-9]{1,16}$', 'a DICOM code of up to 16 capital letters and digits, such as DX'],
  ['^[A-Z0-9_ ]{1,16}$', 'a DICOM code of up to 16 capital letters and digits, such as CHEST'],
  ['^\\d{1,7}-\\d$', 'a LOINC code, such as 2345-7'],
  ['^[A-Za-z][0-9][0-9A-Za-z]?(\\.[0-9A-Za-z]{0,4})?$', 'an ICD-10 code or its beginning, such as E11'],
  ['^[A-Za-z]([0-9]{1,2}([A-Za-z]([A-Za-z]([0-9]{1,2})?)?)?)?$', 'an ATC code or its beginning, such as C09A'],
  ['^[1-9][0-9]{0,7}$', 'a whole number of up to eight digits'],
  [
    '^(\\d{8}|\\d{8}-|-\\d{8}|\\d{8}-\\d{8})$',
    'a date, YYYYMMDD, or a range of two with a hyphen, either of which may be left out',
  ],
  [
    '^-?\\d{1,9}(\\.\\d{1,9})?,\\d{1,9}(\\.\\d{1,9})?(,(linear|linear-exact|sigmoid))?$',
    'centre and width of the window, such as 40,400; after them linear, linear-exact or sigmoid may follow',
  ],
]);

/** What was expected where ajv found a fault, as a sentence; undefined where the code says it all. */
export function expectation(keyword: string, schema: JsonSchema): string | undefined {
  switch (keyword) {
    case 'type':
      return sentence('Expected', listed([schema.type ?? []].flat().map((each) => typeNames[each] ?? each)));
    case 'enum':
      return wordsOf(schema);
    case 'format':
      return sentence('Expected', formatNames[schema.format ?? ''] ?? exampleOf(schema));
    case 'pattern':
      return sentence('Expected', patternIn(schema) ?? exampleOf(schema));
    case 'minLength':
      return `The least is ${counted(schema.minLength, 'character')}.`;
    case 'maxLength':
      return `The most is ${counted(schema.maxLength, 'character')}.`;
    case 'minimum':
      return `The least is ${schema.minimum}.`;
    case 'maximum':
      return `The largest is ${schema.maximum}.`;
    case 'minItems':
      return `The least is ${counted(schema.minItems, 'entry', 'entries')}.`;
    case 'maxItems':
      return `The most is ${counted(schema.maxItems, 'entry', 'entries')}.`;
    default:
      return undefined;
  }
}

function wordsOf({ enum: words }: JsonSchema): string | undefined {
  const told = (words ?? []).filter((each) => each !== null).map(String);
  const text = told.join(', ');
  if (told.length === 0 || told.length > WORDS_MAX || text.length > CHARS_MAX) return undefined;
  return `Allowed: ${text}.`;
}

function patternIn({ pattern }: JsonSchema): string | undefined {
  if (pattern === undefined) return undefined;
  const prefix = /^\^([a-z]{2,5})_\[0-9A-Za-z\]\{8,64\}\$$/.exec(pattern)?.[1];
  if (prefix !== undefined) return `an identifier that begins with ${prefix}_`;
  const choices = /^\^\(([a-z_|]+)\)\(,/.exec(pattern)?.[1]?.split('|');
  if (choices && choices.length <= WORDS_MAX) return `one or more of ${choices.join(', ')}, with commas between them`;
  return patternNames.get(pattern);
}

function exampleOf({ examples }: JsonSchema): string | undefined {
  const [first] = examples ?? [];
  return typeof first === 'string' || typeof first === 'number' ? `something like ${first}` : undefined;
}

function sentence(beginning: string, rest: string | undefined): string | undefined {
  return rest === undefined || rest === '' ? undefined : `${beginning}: ${rest}.`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function counted(count: number | undefined, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
