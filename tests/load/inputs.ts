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
  /** What must be there first: `{0}` in path and body is the identifier of what the first of them made, and so on. */
  readonly first?: readonly Input[];
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

/** As many months as one answer may have. */
const MONTHS = 'from=2013-11&until=2023-10';

/** A cohort of as many criteria as there may be, one of them of several alternatives. */
function cohort(codes: readonly string[]): Input {
  const leaf = (code: string, at: number): object => ({
    kind: 'record',
    type: at % 3 === 1 ? 'medication' : 'condition',
    code,
    present: at % 4 !== 3,
  });
  const criteria = [
    ...codes.slice(0, 4).map(leaf),
    { kind: 'any_of', criteria: codes.slice(4, 10).map((code) => leaf(code, 0)) },
  ];
  return { method: 'POST', path: '/analytics/cohorts', body: JSON.stringify({ name: 'load', criteria }) };
}

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
  // The texts are codes of records, ten at most.
  cohort: (texts) => ({ method: 'GET', path: '/analytics/population?cohort_id={0}', first: [cohort(texts)] }),
  cohortRisk: (texts) => ({
    method: 'GET',
    path: '/analytics/risk-stratification?cohort_id={0}',
    first: [cohort(texts)],
  }),
  // Four cohorts, which have their codes in another order.
  compare: (texts) => ({
    method: 'POST',
    path: '/analytics/cohorts/compare',
    body: JSON.stringify({ cohort_ids: ['{0}', '{1}', '{2}', '{3}'] }),
    first: [0, 1, 2, 3].map((turn) => cohort([...texts.slice(turn), ...texts.slice(0, turn)])),
  }),
  prevalence: ([code = '']) => ({ method: 'GET', path: `/analytics/prevalence?code=${code}&${MONTHS}` }),
  incidence: ([code = '']) => ({ method: 'GET', path: `/analytics/incidence?code=${code}&${MONTHS}` }),
  trend: ([code = '']) => ({ method: 'GET', path: `/analytics/observation-trend?code=${code}&${MONTHS}` }),
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
