import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cold, startWorld, type World } from '../world.ts';

/*
 * The shipped history on a day before its newest release of the specification: what was to come could be tried, and
 * everybody else was served what was Current then.
 */
let world: World;
beforeAll(async () => {
  world = await startWorld({ config: { serviceDate: '2023-09-20' } });
});
afterAll(() => world.stop());

const analyze = (prefix: string) =>
  world.gateway.send('POST', `${prefix}/diagnostics/analyze`, { key: world.demo.apiKey, body: cold });

test('v2023-10-15 is in preview and v2023-04-30 is Current, translated for whoever names nothing', async () => {
  const ahead = await analyze('/preview/2023-10-15');
  const current = await analyze('');
  expect([ahead.status, ahead.headers['service-version'], Object.keys(ahead.data)[0]]).toEqual([
    200,
    '2023-10-15',
    'diagnostic_result',
  ]);
  expect(ahead.headers['service-api-preview']).toContain('v2023-10-15');
  expect([current.status, current.headers['service-version'], Object.keys(current.data)[0]]).toEqual([
    200,
    '2023-04-30',
    'analysis_result',
  ]);
  expect((await analyze('/v2023-10-15')).error.code).toBe('version_unknown');
});
