import { randomInt } from 'node:crypto';
import { findScenarios, runLoop } from './run.ts';
import type { Counts } from './scenario.ts';

/*
 * `npm run test:faults`: real processes, killed with SIGKILL at random moments, round after round. `FAULT_ROUNDS` bounds
 * it, `FAULT_SCENARIOS` names those to run (all), `FAULT_SEED` repeats the choices of an earlier run.
 */
const rounds = Number(process.env['FAULT_ROUNDS'] || 10);
const seed = Number(process.env['FAULT_SEED'] || randomInt(2 ** 31));
const chosen = (process.env['FAULT_SCENARIOS'] ?? '').split(',').filter((name) => name !== '');
const all = await findScenarios();
const scenarios = chosen.length === 0 ? all : all.filter(({ name }) => chosen.includes(name));
if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed) || scenarios.length === 0) {
  process.stderr.write(
    `FAULT_ROUNDS must be a whole number; FAULT_SCENARIOS some of ${all.map(({ name }) => name).join(',')}\n`,
  );
  process.exit(2);
}

say(`faults: ${rounds} rounds of ${scenarios.length} scenarios, seed ${seed}`);
const totals = new Map<string, Map<string, number>>();
const show = (counts: Iterable<readonly [string, number]>): string =>
  [...counts].map(([what, count]) => `${count} ${what}`).join(', ');
const violations = await runLoop({
  scenarios,
  rounds,
  seed,
  isShort: false,
  report: ({ name }, round, { counts, violations: found }) => {
    const total = totals.get(name) ?? new Map<string, number>();
    totals.set(name, total);
    for (const [what, count] of Object.entries(counts satisfies Counts))
      total.set(what, (total.get(what) ?? 0) + count);
    say(`${name} ${round}/${rounds}: ${show(Object.entries(counts))}`);
    for (const each of found) say(`  VIOLATION: ${each}`);
  },
});
say();
for (const { name, what } of scenarios) say(`${what}\n  ${show(totals.get(name) ?? [])}`);
say(`${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;

function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}
