import { describe, expect, test } from '@jest/globals';
import { controlChart } from '@perennial/core/analytics/statistics/control-chart.ts';

describe('a control chart', () => {
  const steady = Array.from({ length: 12 }, (_, at) => ({ part: 50 + (at % 2 === 0 ? 1 : -1), whole: 100 }));

  test('has its limits three standard errors from the rate of all periods, and notices nothing in chance', () => {
    const { centre, points } = controlChart(steady);
    expect(centre).toBe(0.5);
    expect(points[0]).toEqual({ low: 0.35, high: 0.65, signals: [] });
    expect(points.flatMap(({ signals }) => signals)).toEqual([]);
  });

  test('notices a period beyond the limits, and eight in a row on one side, but not seven', () => {
    const jump = controlChart([...steady, { part: 90, whole: 100 }]);
    expect(jump.points.at(-1)?.signals).toContain('beyond_limits');
    const half = (length: number, part: number) => Array.from({ length }, () => ({ part, whole: 1000 }));
    const shifted = controlChart([...half(8, 495), ...half(8, 505)]).points.map(({ signals }) => signals.join());
    expect(new Set(shifted)).toEqual(new Set(['shift']));
    expect(controlChart([...half(7, 495), ...half(7, 505)]).points.flatMap(({ signals }) => signals)).toEqual([]);
  });

  test('says nothing of periods that are not told', () => {
    const { centre, points } = controlChart([undefined, { part: 0, whole: 0 }]);
    expect([centre, points[0]]).toEqual([undefined, { low: undefined, high: undefined, signals: [] }]);
  });
});
