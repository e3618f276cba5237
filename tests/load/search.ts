import { Mind } from '@perennial/core/compute/mind.ts';
import type { TaskName, Tasks } from '@perennial/core/compute/tasks.ts';
import { withinLimits, workDone } from '@perennial/core/compute/work.ts';
import { loadKnowledge } from '@perennial/core/knowledge/load.ts';
import { loadMedications } from '@perennial/core/medications/load.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { type Seed, type TextSeed, textsOf } from './inputs.ts';
import { randomSequence } from './random.ts';

/** What a recipe cost. */
export interface Found {
  readonly seed: Seed;
  readonly ms: number;
  readonly units: number;
  /** Its cost by that of half as many texts: 2 where it grows with its length, 4 where with the square. */
  readonly growth: number;
}

interface Target {
  readonly operation: string;
  readonly task: TaskName;
  readonly input: (texts: readonly string[]) => Tasks[TaskName]['input'];
  readonly characters: number;
  readonly count: number;
  readonly pool: readonly string[];
}

const endless = { unitsMax: Number.POSITIVE_INFINITY, entriesMax: Number.POSITIVE_INFINITY, timeoutMs: 600_000 };

/**
 * Looks for the worst inputs of each operation: recipes by chance, the best of them changed a little again and again.
 * @param rounds recipes tried for each operation.
 */
export function search(rounds: number, salt: number, say: (line: string) => void): Found[] {
  const mind = new Mind({ current: TEST_SECRET });
  mind.prepare();
  const random = randomSequence(salt);
  return targets().map((target) => {
    let worst: Found | undefined;
    for (let round = 0; round < rounds; round += 1) {
      const text = worst && round % 3 > 0 ? changed(worst.seed.text, target, random) : fresh(target, random);
      const found = tried(mind, target, text);
      if (worst && found.ms <= worst.ms) continue;
      worst = found;
      say(`${target.operation}: ${found.ms.toFixed(0)} ms, ${found.units} units, growth ${found.growth.toFixed(1)}`);
    }
    return worst as Found;
  });
}

function tried(mind: Mind, target: Target, text: TextSeed): Found {
  const seed: Seed = { operation: target.operation, about: 'found', text, count: target.count };
  const half = cost(mind, target, { ...seed, count: Math.ceil(target.count / 2) });
  const whole = cost(mind, target, seed);
  return { seed, ...whole, growth: whole.ms / Math.max(0.1, half.ms) };
}

function cost(mind: Mind, target: Target, seed: Seed): { readonly ms: number; readonly units: number } {
  const input = target.input(textsOf(seed));
  let units = 0;
  const began = performance.now();
  withinLimits(endless, () => {
    try {
      mind.run(target.task, input);
    } catch {
      // What is refused has cost what it has.
    }
    units = workDone().units;
  });
  return { ms: performance.now() - began, units };
}

function fresh({ pool, characters }: Target, random: (below: number) => number): TextSeed {
  const pieces = Array.from({ length: 1 + random(6) }, () => pool[random(pool.length)] as string);
  return {
    pieces,
    characters,
    chance: random(3) === 0 ? 0 : 1 + random(99),
    slips: [0, 0, 30, 8][random(4)] as number,
  };
}

function changed(text: TextSeed, target: Target, random: (below: number) => number): TextSeed {
  const pieces = [...text.pieces];
  const at = random(pieces.length);
  const other = target.pool[random(target.pool.length)] as string;
  switch (random(4)) {
    case 0:
      return { ...text, pieces: [...pieces, other] };
    case 1:
      return { ...text, pieces: pieces.length > 1 ? pieces.toSpliced(at, 1) : [other] };
    case 2:
      return { ...text, pieces: pieces.with(at, other) };
    default:
      return { ...text, slips: [0, 30, 8, 4][random(4)] as number, chance: random(100) };
  }
}

/** Pieces that readers look at in a way of their own. */
const HARD =
  'no |denies |not |, |. |; |\n|( |: |for 3 days |since yesterday |8/10 |worse with |relieved by |mother had |left |severe |sudden |1 |11 |- |a|aB|\u0301|’|ß|bp 120/80 |temp 39 |3 year old |20 weeks pregnant |History: '.split(
    '|',
  );

function targets(): Target[] {
  const findings = loadKnowledge().findings.flatMap(({ name, synonyms }) => [name, ...synonyms.map(String)]);
  const words = [...new Set(findings.flatMap((each) => each.split(/\s+/)))].map((word) => `${word} `);
  const names = loadMedications().substances.flatMap(({ name, synonyms = [], brands = [] }) => [
    name,
    ...synonyms,
    ...brands,
  ]);
  const text = [...HARD, ...HARD, ...words.slice(0, 800), ...findings.map((each) => `${each} `).slice(0, 800)];
  const lists = [
    ...names.map((name) => `${name} `),
    ...names.map((name) => `${name}/`),
    ' + ',
    ' and ',
    '-',
    ' 5 mg ',
    'hydrochloride ',
  ];
  const read = (texts: readonly string[]): Tasks['diagnostics.analyze']['input'] => ({
    body: { patientData: { symptoms: [...texts] } },
    recorded: undefined,
  });
  const parsed = (texts: readonly string[]): Tasks['diagnostics.parse']['input'] => ({
    patientData: { symptoms: [...texts] },
  });
  const list = (texts: readonly string[]): { readonly medications: { readonly name: string }[] } => ({
    medications: texts.map((name) => ({ name })),
  });
  const diagnostic = { characters: 2_000, count: 20, pool: text } as const;
  const medication = { characters: 200, count: 50, pool: lists } as const;
  return [
    { operation: 'analyze', task: 'diagnostics.analyze', input: read, ...diagnostic },
    { operation: 'parse', task: 'diagnostics.parse', input: parsed, ...diagnostic },
    { operation: 'resolve', task: 'medications.resolve', input: list, ...medication },
    {
      operation: 'interactions',
      task: 'medications.check',
      input: (texts) => ({ body: list(texts), recorded: undefined, overrides: [], now: new Date(0) }),
      ...medication,
    },
    {
      operation: 'search',
      task: 'knowledge.answer',
      input: ([query = '']) => ({
        operationId: 'knowledge.search',
        body: undefined,
        caller: { accountId: 'acc_test', keyId: 'key_test', scopes: ['admin'] },
        params: {},
        query: { query, limit: 100 },
        search: String(new URLSearchParams({ query, limit: '100' })),
      }),
      characters: 200,
      count: 1,
      pool: text,
    },
  ];
}
