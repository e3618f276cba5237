import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { KnowledgeCondition, KnowledgeMatch, KnowledgeRelated } from '@perennial/schemas/resources/knowledge.ts';
import type {
  DifferentialGraph,
  GraphNeighbour,
  GraphShortestPath,
  PatientGraph,
} from '@perennial/schemas/resources/knowledge-graph.ts';
import { type CursorPage, type OffsetPage, startWorld, type World } from '../world.ts';

const versions = ['v2022-11-15', 'v2023-04-30', 'v2023-10-15'];
const graphVersions = ['v2023-04-30', 'v2023-10-15'];

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const get: <T>(path: string, headers?: Record<string, string>) => ReturnType<typeof world.gateway.send<T>> = (
  path,
  headers = {},
) => world.gateway.send('GET', path, { key: world.demo.apiKey, headers });

describe('the knowledge base through the front door', () => {
  test.each(versions)('is the same in %s', async (version) => {
    const { status, data } = await get<KnowledgeCondition>(`/${version}/knowledge/conditions/asthma`);
    expect(status).toBe(200);
    expect(data).toMatchObject({ id: 'asthma', icd10: ['J45.9'] });
    const found = await get<CursorPage<KnowledgeMatch>>(`/${version}/knowledge/search?query=astma&limit=1`);
    expect(found.data.items[0]?.item.entity_id).toBe('condition:asthma');
    expect(found.data.items[0]?.highlights[0]).toMatchObject({ field: 'name', text: 'Asthma' });
    const related = await get<CursorPage<KnowledgeRelated>>(
      `/${version}/knowledge/items/condition:asthma/related?kind=treatment`,
    );
    expect(related.data.items.map(({ item }) => item.id)).toContain('inhaled_steroid');
  });

  test('lists are by offset in the oldest version and by cursor since, in the same order', async () => {
    const { data: old } = await get<OffsetPage<KnowledgeCondition>>(
      '/v2022-11-15/knowledge/conditions?specialty=respiratory&offset=5&limit=3',
    );
    expect([old.offset, old.limit, old.items.length]).toEqual([5, 3, 3]);
    const { data: first } = await get<CursorPage<KnowledgeCondition>>(
      '/v2023-10-15/knowledge/conditions?specialty=respiratory&limit=5',
    );
    const { data: next } = await get<CursorPage<KnowledgeCondition>>(
      `/v2023-10-15/knowledge/conditions?specialty=respiratory&limit=3&cursor=${encodeURIComponent(first.next_cursor!)}`,
    );
    expect(old.items.map(({ id }) => id)).toEqual(next.items.map(({ id }) => id));
    const { data: search } = await get<OffsetPage<KnowledgeMatch>>('/v2022-11-15/knowledge/search?query=pain&offset=2');
    expect(search.total).toBeGreaterThan(search.items.length);
  });

  test.each(versions)('an answer stays fresh in %s, and is not taken for that of another version', async (version) => {
    for (const path of ['/knowledge/conditions/asthma', '/knowledge/conditions?limit=2']) {
      const { headers } = await get(`/${version}${path}`);
      const tag = String(headers['etag']);
      expect((await get(`/${version}${path}`, { 'if-none-match': tag })).status).toBe(304);
    }
    const { headers } = await get('/v2022-11-15/knowledge/conditions');
    const other = await get('/v2023-10-15/knowledge/conditions', { 'if-none-match': String(headers['etag']) });
    expect(other.status).toBe(200);
  });

  test.each(versions)('a fault of a parameter is told by its name in %s', async (version) => {
    const { status, error } = await get(`/${version}/knowledge/conditions?urgency=a-secret`);
    expect([status, error.details]).toMatchObject([422, [{ code: 'not_allowed_value', parameter: 'urgency' }]]);
  });
});

describe('the knowledge graph through the front door', () => {
  test.each(graphVersions)('is the same in %s', async (version) => {
    const graph = `/${version}/knowledge/graph`;
    const { data } = await get<CursorPage<GraphNeighbour>>(
      `${graph}/entities/condition:asthma/neighbours?types=treated_by`,
    );
    expect(data.items.map(({ entity }) => entity.id)).toContain('bronchodilator');
    const path = await get<GraphShortestPath>(`${graph}/shortest-path?from=condition:asthma&to=medication:salbutamol`);
    expect(path.data.path?.length).toBe(2);
    const paths = await get(`${graph}/paths?from=condition:asthma&to=condition:copd&max_length=5&include_total=true`);
    expect([paths.status, paths.error.details]).toMatchObject([422, [{ code: 'too_broad' }]]);
    const patient = await get<PatientGraph>(`${graph}/patients/${world.demo.patientId}`);
    expect(patient.status).toBe(200);
    expect(patient.data.recognized.length).toBeGreaterThan(0);
    const differential = await world.gateway.send<DifferentialGraph>('POST', `${graph}/differential`, {
      key: world.demo.apiKey,
      body: { condition_ids: ['asthma', 'copd'] },
    });
    expect(differential.data.findings.length).toBeGreaterThan(5);
  });

  test('a look at a patient’s records is in the audit trail, a look at the knowledge is not', async () => {
    const { database, demo } = world;
    const entity = await get('/v2023-04-30/knowledge/graph/entities/condition:asthma');
    const patient = await get(`/v2023-04-30/knowledge/graph/patients/${demo.patientId}`);
    const ids = [entity, patient].map((answer) => String(answer.headers['x-request-id']));
    // A read is written when its answer has ended, in order: when the later one is there, the earlier would be.
    for (;;) {
      const entries = await database.db.auditEntry.findMany({ where: { requestId: { in: ids } } });
      if (entries.length === 0) await sleep(20);
      else {
        expect(entries.map(({ operation, resourceIds }) => [operation, ...resourceIds])).toEqual([
          ['knowledgeGraph.patient', demo.patientId],
        ]);
        break;
      }
    }
  });

  test('is not in the version before, which says where it is, and core is not asked', async () => {
    world.passed.length = 0;
    for (const path of ['', '/entities/condition:asthma', `/patients/${world.demo.patientId}`]) {
      const { status, error } = await get(`/v2022-11-15/knowledge/graph${path}`);
      expect([path, status, error.code]).toEqual([path, 404, 'operation_not_in_version']);
      expect(error.message).toContain('2023-04-30');
    }
    expect(world.passed).toEqual([]);
  });
});
