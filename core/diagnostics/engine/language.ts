import type { Knowledge } from '../../knowledge/types.ts';

/** A language that texts were sent in. */
export interface TextLanguage {
  language: string;
  name: string;
  is_read: boolean;
}

interface Known extends TextLanguage {
  script: RegExp | null;
  signature: ReadonlySet<string>;
}

/** The language that is taken where none can be told: few words, or terms alone. */
const USUAL = 'en';
/** So many of a language's common words, at least, make a text one in it. */
const WORDS_MIN = 2;
/** A language is told by the beginning of a text. */
const LOOKED_AT_CHARS = 2000;
const LETTERS_MIN = 3;
const WORD = /\p{L}+(?:['’]\p{L}+)*/gu;

const known = new WeakMap<Knowledge, Known[]>();

function languagesOf(knowledge: Knowledge): Known[] {
  const made = known.get(knowledge);
  if (made !== undefined) return made;
  const all = [
    ...knowledge.languages.map(({ language, name, signature }) => ({
      language,
      name,
      signature,
      script: null,
      is_read: true,
    })),
    ...knowledge.other_languages.map((one) => ({ ...one, is_read: false })),
  ];
  const languages = all.map(({ language, name, signature, script, is_read }) => ({
    language,
    name,
    is_read,
    script: script === null ? null : new RegExp(`\\p{Script=${script}}`, 'gu'),
    signature: new Set(signature),
  }));
  known.set(knowledge, languages);
  return languages;
}

/**
 * The language of a text, by its script or its commonest words; null where it cannot be told, which is then taken for
 * the usual one.
 */
export function languageOf(text: string, knowledge: Knowledge): TextLanguage | null {
  const begin = text.slice(0, LOOKED_AT_CHARS);
  const words = (begin.toLowerCase().match(WORD) ?? []).map((word) => word.replaceAll('’', "'"));
  let best: { language: Known; hits: number } | null = null;
  for (const language of languagesOf(knowledge)) {
    if (language.script !== null) {
      if ((begin.match(language.script)?.length ?? 0) >= LETTERS_MIN) return plain(language);
      continue;
    }
    const hits = words.filter((word) => language.signature.has(word)).length;
    const isBetter = best === null || hits > best.hits;
    if (hits >= WORDS_MIN && isBetter) best = { language, hits };
  }
  return best === null ? null : plain(best.language);
}

/** Whether a text is in a language that is read. */
export function isRead(text: string, knowledge: Knowledge): boolean {
  return languageOf(text, knowledge)?.is_read ?? true;
}

/** The languages of texts, each once, in their order; those that cannot be told are left out. */
export function languagesIn(texts: readonly string[], knowledge: Knowledge): TextLanguage[] {
  const found = new Map<string, TextLanguage>();
  for (const text of texts) {
    const language = languageOf(text, knowledge);
    if (language !== null) found.set(language.language, language);
  }
  return [...found.values()];
}

/** The tag under which a text is read. */
export function readAs(text: string, knowledge: Knowledge): string {
  const language = languageOf(text, knowledge);
  return language?.is_read ? language.language : USUAL;
}

const plain = ({ language, name, is_read }: Known): TextLanguage => ({ language, name, is_read });
