import { describe, expect, test } from '@jest/globals';
import { createServiceDate } from '@perennial/gateway/version/service-date.ts';
import { type History, type Release, history as shipped } from '@perennial/schemas/history.ts';
import { checkHistory, HistoryInvalid, type State, standings } from '@perennial/schemas/lifecycle.ts';
import { baseHistory as history } from '../fixtures/base.ts';

/** States by release id, oldest first; a release that does not exist yet is left out. */
function statesAt(day: string, of: History = history): Record<string, State> {
  return Object.fromEntries([...standings(of, day)].reverse().map(({ release, state }) => [release.id, state]));
}

describe('the state of every release follows from the history and the day', () => {
  const [first, second, third, fourth] = ['2022-05-01', '2022-11-15', '2023-04-30', '2023-10-15'] as const;
  test.each<[string, Record<string, State>]>([
    ['2022-04-30', {}],
    ['2022-05-01', { [first]: 'current' }],
    ['2022-11-14', { [first]: 'current' }],
    ['2022-11-15', { [first]: 'stable', [second]: 'current' }],
    ['2023-01-14', { [first]: 'stable', [second]: 'current' }],
    ['2023-01-15', { [first]: 'deprecated', [second]: 'current' }],
    ['2023-04-30', { [first]: 'deprecated', [second]: 'stable', [third]: 'current' }],
    ['2023-05-01', { [first]: 'sunset', [second]: 'stable', [third]: 'current' }],
    ['2023-08-14', { [first]: 'sunset', [second]: 'stable', [third]: 'current' }],
    ['2023-08-15', { [first]: 'sunset', [second]: 'stable', [third]: 'current', [fourth]: 'preview' }],
    ['2023-08-17', { [first]: 'sunset', [second]: 'deprecated', [third]: 'current', [fourth]: 'preview' }],
    ['2023-10-15', { [first]: 'sunset', [second]: 'deprecated', [third]: 'stable', [fourth]: 'current' }],
    // What the specification prints.
    ['2023-11-01', { [first]: 'sunset', [second]: 'deprecated', [third]: 'stable', [fourth]: 'current' }],
    ['2023-11-14', { [first]: 'sunset', [second]: 'deprecated', [third]: 'stable', [fourth]: 'current' }],
    ['2023-11-15', { [first]: 'sunset', [second]: 'sunset', [third]: 'stable', [fourth]: 'current' }],
    ['2024-01-31', { [first]: 'sunset', [second]: 'sunset', [third]: 'deprecated', [fourth]: 'current' }],
    ['2024-04-30', { [first]: 'sunset', [second]: 'sunset', [third]: 'sunset', [fourth]: 'current' }],
    ['2099-01-01', { [first]: 'sunset', [second]: 'sunset', [third]: 'sunset', [fourth]: 'current' }],
  ])('on %s', (day, expected) => {
    expect(statesAt(day)).toEqual(expected);
  });

  test('a preview exists from its preview day and is Preview until its release', () => {
    const next: Release = { id: '2024-06-01', semver: '2.6.0', previewFrom: '2024-03-01', released: '2024-06-01' };
    const later: History = { ...history, releases: [next, ...history.releases] };
    expect(statesAt('2024-02-29', later)['2024-06-01']).toBeUndefined();
    expect(statesAt('2024-03-01', later)).toMatchObject({ '2023-10-15': 'current', '2024-06-01': 'preview' });
    expect(statesAt('2024-05-31', later)).toMatchObject({ '2023-10-15': 'current', '2024-06-01': 'preview' });
    expect(statesAt('2024-06-01', later)).toMatchObject({ '2023-10-15': 'stable', '2024-06-01': 'current' });
  });
});

describe('a day begins at 00:00 UTC', () => {
  test('the system’s date changes the states by itself, a pinned one never', () => {
    let now = Date.parse('2023-11-14T23:59:59.999Z');
    const system = createServiceDate(history, 'system', () => now);
    const pinned = createServiceDate(history, undefined, () => now);
    const stateOf = (date: typeof system): string | undefined =>
      date.standings().find(({ release }) => release.id === '2022-11-15')?.state;
    expect([system.day(), stateOf(system)]).toEqual(['2023-11-14', 'deprecated']);
    now += 1;
    expect([system.day(), stateOf(system)]).toEqual(['2023-11-15', 'sunset']);
    expect([pinned.day(), stateOf(pinned), pinned.pinned]).toEqual(['2023-11-01', 'deprecated', true]);
    expect(createServiceDate(history, '2022-06-01').source).toBe('SERVICE_DATE');
  });
});

describe('the guarantees are checked when the history is loaded', () => {
  test('the shipped history keeps them, with its waivers', () => {
    expect(() => checkHistory(shipped)).not.toThrow();
  });

  const newest: Release = { id: '2023-10-15', semver: '2.5.0', released: '2023-10-15' };
  const faultsOf = (releases: readonly Release[], today = '2023-11-01'): string => {
    try {
      checkHistory({ today, releases });
    } catch (error) {
      expect((error as Error).name).toBe('HistoryInvalid');
      return (error as HistoryInvalid).faults.join('\n');
    }
    return '';
  };
  const older = (release: Partial<Release>): Release => ({
    id: '2022-01-01',
    semver: '2.0.0',
    released: '2022-01-01',
    ...release,
  });

  test.each<[string, Release, RegExp]>([
    [
      '12 months after succession',
      older({ deprecated: '2024-01-01', sunset: '2024-10-14' }),
      /less than 12 months after its successor of 2023-10-15 \(guarantee support-after-succession/,
    ],
    [
      '90 days of notice',
      older({ deprecated: '2024-09-01', sunset: '2024-11-01' }),
      /less than 90 days after its notice 2024-09-01 \(guarantee notice-before-sunset/,
    ],
    [
      '12 months after the next major',
      older({ semver: '1.0.0', deprecated: '2024-01-01', sunset: '2024-10-14' }),
      /ends major 1 less than 12 months after the next major of 2023-10-15 \(guarantee support-after-new-major/,
    ],
    ['the order of preview and release', older({ previewFrom: '2022-02-01' }), /previewFrom lies after released/],
  ])('%s: broken without a waiver does not start, waived by name it does', (_name, release, message) => {
    expect(faultsOf([newest, release])).toMatch(message);
    const waivers = (
      ['support-after-succession', 'notice-before-sunset', 'support-after-new-major', 'preview-order'] as const
    ).map((guarantee) => ({ guarantee, reason: 'Announced otherwise.' }));
    expect(faultsOf([newest, { ...release, waivers }])).toBe('');
    expect(faultsOf([newest, { ...release, waivers: [] }])).toMatch(message);
  });

  test('a waiver of another promise does not help', () => {
    const release = older({
      deprecated: '2024-09-01',
      sunset: '2024-11-01',
      waivers: [{ guarantee: 'preview-order', reason: 'No.' }],
    });
    expect(faultsOf([newest, release])).toMatch(/notice-before-sunset/);
  });

  test('exactly 12 months and exactly 90 days are enough', () => {
    expect(faultsOf([newest, older({ deprecated: '2024-07-17', sunset: '2024-10-15' })])).toBe('');
    expect(faultsOf([newest, older({ deprecated: '2024-07-18', sunset: '2024-10-15' })])).toMatch(/notice/);
  });

  test.each<[string, readonly Release[], RegExp]>([
    ['names no release', [], /names no release/],
    ['an id that is no day', [older({ id: '2022-02-30' })], /id must be a day that exists/],
    ['a release listed twice', [older({}), older({})], /is listed twice/],
    ['a semver that is none', [older({ semver: '2.0' })], /semver must be MAJOR\.MINOR\.PATCH/],
    ['a semver that does not grow', [newest, older({ semver: '2.5.0' })], /does not come after/],
    ['a date that is none', [older({ deprecated: 'soon' })], /deprecated must be a day that exists/],
    ['neither preview nor release', [{ id: '2022-01-01', semver: '2.0.0' }], /needs previewFrom or released/],
    ['deprecated before it was released', [older({ deprecated: '2021-01-01' })], /deprecated lies before released/],
    ['a sunset without notice', [newest, older({ sunset: '2025-01-01' })], /sunset needs a deprecated day/],
    ['a sunset without successor', [older({ deprecated: '2024-01-01', sunset: '2025-01-01' })], /no successor/],
    [
      'a waiver without a reason',
      [older({ waivers: [{ guarantee: 'preview-order', reason: ' ' }] })],
      /gives no reason/,
    ],
    ['a release before the one it follows', [newest, older({ released: '2023-12-01' })], /released before 2022-01-01/],
  ])('%s is refused', (_name, releases, message) => {
    expect(faultsOf(releases)).toMatch(message);
  });

  test('a pinned day that does not exist is refused', () => {
    expect(faultsOf([newest], '2023-02-29')).toMatch(/today: must be/);
  });

  test('every fault is named at once', () => {
    const faults = faultsOf([newest, older({ semver: 'x', deprecated: 'y' })]).split('\n');
    expect(faults.length).toBeGreaterThanOrEqual(2);
  });
});

test('a gateway with a broken history does not start', async () => {
  const { startGateway } = await import('@perennial/gateway/server.ts');
  const { readConfig } = await import('@perennial/gateway/config.ts');
  const { createLogger } = await import('@perennial/schemas/platform/logger.ts');
  const config = readConfig({
    CORE_URL: 'http://127.0.0.1:1',
    DATABASE_URL: 'postgresql://127.0.0.1:1/none',
    INTERNAL_SECRET: 'x'.repeat(32),
    PORT: '0',
  });
  const releases = history.releases.map(({ waivers: _, ...release }) => release);
  await expect(
    startGateway(config, createLogger('silent', 'test'), { history: { ...history, releases } }),
  ).rejects.toThrow(HistoryInvalid);
});
