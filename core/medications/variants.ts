import { normalise } from './names.ts';

/** Shorter names differ by too little for their letters to be levelled. */
const CHARACTERS_MIN = 6;

/** What the languages of the brands write differently in the same international name, levelled in this order. */
const LEVELLED: readonly [RegExp, string][] = [
  [/^(?:acide|acido|acidum) (.+)$/, '$1 acid'],
  [/(\w)saure\b/g, '$1ic acid'],
  [/(?:ique|ico|icum)(?= acid)/g, 'ic'],
  [/ph/g, 'f'],
  [/qu|ck|ch|k/g, 'c'],
  [/h/g, ''],
  [/ou/g, 'u'],
  [/ae|oe/g, 'e'],
  [/y|j/g, 'i'],
  [/x|z|ks/g, 's'],
  [/(.)\1+/g, '$1'],
  [/(?:um|us|e|a|o)(?= |$)/g, ''],
];

/**
 * One key for all spellings of an international name: `levotiroxina`, `Levothyroxin` and `lévothyroxine` have the same.
 * @returns null for a text too short to be told apart
 */
export function variantKey(text: string): string | null {
  const plain = normalise(text);
  if (plain.length < CHARACTERS_MIN) return null;
  return LEVELLED.reduce((key, [pattern, by]) => key.replace(pattern, by), plain);
}
