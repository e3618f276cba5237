import { expect, test } from '@jest/globals';
import { findScenarios, runLoop } from './loop/run.ts';
import type { Counts } from './loop/scenario.ts';

/*
 * The short version of `npm run test:faults`: every scenario that is not long once, with little
 * work and short outages.
 */
test('whatever is killed, no acknowledged write is missing and none is doubled', async () => {
  const counts: Counts[] = [];
  const scenarios = (await findScenarios()).filter(({ isLong }) => isLong !== true);
  const violations = await runLoop({
    scenarios,
    rounds: 1,
    seed: 20_231_015,
    isShort: true,
    report: (_scenario, _round, result) => counts.push(result.counts),
  });
  expect(violations).toEqual([]);
  expect(counts).toHaveLength(scenarios.length);
  for (const each of counts) expect(each['acknowledged']).toBeGreaterThan(0);
  // It has been seen that something was killed at all.
  expect(counts.map((each) => each['cores killed'] ?? each['seconds without'])).not.toContain(0);
}, 120_000);
