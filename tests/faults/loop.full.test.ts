import { expect, test } from '@jest/globals';
import { findScenarios, runLoop } from './loop/run.ts';

test('whatever is killed, round after round, no acknowledged write is missing and none is doubled', async () => {
  const scenarios = (await findScenarios()).filter(({ isLong }) => isLong !== true);
  expect(await runLoop({ scenarios, rounds: 2, seed: 20_231_015, isShort: false, report: () => undefined })).toEqual(
    [],
  );
}, 360_000);

test('whatever process of npm start is killed in the middle of writes, it heals by itself and nothing is lost', async () => {
  const scenarios = (await findScenarios()).filter(({ name }) => name === 'whole-heals');
  expect(scenarios).toHaveLength(1);
  expect(await runLoop({ scenarios, rounds: 1, seed: 20_231_015, isShort: false, report: () => undefined })).toEqual(
    [],
  );
}, 360_000);
