import { crc32, deflateSync } from 'node:zlib';
import { randomSequence } from './random.ts';

/** Text by a recipe small enough to be read: pieces in turn or by chance, some letters of them wrong. */
export interface TextSeed {
  readonly pieces: readonly string[];
  readonly characters: number;
  /** Chosen by chance, and not in turn, where it is above zero. */
  readonly chance: number;
  /** One letter in so many is wrong; none where it is zero. */
  readonly slips: number;
}

/** An attack on one operation: a recipe for what it is sent. */
export interface Seed {
  readonly operation: string;
  /** What is bad about it. */
  readonly about: string;
  readonly text: TextSeed;
  /** How many such texts. */
  readonly count: number;
}

/** What is sent. */
export interface Input {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string | Buffer;
  /** JSON unless given. */
  readonly mediaType?: string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** The texts of a recipe; the same recipe gives the same texts. */
export function textsOf({ text, count }: Pick<Seed, 'text' | 'count'>): string[] {
  const random = randomSequence(text.chance);
  const pick = (at: number): string =>
    text.pieces[text.chance > 0 ? random(text.pieces.length) : at % text.pieces.length] as string;
  return Array.from({ length: count }, () => {
    let made = '';
    for (let at = 0; made.length < text.characters; at += 1) made += slipped(pick(at), text.slips, random);
    return made.slice(0, text.characters);
  });
}

function slipped(piece: string, slips: number, random: (below: number) => number): string {
  if (slips === 0) return piece;
  return piece.replaceAll(/[a-z]/g, (letter) => (random(slips) === 0 ? (LETTERS[random(26)] as string) : letter));
}

const diagnostic =
  (path: string, more: object = {}) =>
  (texts: readonly string[]): Input => ({
    method: 'POST',
    path,
    body: JSON.stringify({ patientData: { symptoms: texts }, ...more }),
  });

const medications =
  (path: string) =>
  (texts: readonly string[]): Input => ({
    method: 'POST',
    path,
    body: JSON.stringify({ medications: texts.map((name) => ({ name })) }),
  });

/** How the texts of a recipe become a request, by operation. */
export const builders: Readonly<Record<string, (texts: readonly string[]) => Input>> = {
  parse: diagnostic('/diagnostics/parse'),
  analyze: diagnostic('/diagnostics/analyze'),
  differential: diagnostic('/diagnostics/differential', { candidates: ['gout', 'asthma'] }),
  stream: diagnostic('/diagnostics/stream'),
  interactions: medications('/medications/interactions'),
  resolve: medications('/medications/resolve'),
  bulk: (texts) => ({
    method: 'POST',
    path: '/diagnostics/bulk',
    body: JSON.stringify({
      operations: texts.map((text) => ({ action: 'analyze', data: { patientData: { symptoms: [text] } } })),
    }),
  }),
  search: ([text = '']) => ({ method: 'GET', path: `/knowledge/search?limit=100&query=${encodeURIComponent(text)}` }),
  entities: ([text = '']) => ({
    method: 'GET',
    path: `/knowledge/graph/entities?limit=100&name=${encodeURIComponent(text)}`,
  }),
  // The text names types of relationships, separated by commas.
  paths: ([text = '']) => ({
    method: 'GET',
    path: `/knowledge/graph/paths?from=condition:gout&to=condition:asthma&max_length=5&limit=100&types=${text}`,
  }),
  graphDifferential: (texts) => ({
    method: 'POST',
    path: '/knowledge/graph/differential',
    body: JSON.stringify({ condition_ids: texts, options: { maxFindings: 200 } }),
  }),
  unknownFields: (texts) => ({
    method: 'POST',
    path: '/patients',
    body: JSON.stringify(Object.fromEntries(texts.map((text, at) => [`${text}${at}`, 1]))),
  }),
  unknownEverywhere: (texts) => ({
    method: 'POST',
    path: '/diagnostics/analyze',
    body: JSON.stringify({ patientData: { symptoms: texts.map((text) => ({ [text]: 1 })) } }),
  }),
  longText: ([text = '']) => ({
    method: 'POST',
    path: '/diagnostics/parse',
    body: JSON.stringify({ patientData: { symptoms: text } }),
  }),
  numbers: (texts) => ({
    method: 'POST',
    path: '/medications/interactions',
    body: JSON.stringify({ medications: texts.map(() => 1) }),
  }),
  // As many pixels wide as the text has characters.
  imaging: ([text = '']) => ({
    method: 'POST',
    path: '/imaging/studies',
    mediaType: 'image/png',
    body: emptyPicture(text.length),
  }),
  cohort: (texts) => ({
    method: 'POST',
    path: '/analytics/cohorts',
    body: JSON.stringify({
      name: 'load',
      criteria: texts.map((code) => ({
        kind: 'any_of',
        criteria: texts.map((other) => ({ kind: 'record', type: 'condition', code: `${code}${other}`, present: true })),
      })),
    }),
  }),
};

/** A picture of nothing: thousands of pixels square in a few kilobytes. */
function emptyPicture(edge: number): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((edge + 1) * edge))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The request of a recipe. */
export function inputOf(seed: Seed): Input {
  const build = builders[seed.operation];
  if (!build) throw new Error(`no such operation: ${seed.operation}`);
  return build(textsOf(seed));
}
