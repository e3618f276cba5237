import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Analysis } from '@perennial/schemas/resources/analysis.ts';
import { type CursorPage, heartAttack, type OffsetPage, startWorld, type World } from '../world.ts';

/** A result as the versions since 2022-11-15 have it. */
interface Result {
  readonly id: string;
  readonly suggestions: readonly { readonly condition: { readonly name: string }; readonly confidence: unknown }[];
}

interface Kept {
  readonly id: string;
  readonly analysis_result?: Result;
  readonly diagnostic_result?: Result;
}

const isBetween0And1 = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;

describe('since 2022-11-15', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  const versions = [
    ['v2022-11-15', 'analysis_result', isBetween0And1],
    ['v2023-04-30', 'analysis_result', isBetween0And1],
    ['v2023-10-15', 'diagnostic_result', (value: unknown) => isBetween0And1((value as { estimate: number }).estimate)],
  ] as const;

  const send = <T>(
    method: string,
    path: string,
    body?: unknown,
    headers = {},
  ): Promise<Awaited<ReturnType<typeof world.gateway.send<T>>>> =>
    world.gateway.send<T>(method, path, { key: world.demo.apiKey, headers, ...(body === undefined ? {} : { body }) });

  test.each(versions)(
    '%s: a differential has its result as %s, with confidence of its version',
    async (version, name, isConfidence) => {
      const candidates = ['myocardial infarction', 'pulmonary embolism', 'xyzzy'];
      const { status, data } = await send<JsonObject>('POST', `/${version}/diagnostics/differential`, {
        ...heartAttack,
        candidates,
      });
      expect([status, Object.keys(data).sort()]).toEqual([200, ['differential', name].sort()]);
      const { suggestions } = data[name] as unknown as Result;
      expect(suggestions.map(({ condition }) => condition.name)).toContain('Myocardial infarction');
      for (const { confidence } of suggestions) expect(isConfidence(confidence)).toBe(true);
    },
  );

  test.each(versions)('%s: a record is kept, listed, judged and deleted', async (version, name, isConfidence) => {
    const patient_id = world.demo.patientId;
    const path = `/${version}/diagnostics`;
    const created = await send<Kept>('POST', path, { patient_id, ...heartAttack, note: version });
    expect(created.status).toBe(201);
    expect(created.headers['location']).toBe(`${path}/${created.data.id}`);
    expect(created.data).toHaveProperty(name);
    for (const { confidence } of created.data[name]?.suggestions ?? []) expect(isConfidence(confidence)).toBe(true);
    const read = await send<Kept>('GET', `${path}/${created.data.id}`);
    expect(read.data).toEqual(created.data);
    const page = await send<CursorPage<Kept> & OffsetPage<Kept>>('GET', `${path}?patient_id=${patient_id}&limit=1`);
    expect(page.data.items).toEqual([created.data]);
    expect('next_cursor' in page.data).toBe(version !== 'v2022-11-15');
    const etag = read.headers['etag'] as string;
    const diagnosis = { name: 'Takotsubo cardiomyopathy' };
    const feedback = { decision: 'overridden', reason: 'clean coronaries', diagnosis };
    const given = await send<JsonObject>('POST', `${path}/${created.data.id}/feedback`, feedback, { 'if-match': etag });
    expect([given.status, given.data['status'], Object.hasOwn(given.data, name)]).toEqual([200, 'overridden', true]);
    const stale = await send('PATCH', `${path}/${created.data.id}`, { note: 'x' }, { 'if-match': etag });
    expect([stale.status, stale.error.code]).toEqual([412, 'precondition_failed']);
    const noted = await send<JsonObject>('PATCH', `${path}/${created.data.id}`, { note: 'again' });
    expect([noted.data['note'], noted.data['status']]).toEqual(['again', 'overridden']);
    expect((await send('DELETE', `${path}/${created.data.id}`)).status).toBe(204);
    expect((await send('GET', `${path}/${created.data.id}`)).status).toBe(404);
  });

  test.each(versions.map(([version]) => version))('%s: texts are read', async (version) => {
    const { status, data } = await send<{ findings: { finding_id: string; present: boolean; span: JsonObject }[] }>(
      'POST',
      `/${version}/diagnostics/parse`,
      { patientData: { symptoms: ['cough', 'no fever'] } },
    );
    expect(status).toBe(200);
    expect(data.findings).toMatchObject([
      { finding_id: 'cough', present: true, span: { field: 'symptoms', index: 0, start: 0, end: 5, text: 'cough' } },
      { finding_id: 'fever', present: false, span: { field: 'symptoms', index: 1, start: 3, end: 8, text: 'fever' } },
    ]);
  });

  test('the oldest live version: what is implausible is refused in its names', async () => {
    const answer = await send('POST', '/v2022-11-15/diagnostics/differential', {
      patientData: { age: 30, symptoms: ['cough'], vitalSigns: { temperature: 101.3 } },
    });
    expect([answer.status, answer.error.details.map(({ pointer, code }) => [pointer, code])]).toEqual([
      422,
      [['/patientData/vitalSigns/temperature', 'implausible']],
    ]);
  });

  test('a stream is told event by event at the latest version, and goes on where it was left', async () => {
    const path = '/v2023-10-15/diagnostics/stream';
    const all = await send('POST', path, heartAttack, { accept: 'text/event-stream' });
    expect([all.status, all.headers['service-version']]).toEqual([200, '2023-10-15']);
    expect(all.headers['content-type']).toContain('text/event-stream');
    const blocks = all.text.split('\n\n').filter((block) => block.includes('data: '));
    expect(blocks[0]).toContain('event: started');
    const result = JSON.parse(blocks.at(-1)?.split('data: ')[1] ?? '') as Analysis;
    expect(result.diagnostic_result.triage.level).toBe('emergency');
    const [id] = /^id: (.*)$/m.exec(blocks[2] ?? '')?.slice(1) ?? [];
    const rest = await send('POST', path, heartAttack, { accept: 'text/event-stream', 'last-event-id': id });
    // What a stream begins with says how soon to come back, and is no event.
    const events = rest.text.replace(/^(: .*|retry: .*)\n/gm, '').split('\n\n');
    expect(events.filter((block) => block.includes('data: '))).toEqual(blocks.slice(3));
    const old = await send('POST', '/v2023-04-30/diagnostics/stream', heartAttack);
    expect([old.status, old.error.code]).toEqual([404, 'operation_not_in_version']);
  });

  test('every access is in the audit trail, with the patient and the record that was made', async () => {
    const { patientId: patient_id } = world.demo;
    const kept = { patient_id, ...heartAttack, options: { save: true } };
    const made = [
      (await send<Kept>('POST', '/v2023-10-15/diagnostics', { patient_id, ...heartAttack })).data.id,
      (await send<Analysis>('POST', '/v2023-10-15/diagnostics/analyze', kept)).data.diagnostic_result.id,
      (await send('POST', '/v2023-10-15/diagnostics/stream', kept)).headers['location']?.split('/').at(-1) ?? '',
    ];
    // An entry is written when its answer has ended, which is a little after the client has it.
    let rows: { operation: string; resource_ids: string[] }[] = [];
    for (let tries = 0; tries < 200 && rows.length < made.length; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      rows = await world.database.db.$queryRaw`
        SELECT operation, resource_ids FROM edge.audit_entries WHERE resource_ids && ${made} ORDER BY seq`;
    }
    const operations = rows.map(({ operation }) => operation);
    expect(operations).toEqual(['diagnostics.create', 'diagnostics.analyze', 'diagnostics.stream']);
    for (const { resource_ids: ids } of rows) expect(ids).toContain(patient_id);
  });
});

describe('at 2022-05-01, on a day when it was Current', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ config: { serviceDate: '2022-06-01' } });
  });
  afterAll(() => world.stop());

  const send: World['gateway']['send'] = (method, path, options) =>
    world.gateway.send(method, `/v2022-05-01${path}?api_key=${world.demo.legacyApiKey}`, options);

  test('a kept result is a bare list, wherever it is', async () => {
    const body = { patient_id: world.demo.patientId, ...heartAttack };
    const created = await send<{ id: string; analysis_result: JsonObject[] }>('POST', '/diagnostics', { body });
    expect(created.status).toBe(201);
    expect(created.data).not.toHaveProperty('differential');
    expect(created.data.analysis_result.length).toBeGreaterThan(0);
    for (const entry of created.data.analysis_result)
      expect(entry).toEqual({ condition: expect.any(String), treatments: expect.any(Array) });
    const read = await send<typeof created.data>('GET', `/diagnostics/${created.data.id}`);
    expect(read.data).toEqual(created.data);
    const page = await send<OffsetPage<typeof created.data>>('GET', '/diagnostics');
    expect(page.data.items).toEqual([created.data]);
    const saved = await send('POST', '/diagnostics/analyze', { body: { ...body, options: { save: true } } });
    expect(saved.headers['location']).toMatch(/^\/v2022-05-01\/diagnostics\/diag_/);
  });

  test('there is no differential and no stream yet', async () => {
    for (const path of ['/diagnostics/differential', '/diagnostics/stream']) {
      const answer = await send('POST', path, { body: heartAttack });
      expect([answer.status, answer.error.code]).toEqual([404, 'operation_not_in_version']);
    }
  });
});
