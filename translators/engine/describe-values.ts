import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { ValueEdit } from './change.ts';

/** The ways to describe values that travel under many names: identifiers and shared lists of words. */

/** How identifiers were written before, and a function for each direction: neither may lose anything. */
export interface Reformatting {
  /** Pattern of the older form. No other identifier may have it. */
  readonly pattern: string;
  readonly down: (newer: string) => string;
  readonly up: (older: string) => string;
}

/**
 * Identifiers have another form, wherever they travel: members, lists, paths, filters, events, criteria. `of` is the
 * member that is one: `reformatted('Patient.id', …)`. What refers to it has its pattern, or says so by `x-same-as`.
 */
export function reformatted(of: string, { pattern, down, up }: Reformatting): ValueEdit {
  return {
    of,
    hides: false,
    older: ({ examples }) => ({
      pattern,
      ...(examples && { examples: examples.map((each) => (typeof each === 'string' ? down(each) : each)) }),
    }),
    down,
    up,
    written: [down, up],
  };
}

/**
 * Words of a list have other names, wherever the list is used: `renamedWords('Event.type', { 'analysis.done':
 * 'diagnostic.completed' })`, older names first. Streams and unions that are told apart by the words follow.
 */
export function renamedWords(of: string, words: Readonly<Record<string, string>>): ValueEdit {
  const older = new Map(Object.entries(words).map(([before, now]) => [now, before]));
  return {
    of,
    hides: false,
    names: [...older.keys()],
    older: (schema) => withWords(schema, (word) => older.get(word) ?? word),
    down: (word) => older.get(word) ?? word,
    up: (word) => (Object.hasOwn(words, word) ? (words[word] as string) : word),
    written: [],
  };
}

/**
 * Words of a list are new, wherever the list is used. What has one of them is left out of every list and stream of an
 * older version, and is not found when it is asked for by itself.
 */
export function addedWords(of: string, words: readonly string[]): ValueEdit {
  const known = (word: string): string | undefined => (words.includes(word) ? undefined : word);
  return {
    of,
    hides: true,
    names: words,
    older: (schema) => withWords(schema, known),
    down: known,
    up: (word) => word,
    written: [],
  };
}

function withWords(schema: JsonSchema, older: (word: string) => string | undefined): JsonSchema {
  const all = (values: JsonSchema['enum']): JsonSchema['enum'] =>
    values?.flatMap((value) => {
      const word = typeof value === 'string' ? older(value) : value;
      return word === undefined ? [] : [word];
    });
  const { enum: words, examples, const: only, default: otherwise } = schema;
  return {
    ...(words && { enum: all(words) as NonNullable<JsonSchema['enum']> }),
    ...(examples && { examples: all(examples) as NonNullable<JsonSchema['examples']> }),
    ...(typeof only === 'string' && { const: older(only) ?? only }),
    ...(typeof otherwise === 'string' && { default: older(otherwise) ?? otherwise }),
  };
}
