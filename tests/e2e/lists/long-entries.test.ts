import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@perennial/prisma/client.ts';
import { PAGE_BYTES_MAX } from '@perennial/schemas/resources/page.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { type CursorPage, heartAttack, type OffsetPage, startWorld, type World } from '../world.ts';

interface Kept {
  readonly id: string;
}

const COUNT = 7;
/** Two of them fit a page, three do not. */
const TEXTS = JSON.stringify(Array.from({ length: 200 }, () => 'x'.repeat(2_000)));
/** What stands around the entries, and what their other members have. */
const BESIDE_BYTES = 100_000;

describe('entries of 400 KB each', () => {
  let world: World;
  let database: Database;
  let all: readonly string[];

  const get = <T>(path: string): Promise<Awaited<ReturnType<typeof world.gateway.send<T>>>> =>
    world.gateway.send<T>('GET', path, { key: world.demo.apiKey });

  beforeAll(async () => {
    world = await startWorld();
    database = world.database.db;
    for (let made = 0; made < COUNT; made += 1) {
      const body = { patient_id: world.demo.patientId, ...heartAttack };
      const { status } = await world.gateway.send('POST', '/v2023-10-15/diagnostics', { key: world.demo.apiKey, body });
      expect(status).toBe(201);
    }
    // As if they had been sent: a text of the largest body takes seconds to be read.
    const accountId = world.demo.accountId;
    await database.$executeRaw`
      UPDATE core.diagnostic_records SET input = jsonb_set(input::jsonb, '{symptoms}', ${TEXTS}::text::jsonb)::text::json
      WHERE account_id = ${accountId}`;
    await database.$executeRaw`
      UPDATE core.events
      SET document = jsonb_set(document::jsonb, '{patientData,symptoms}', ${TEXTS}::text::jsonb)::text::json
      WHERE account_id = ${accountId} AND kind = 'diagnostic.completed'`;
    const rows = await database.$queryRaw<Kept[]>`
      SELECT id FROM core.diagnostic_records WHERE account_id = ${accountId} ORDER BY created_at DESC, id DESC`;
    all = rows.map(({ id }) => id);
  });
  afterAll(async () => {
    await world.stop();
  });

  test.each(['v2023-04-30', 'v2023-10-15', 'v2'])(
    '%s: a page is bounded in bytes, always has an entry, and its cursors reach every entry once',
    async (version) => {
      const ids: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const { status, data, bytes } = await get<CursorPage<Kept>>(`/${version}/diagnostics?limit=100${at}`);
        expect([status, data.has_more]).toEqual([200, data.next_cursor !== null]);
        expect(data.items.length).toBeGreaterThan(0);
        expect(bytes.length).toBeLessThan(PAGE_BYTES_MAX + BESIDE_BYTES);
        ids.push(...data.items.map(({ id }) => id));
        cursor = data.next_cursor;
      }
      expect(ids).toEqual(all);
    },
  );

  test('v2022-11-15: who counts entries gets as many as were asked for', async () => {
    const { status, data, meta } = await get<OffsetPage<Kept>>('/v2022-11-15/diagnostics?limit=5&offset=1');
    const { items, ...rest } = data;
    expect([status, meta.version, rest]).toEqual([200, '2.3.0', { total: all.length, offset: 1, limit: 5 }]);
    expect(items.map(({ id }) => id)).toEqual(all.slice(1, 6));
    const last = await get<OffsetPage<Kept>>('/v2022-11-15/diagnostics?limit=100&offset=3');
    expect(last.data.items.map(({ id }) => id)).toEqual(all.slice(3));
    expect(Object.keys(last.data)).toEqual(Object.keys(data));
    const asked = world.passed.filter(({ url }) => url.startsWith('/diagnostics?'));
    for (const { answer } of asked) expect(answer.length).toBeLessThan(PAGE_BYTES_MAX + BESIDE_BYTES);
  });

  test('v2022-11-15: a page that is longer than one answer may be is refused, and names the limit', async () => {
    const gateway = await startTestGateway(world.core.url, world.database.url, {
      config: { answerBytesMax: 1_500_000 },
    });
    try {
      const asked = (limit: number): ReturnType<typeof gateway.send> =>
        gateway.send('GET', `/v2022-11-15/diagnostics?limit=${limit}`, { key: world.demo.apiKey });
      expect((await asked(3)).status).toBe(200);
      const { status, error } = await asked(4);
      expect([status, error.details]).toMatchObject([422, [{ code: 'too_large', parameter: 'limit' }]]);
    } finally {
      await gateway.stop();
    }
  });

  test('lists of events end early as well', async () => {
    const ids: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { data, bytes } = await get<CursorPage<Kept>>(`/v2/events?type=diagnostic.completed&limit=100${at}`);
      expect(bytes.length).toBeLessThan(PAGE_BYTES_MAX + BESIDE_BYTES);
      ids.push(...data.items.map(({ id }) => id));
      cursor = data.next_cursor;
    }
    expect(pages).toBeGreaterThan(2);
    expect(new Set(ids).size).toBe(COUNT);
  });
});
