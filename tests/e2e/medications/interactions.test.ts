import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { InteractionCheck } from '@perennial/schemas/resources/medication.ts';
import type { InteractionOverride } from '@perennial/schemas/resources/medication-override.ts';
import { type CursorPage, type OffsetPage, startWorld, type World } from '../world.ts';

const path = '/medications/interactions';

describe('drug interaction checking through the front door', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  test.each(['v2022-11-15', 'v2023-04-30', 'v2023-10-15'])('is the same in %s', async (version) => {
    const { gateway, demo } = world;
    const key = demo.apiKey;
    const pair = [{ name: 'warfarin' }, { name: 'ibuprofen' }];
    const before = await gateway.send<InteractionCheck>('POST', `/${version}${path}`, {
      key,
      body: { patient_id: demo.patientId, medications: pair },
    });
    expect(before.status).toBe(200);
    expect(before.data.pairs[0]).toMatchObject({ severity: 'major', interruptive: true });
    expect(before.data.medications.some(({ origin }) => origin === 'record')).toBe(true);

    const recorded = await gateway.send<InteractionOverride>('POST', `/${version}${path}/overrides`, {
      key,
      body: { patient_id: demo.patientId, medications: pair, reason_code: 'monitoring_planned' },
    });
    expect(recorded.status).toBe(201);
    const after = await gateway.send<InteractionCheck>('POST', `/${version}${path}`, {
      key,
      body: { patient_id: demo.patientId, medications: pair },
    });
    expect(after.data.pairs[0]?.severity).toBe('major');
    expect(after.data.pairs[0]?.overrides[0]).toMatchObject({ id: recorded.data.id, covers_now: true });

    const page = await gateway.send<CursorPage<InteractionOverride> & OffsetPage<InteractionOverride>>(
      'GET',
      `/${version}${path}/overrides?limit=1`,
      { key },
    );
    expect(page.data.items[0]?.id).toBe(recorded.data.id);
    expect('offset' in page.data).toBe(version === 'v2022-11-15');
    expect('next_cursor' in page.data).toBe(version !== 'v2022-11-15');
  });

  test('a fault in a value points to it and never repeats it', async () => {
    const { gateway, demo } = world;
    const answer = await gateway.send('POST', `/v2022-11-15${path}`, {
      key: demo.apiKey,
      body: { medications: [{ name: 'warfarin', strength: 'a-secret' }] },
    });
    expect(answer.status).toBe(422);
    expect(answer.error.details).toMatchObject([{ code: 'unknown_field', pointer: '/medications/0/strength' }]);
    expect(answer.text).not.toContain('a-secret');
  });
});

test('the first version, on a day when it was Current, has none of it and says which version has', async () => {
  const world = await startWorld({ config: { serviceDate: '2022-06-01' } });
  try {
    const answer = await world.gateway.send('POST', `/v2022-05-01${path}?api_key=${world.demo.apiKey}`, {
      body: { medications: [{ name: 'warfarin' }] },
    });
    expect([answer.status, answer.error.code]).toEqual([404, 'operation_not_in_version']);
    expect(world.passed).toEqual([]);
  } finally {
    await world.stop();
  }
});
