import { stemmer } from 'stemmer';
import { spend } from '../../compute/work.ts';
import type { Words } from '../../knowledge/types.ts';

/** A word, number or mark of the client's text with its place in it. */
export interface Token {
  /** Lower-cased text; for a joined expression its words with single spaces. */
  text: string;
  /** The canonical word two wordings of the same thing share. */
  canon: string;
  /** Offsets into the text that was read, end exclusive. */
  start: number;
  end: number;
  /** A filler is matched only inside a wording; a stop never is. */
  kind: 'word' | 'filler' | 'stop' | 'mark';
}

/** Words kept; beyond this the memory starts anew, so that it cannot grow without end. */
const REMEMBERED_MAX = 50_000;
const STEMMED_MAX = 40;
/** Work of splitting, by the character and by the sentence. */
const TOKEN_UNITS = 20;
const SENTENCE_UNITS = 400;
const NUMBER = /^\d/;
const MARKS = new Set('.,;:!?()\n/');
/** A slash between words parts them as a comma does; between numbers or single letters it belongs: "120/80", "s/p". */
const PIECE = /\b[a-z]\/[a-z]\b|[a-z0-9]+(?:['’.%][a-z0-9]+|\/\d+)*%?|[.,;:!?()\n/]/gi;

/** Turns words into canonical words: stems, synonyms and fixed expressions. Built once per knowledge base. */
export class Canon {
  private readonly same = new Map<string, string>();
  private readonly expressions = new Map<string, { stems: string[]; canon: string }[]>();
  private readonly fillers: Set<string>;
  private readonly stops: Set<string>;
  /** Stems and canonical forms by word: text repeats itself, and stemming is what reading costs most. */
  private readonly stems = new Map<string, string>();
  private readonly canons = new Map<string, string>();
  /** Every surface word known, for spelling. */
  readonly vocabulary = new Set<string>();

  constructor(words: Words) {
    this.fillers = new Set(words.fillers);
    this.stops = new Set(words.stops);
    for (const plain of [...words.fillers, ...words.stops]) this.vocabulary.add(plain);
    for (const [canon, variants] of Object.entries(words.same)) {
      for (const variant of [canon, ...variants]) {
        this.same.set(variant, canon);
        this.vocabulary.add(variant);
      }
    }
    for (const [canon, variants] of Object.entries(words.same)) {
      for (const variant of [canon, ...variants])
        if (!this.same.has(stemmer(variant))) this.same.set(stemmer(variant), canon);
    }
    for (const [canon, expressions] of Object.entries(words.phrases)) {
      for (const expression of expressions) this.addExpression(expression, canon);
    }
    for (const known of this.expressions.values()) known.sort((a, b) => b.stems.length - a.stems.length);
  }

  /** The canonical form of one lower-case word. */
  word(word: string): string {
    const known = this.canons.get(word);
    if (known !== undefined) return known;
    const plain = word.endsWith("'s") || word.endsWith('’s') ? word.slice(0, -2) : word;
    const stem = this.stem(plain);
    const canon = this.same.get(plain) ?? this.same.get(stem) ?? stem;
    if (this.canons.size >= REMEMBERED_MAX) this.canons.clear();
    this.canons.set(word, canon);
    return canon;
  }

  private stem(word: string): string {
    const known = this.stems.get(word);
    if (known !== undefined) return known;
    // Longer than any word: a stem would not make it one, and takes time by its length.
    const stem = word.length > STEMMED_MAX ? word : stemmer(word);
    if (this.stems.size >= REMEMBERED_MAX) this.stems.clear();
    this.stems.set(word, stem);
    return stem;
  }

  private kindOf(word: string): Token['kind'] {
    if (this.stops.has(word)) return 'stop';
    return this.fillers.has(word) || NUMBER.test(word) ? 'filler' : 'word';
  }

  /** Learns the words of a wording so that they are spelled right by definition. */
  learn(wording: string): void {
    for (const match of wording.toLowerCase().matchAll(PIECE)) this.vocabulary.add(match[0]);
  }

  /**
   * Splits text into tokens.
   * @param correct gives the intended spelling of a word; the identity where no spelling is wanted.
   */
  tokens(text: string, correct: (word: string) => string = (word) => word): Token[] {
    spend(text.length * TOKEN_UNITS + SENTENCE_UNITS);
    const pieces: Token[] = [];
    for (const match of text.matchAll(PIECE)) {
      const written = match[0].toLowerCase().replaceAll('’', "'");
      const start = match.index;
      const end = start + match[0].length;
      if (written.length === 1 && MARKS.has(written)) {
        const mark = written === '/' ? ',' : written;
        pieces.push({ text: mark, canon: mark, start, end, kind: 'mark' });
        continue;
      }
      // A run-on word is corrected to several, which share its place.
      const words = NUMBER.test(written) ? [written] : correct(written).split(' ');
      for (const word of words) {
        pieces.push({ text: word, canon: this.word(word), start, end, kind: this.kindOf(word) });
      }
    }
    return this.join(pieces);
  }

  /** Canonical content words of a synonym, in order and without repeats. */
  phrase(wording: string): string[] {
    const content = this.tokens(wording)
      .filter((token) => token.kind === 'word' || token.kind === 'filler')
      .map((token) => token.canon);
    return [...new Set(content)];
  }

  /** Stems of a wording's own content words, in which synonyms stay apart. */
  surface(wording: string): string[] {
    const content = this.tokens(wording).filter((token) => token.kind === 'word' || token.kind === 'filler');
    return [...new Set(content.map((token) => this.surfaceOf(token)))];
  }

  /** The stems of the words a token stands for. */
  surfaceOf(token: Token): string {
    return token.text
      .split(' ')
      .map((word) => this.stem(word.replace(/'s$/, '')))
      .join(' ');
  }

  private addExpression(expression: string, canon: string): void {
    this.learn(expression);
    const stems = expression.split(/[\s-]+/).map((word) => stemmer(word));
    const first = stems[0]!;
    const known = this.expressions.get(first) ?? [];
    known.push({ stems, canon });
    this.expressions.set(first, known);
  }

  /** Replaces fixed expressions by one token, the longest first. */
  private join(pieces: Token[]): Token[] {
    const stems = pieces.map((piece) => (piece.kind === 'mark' ? piece.text : this.stem(piece.text)));
    if (!stems.some((stem) => this.expressions.has(stem))) return pieces;
    const joined: Token[] = [];
    for (let at = 0; at < pieces.length; ) {
      const piece = pieces[at]!;
      const expression = this.expressions
        .get(stems[at]!)
        ?.find((candidate) => candidate.stems.every((stem, offset) => stems[at + offset] === stem));
      if (expression === undefined) {
        joined.push(piece);
        at += 1;
        continue;
      }
      const covered = pieces.slice(at, at + expression.stems.length);
      joined.push({
        text: covered.map((one) => one.text).join(' '),
        canon: expression.canon,
        start: piece.start,
        end: covered.at(-1)!.end,
        kind: 'word',
      });
      at += expression.stems.length;
    }
    return joined;
  }
}
