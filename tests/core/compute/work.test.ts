import { expect, test } from '@jest/globals';
import { betweenWork, produce, spend, WorkSpent, withinLimits, workDone } from '@perennial/core/compute/work.ts';

const limits = { unitsMax: 1_000, entriesMax: 10, timeoutMs: 60_000 };

test('work beyond the limit ends the computation, at the same unit each time', () => {
  const reached = (): number => {
    let done = 0;
    expect(() =>
      withinLimits({ ...limits, unitsMax: 200_000 }, () => {
        for (; ; done += 1) spend(1_000);
      }),
    ).toThrow(new WorkSpent('units'));
    return done;
  };
  expect(reached()).toBe(reached());
});

test('an answer of more entries than it may have ends the computation', () => {
  expect(() => withinLimits(limits, () => produce(11))).toThrow(new WorkSpent('entries'));
  const most = withinLimits(limits, () => {
    produce(10);
    return workDone().entries;
  });
  expect(most).toBe(10);
});

test('a computation that is done in between has limits of its own, and costs the one around it nothing', () => {
  const done = withinLimits({ ...limits, unitsMax: 100_000 }, () => {
    spend(60_000);
    withinLimits({ ...limits, unitsMax: 100_000 }, () => spend(90_000));
    return workDone().units;
  });
  expect(done).toBe(60_000);
});

test('when one in between fails, the one around it goes on', () => {
  const done = withinLimits({ ...limits, unitsMax: 100_000 }, () => {
    expect(() => withinLimits(limits, () => produce(100))).toThrow(WorkSpent);
    spend(10);
    return workDone().units;
  });
  expect(done).toBe(10);
});

test('the clock is the outer wall', () => {
  expect(() => withinLimits({ ...limits, unitsMax: 1e9, timeoutMs: -1 }, () => spend(60_000))).toThrow(
    new WorkSpent('time'),
  );
});

test('what waits is looked for in the course of long work, and not in that of short work', () => {
  let looks = 0;
  betweenWork(() => {
    looks += 1;
  });
  try {
    withinLimits(limits, () => spend(900));
    expect(looks).toBe(0);
    withinLimits({ ...limits, unitsMax: 1e9 }, () => {
      for (let at = 0; at < 1_000; at += 1) spend(1_000);
    });
    expect(looks).toBeGreaterThanOrEqual(15);
  } finally {
    betweenWork(undefined);
  }
});

test('outside of a computation with limits nothing is counted', () => {
  spend(1e12);
  produce(1e12);
  expect(workDone()).toEqual({ units: 0, entries: 0 });
});
