import type { KnowledgeHighlight, KnowledgeKind } from '@perennial/schemas/resources/knowledge.ts';
import { knowledgeKinds } from '@perennial/schemas/resources/knowledge.ts';
import MiniSearch from 'minisearch';
import type { Catalogue, Item } from '../catalogue.ts';
import { fold, tokensOf } from './fold.ts';
import { highlight } from './highlight.ts';

/** An entry that was found. */
export interface Match {
  readonly item: Item;
  readonly score: number;
  /** Words of the entry that fit, folded. */
  readonly words: ReadonlySet<string>;
}

type Field = 'name' | 'synonyms' | 'brands' | 'codes' | 'summary' | 'recommendations';
type Document = Readonly<Record<Field, string>> & { readonly id: number };

/** Words of a query that are looked for; no question needs more. */
const WORDS_MAX = 16;
const HIGHLIGHTS_MAX = 3;
/** Words of grammar: everything has them, so they tell nothing. */
const GRAMMAR = new Set('a an and at by for from in is it of on or the to with'.split(' '));
const FIELDS: readonly Field[] = ['name', 'synonyms', 'brands', 'codes', 'summary', 'recommendations'];
/** What a word in a field is worth. */
const BOOST: Readonly<Record<Field, number>> = {
  name: 6,
  codes: 6,
  synonyms: 3,
  brands: 3,
  summary: 1,
  recommendations: 0.5,
};
/** A disease is likelier to be meant than the wording of a finding that happens to share its words. */
const KIND_BOOST: Readonly<Record<string, number>> = {
  condition: 1.3,
  medication: 1.2,
  treatment: 1.1,
  finding: 0.9,
};
/** An entry whose name, code, synonym or brand is the query itself is what was meant. */
const EXACT_BOOST = 4;
/** Stands between texts of one field. */
const SEPARATOR = ' | ';

/** Ranked search over all kinds. Built at the first question, or when it is told to. */
export class Search {
  readonly #catalogue: Catalogue;
  #index: MiniSearch<Document> | undefined;
  #names: ReadonlyMap<string, ReadonlySet<number>> = new Map();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Builds the index now, so that no caller waits for it. */
  prepare(): void {
    if (this.#index) return;
    this.#names = callNames(this.#catalogue.items);
    this.#index = buildIndex(this.#catalogue);
  }

  /** Entries that fit the text, best first; equal scores by identifier. Empty where the text has no word. */
  find(text: string, kind?: KnowledgeKind): Match[] {
    this.prepare();
    const index = this.#index as MiniSearch<Document>;
    const words = queryWords(text);
    if (words.length === 0) return [];
    const { items } = this.#catalogue;
    const called = this.#names.get(fold(text.trim().replace(/\s+/g, ' ')));
    const options = {
      // Before the score is worked out, not after: what is not asked for costs nothing.
      boostDocument: (id: unknown) => {
        const { kind: its } = items[id as number] as Item;
        if (kind !== undefined && its !== kind) return 0;
        return (KIND_BOOST[its] ?? 1) * (called?.has(id as number) ? EXACT_BOOST : 1);
      },
    };
    const query = words.join(' ');
    const all = index.search(query, { ...options, combineWith: 'AND' });
    const found = all.length > 0 ? all : index.search(query, { ...options, combineWith: 'OR' });
    return found
      .map(({ id, score, match }) => ({
        item: items[id as number] as Item,
        score: Math.round(score * 1000) / 1000,
        words: new Set(Object.keys(match)),
      }))
      .sort((a, b) => b.score - a.score || (a.item.entity_id < b.item.entity_id ? -1 : 1));
  }

  /** Where the words of a match stand, the best place first. */
  highlights({ item, words }: Match): KnowledgeHighlight[] {
    const places: KnowledgeHighlight[] = [];
    for (const field of FIELDS)
      for (const text of textsOf(this.#catalogue, item, field)) {
        if (places.length >= HIGHLIGHTS_MAX) return places;
        const place = highlight(field, text, words);
        if (place) places.push(place);
      }
    return places;
  }
}

function buildIndex(catalogue: Catalogue): MiniSearch<Document> {
  const index = new MiniSearch<Document>({
    fields: [...FIELDS],
    tokenize: tokensOf,
    processTerm: (word) => (GRAMMAR.has(word) ? null : word),
    searchOptions: {
      boost: BOOST,
      prefix: (word) => word.length >= 2,
      // Codes and short words are too close to each other to guess between.
      fuzzy: (word) => (word.length < 4 || /\d/.test(word) ? false : word.length < 8 ? 1 : 2),
      weights: { fuzzy: 0.3, prefix: 0.5 },
      // Long texts must not lose much to short ones, nor gain by saying a word often.
      bm25: { k: 1.2, b: 0.4, d: 0.5 },
    },
  });
  const kinds = new Set<string>(knowledgeKinds);
  index.addAll(
    catalogue.items
      .filter(({ kind }) => kinds.has(kind))
      .map((item) => ({
        id: item.index,
        ...(Object.fromEntries(
          FIELDS.map((field) => [field, textsOf(catalogue, item, field).join(SEPARATOR)]),
        ) as Readonly<Record<Field, string>>),
      })),
  );
  return index;
}

function textsOf(catalogue: Catalogue, item: Item, field: Field): readonly string[] {
  switch (field) {
    case 'name':
      return [item.name];
    case 'synonyms':
      return item.synonyms;
    case 'brands':
      return item.brands;
    case 'codes':
      return item.codes.map(({ code }) => code);
    case 'summary':
      return item.summary === null ? [] : [item.summary];
    case 'recommendations':
      return item.kind === 'guideline'
        ? (catalogue.guidelines.get(item.id)?.recommendations.map(({ text }) => text) ?? [])
        : [];
  }
}

/** Items by what they are called, folded. The wordings of a finding are how people say it, not what it is called. */
function callNames(items: readonly Item[]): ReadonlyMap<string, ReadonlySet<number>> {
  const names = new Map<string, Set<number>>();
  for (const { index, kind, name, synonyms, brands, codes } of items) {
    const others = kind === 'finding' ? [] : [...synonyms, ...brands, ...codes.map(({ code }) => code)];
    for (const each of [name, ...others]) {
      const key = fold(each);
      const known = names.get(key);
      if (known) known.add(index);
      else names.set(key, new Set([index]));
    }
  }
  return names;
}

function queryWords(text: string): string[] {
  const words = [...new Set(tokensOf(text))];
  const telling = words.filter((word) => !GRAMMAR.has(word));
  return (telling.length > 0 ? telling : words).slice(0, WORDS_MAX);
}
