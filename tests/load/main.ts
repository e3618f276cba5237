import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Delay, measureDelays } from './delays.ts';
import type { Seed } from './inputs.ts';
import { search } from './search.ts';

/*
 * npm run test:load               the longest delay of another account's GET while each operation is sent its worst input
 * npm run test:load -- --only parse
 * npm run test:load -- --search 300   looks for worse inputs; what it finds is for tests/load/seeds.json
 *
 *   --rounds 3     each input is sent so often, at the current version and at an older one
 *   --parallel 2   so many of them at a time
 *   --patients 20000   whom the analytics are asked of
 */
const DELAY_GOAL_MS = 200;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    parallel: { type: 'string', default: '2' },
    patients: { type: 'string', default: '20000' },
    search: { type: 'string' },
    salt: { type: 'string', default: '1' },
  },
});

if (options.search === undefined) await load();
else {
  const found = search(Number(options.search), Number(options.salt), (line) => process.stderr.write(`${line}\n`));
  say(
    JSON.stringify(
      found.map(({ seed }) => seed),
      null,
      2,
    ),
  );
}

async function load(): Promise<void> {
  const seeds = (JSON.parse(await readFile(new URL('./seeds.json', import.meta.url), 'utf8')) as Seed[]).filter(
    ({ operation, about }) => `${operation} ${about}`.includes(options.only),
  );
  const delays = await measureDelays(seeds, {
    rounds: Number(options.rounds),
    parallel: Number(options.parallel),
    patients: Number(options.patients),
  });
  say('| input | sent | answered | its own time | longest GET beside it | p99 |');
  say('|---|---|---|---|---|---|');
  for (const each of delays) say(row(each));
  const missed = delays.filter(({ longestMs }) => longestMs >= DELAY_GOAL_MS);
  say(`\n${missed.length} of ${delays.length} beyond the goal of ${DELAY_GOAL_MS} ms.`);
  process.exitCode = missed.length > 0 ? 1 : 0;
}

function row({ title, sentBytes, statuses, answeredBytes, ownMs, longestMs, p99Ms }: Delay): string {
  const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KB`;
  const answered = `${statuses.join(', ')}, ${kilobytes(answeredBytes)}`;
  return `| ${title} | ${kilobytes(sentBytes)} | ${answered} | ${ownMs.toFixed(0)} ms | ${longestMs.toFixed(0)} ms | ${p99Ms.toFixed(0)} ms |`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
