import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { KnowledgeItem } from '@perennial/schemas/resources/knowledge.ts';
import type {
  DifferentialGraph,
  GraphEntity,
  GraphNeighbour,
  GraphPath,
  GraphShortestPath,
  KnowledgeGraph,
  PatientGraph,
} from '@perennial/schemas/resources/knowledge-graph.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import { type CallOptions, type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

const graph = '/knowledge/graph';
const ATC = 'http://www.whocc.no/atc';
const ICD10 = 'http://hl7.org/fhir/sid/icd-10';
const SNOMED = 'http://snomed.info/sct';

let database: TestDatabase;
let core: TestCore;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
});

afterAll(async () => {
  await core.stop();
  await database.close();
});

const get = <T>(path: string, options: CallOptions = {}): Promise<Reply<T>> => core.call<T>('GET', path, options);
const validator = createValidator(head.resources);

async function walk<T>(path: string, limit = 100): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, data }: Reply<Page<T>> = await get(
      `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${query}`,
    );
    expect([path, status]).toEqual([path, 200]);
    all.push(...data.items);
    cursor = data.next_cursor;
  }
  return all;
}

const neighbours = (id: string, query = ''): Promise<GraphNeighbour[]> =>
  walk(`${graph}/entities/${id}/neighbours${query}`);

describe('the graph', () => {
  test('says what it is made of, and every statement that is counted can be found', async () => {
    const { data } = await get<KnowledgeGraph>(graph);
    expect(validator.body('KnowledgeGraph', data)).toEqual([]);
    for (const { kind, count } of data.entity_kinds) {
      const { data: page } = await get<Page<KnowledgeItem>>(
        `${graph}/entities?kind=${kind}&include_total=true&limit=1`,
      );
      expect([kind, page.total]).toEqual([kind, count]);
      expect(count).toBeGreaterThan(0);
    }
    for (const { type, count } of data.relationship_types)
      expect([type, count === null || count > 0]).toEqual([type, true]);
  });

  test('an entity has as many neighbours as it says', async () => {
    for (const id of ['condition:asthma', 'finding:fever', 'medication:warfarin', 'category:specialty-ent']) {
      const { data } = await get<GraphEntity>(`${graph}/entities/${id}`);
      expect(validator.body('GraphEntity', data)).toEqual([]);
      const found = await neighbours(id);
      expect([id, found.length]).toEqual([id, data.degrees.reduce((sum, { count }) => sum + count, 0)]);
      for (const { type, direction, count } of data.degrees) {
        const some = await neighbours(id, `?types=${type}&direction=${direction}`);
        expect([id, type, some.length]).toEqual([id, type, count]);
      }
    }
    expect((await get(`${graph}/entities/condition:nonsense`)).status).toBe(404);
    expect((await get(`${graph}/entities/nonsense/neighbours`)).status).toBe(404);
  });

  test('relationships have what they state, how sure it is, and who says so', async () => {
    const found = await neighbours('condition:asthma');
    for (const each of found) expect(validator.body('GraphNeighbour', each)).toEqual([]);
    const of = (id: string): GraphNeighbour => found.find(({ entity }) => entity.entity_id === id)!;
    expect(of('finding:wheeze')).toMatchObject({
      direction: 'out',
      relationship: { type: 'has_finding', certainty: 'high', derived: false },
    });
    expect(of('finding:wheeze').relationship.likelihood).toBeGreaterThan(0.5);
    expect(of('finding:wheeze').relationship.sources.length).toBeGreaterThan(0);
    expect(of('guideline:asthma_guideline')).toMatchObject({ direction: 'in', relationship: { type: 'covers' } });
    expect(of('finding:history_atopy').relationship).toMatchObject({ type: 'raises', to: 'condition:asthma' });
    expect(of('condition:copd').relationship).toMatchObject({ type: 'differential_of', derived: true, sources: [] });
    const propranolol = of('medication:propranolol');
    expect(propranolol).toMatchObject({
      direction: 'in',
      relationship: { type: 'contraindicated_in', severity: 'contraindicated', certainty: 'established' },
    });
    expect(propranolol.relationship.explanation).toMatch(/airways/);
    expect(propranolol.relationship.sources.length).toBeGreaterThan(0);
  });

  test('interactions are those of an interaction check, by mechanism, from either side', async () => {
    const found = await neighbours('medication:warfarin', '?types=interacts_with&min_severity=major');
    const ibuprofen = found.find(({ entity }) => entity.id === 'ibuprofen')!;
    const { data } = await core.call<{ pairs: { severity: string; certainty: string; mechanism: string }[] }>(
      'POST',
      '/medications/interactions',
      { body: { medications: [{ name: 'warfarin' }, { name: 'ibuprofen' }] } },
    );
    const [pair] = data.pairs;
    expect(ibuprofen.relationship).toMatchObject({ severity: pair!.severity, certainty: pair!.certainty });
    expect(ibuprofen.relationship.explanation).toContain(pair!.mechanism);
    expect(found.every(({ relationship }) => ['contraindicated', 'major'].includes(relationship.severity!))).toBe(true);
    const back = await neighbours('medication:ibuprofen', '?types=interacts_with');
    expect(back.find(({ entity }) => entity.id === 'warfarin')!.relationship.severity).toBe(pair!.severity);
  });

  test('neighbours can be selected by type, kind, direction and likelihood, and are paged without gaps', async () => {
    const whole = await neighbours('finding:fever', '?types=has_finding,raised_by&min_likelihood=0.5');
    expect(whole.length).toBeGreaterThan(5);
    expect(whole.every(({ relationship }) => relationship.likelihood! >= 0.5)).toBe(true);
    const path = `${graph}/entities/finding:fever/neighbours?types=has_finding,raised_by&min_likelihood=0.5`;
    const parts = await walk<GraphNeighbour>(path, 4);
    expect(parts.map(({ entity }) => entity.entity_id)).toEqual(whole.map(({ entity }) => entity.entity_id));
    const likelihoods = whole.map(({ relationship }) => relationship.likelihood!);
    expect(likelihoods).toEqual([...likelihoods].sort((a, b) => b - a));
    const flags = await neighbours('finding:fever', '?kind=red_flag');
    expect(flags.every(({ entity, direction }) => entity.kind === 'red_flag' && direction === 'in')).toBe(true);
    const { data } = await get<Page<unknown>>(`${path}&limit=4`);
    const other = await get(
      `${graph}/entities/finding:fever/neighbours?limit=4&cursor=${encodeURIComponent(data.next_cursor!)}`,
    );
    expect(other.error.details).toMatchObject([{ code: 'cursor_invalid', parameter: 'cursor' }]);
  });
});

describe('paths', () => {
  const chain = ({ entities, relationships }: GraphPath): void => {
    expect(relationships).toHaveLength(entities.length - 1);
    for (const [index, { from, to }] of relationships.entries()) {
      const ends = [entities[index]!.entity_id, entities[index + 1]!.entity_id];
      expect([from, to].sort()).toEqual([...ends].sort());
    }
    expect(new Set(entities.map(({ entity_id }) => entity_id)).size).toBe(entities.length);
  };

  test('a shortest one leads from the first to the second, and none of all is shorter', async () => {
    const ends = 'from=condition:asthma&to=medication:budesonide';
    const { data } = await get<GraphShortestPath>(`${graph}/shortest-path?${ends}`);
    expect(validator.body('GraphShortestPath', data)).toEqual([]);
    chain(data.path!);
    expect(data.path!.entities.map(({ entity_id }) => entity_id)).toEqual([
      'condition:asthma',
      'treatment:inhaled_steroid',
      'medication:budesonide',
    ]);
    const { data: all } = await get<Page<GraphPath>>(`${graph}/paths?${ends}&limit=5`);
    expect(all.items[0]!.length).toBe(data.path!.length);
  });

  test('is null when none is short enough, and of no length from an entity to itself', async () => {
    const far = 'from=condition:asthma&to=condition:gout';
    expect(
      (await get<GraphShortestPath>(`${graph}/shortest-path?${far}&types=treated_by&max_length=1`)).data.path,
    ).toBeNull();
    const same = await get<GraphShortestPath>(`${graph}/shortest-path?from=condition:asthma&to=condition:asthma`);
    expect(same.data.path).toMatchObject({ length: 0, relationships: [] });
  });

  test('all of them up to a length are found once each, shorter ones first, page by page', async () => {
    const query = 'from=condition:asthma&to=condition:copd&types=has_finding,treated_by,covers&max_length=2';
    const paths = await walk<GraphPath>(`${graph}/paths?${query}`);
    for (const path of paths) chain(path);
    expect(paths.map(({ length }) => length)).toEqual(paths.map(({ length }) => length).sort((a, b) => a - b));
    const parts = await walk<GraphPath>(`${graph}/paths?${query}`, 3);
    expect(parts).toEqual(paths);
    // What both have is what the paths of two go through.
    const [one, other] = await Promise.all(
      ['asthma', 'copd'].map((id) => neighbours(`condition:${id}`, '?types=has_finding,treated_by,covers')),
    );
    const ids = new Set(one!.map(({ entity }) => entity.entity_id));
    const shared = other!.map(({ entity }) => entity.entity_id).filter((id) => ids.has(id));
    expect(paths.map(({ entities }) => entities[1]!.entity_id).sort()).toEqual(shared.sort());
    const { data } = await get<Page<GraphPath>>(`${graph}/paths?${query}&include_total=true&limit=1`);
    expect(data.total).toBe(paths.length);
  });

  test('interactions are followed only when they are asked for', async () => {
    const ends = 'from=medication:warfarin&to=medication:ibuprofen';
    const direct = await get<GraphShortestPath>(`${graph}/shortest-path?${ends}&types=interacts_with`);
    expect(direct.data.path).toMatchObject({ length: 1, relationships: [{ severity: 'major' }] });
    const other = await get<GraphShortestPath>(`${graph}/shortest-path?${ends}`);
    expect(other.data.path?.relationships.some(({ type }) => type === 'interacts_with')).not.toBe(true);
  });

  test('what reaches too far is refused with the parameter to narrow, not cut off silently', async () => {
    const query = 'from=condition:asthma&to=condition:copd&max_length=5&limit=100';
    const counted = await get(`${graph}/paths?${query}&include_total=true`);
    expect([counted.status, counted.error.details]).toMatchObject([
      422,
      [{ code: 'too_broad', parameter: 'include_total' }],
    ]);
    let cursor = '';
    for (let page = 0; page < 10; page++) {
      const { data, status }: Reply<Page<GraphPath>> = await get(`${graph}/paths?${query}${cursor}`);
      expect([status, data.items.length, data.has_more]).toEqual([200, 100, true]);
      cursor = `&cursor=${encodeURIComponent(data.next_cursor!)}`;
    }
    const beyond = await get(`${graph}/paths?${query}${cursor}`);
    expect([beyond.status, beyond.error.details]).toMatchObject([
      422,
      [{ code: 'too_broad', parameter: 'max_length' }],
    ]);
  });

  test.each([
    ['shortest-path?to=condition:asthma', 'required', 'from'],
    ['shortest-path?from=condition:nonsense&to=condition:asthma', 'not_allowed_value', 'from'],
    ['paths?from=condition:asthma&to=nonsense', 'not_allowed_value', 'to'],
    ['paths?from=condition:asthma&to=condition:copd&max_length=6', 'too_large', 'max_length'],
    ['paths?from=condition:asthma&to=condition:copd&types=knows', 'wrong_format', 'types'],
    ['entities?kind=unicorn', 'not_allowed_value', 'kind'],
    ['entities/condition:asthma/neighbours?min_likelihood=2', 'too_large', 'min_likelihood'],
    ['entities/condition:asthma/neighbours?direction=up', 'not_allowed_value', 'direction'],
  ])('%s is refused by name', async (path, code, parameter) => {
    const { status, error } = await get(`${graph}/${path}`);
    expect([status, error.details]).toMatchObject([422, [{ code, parameter }]]);
  });
});

describe('a differential as a part of the graph', () => {
  const ask = (body: unknown): Promise<Reply<DifferentialGraph>> =>
    core.call<DifferentialGraph>('POST', `${graph}/differential`, { body });

  test('has what the conditions share and, first, what separates them most', async () => {
    const { status, data } = await ask({
      condition_ids: ['asthma', 'copd', 'pneumonia'],
      options: { maxFindings: 100 },
    });
    expect(status).toBe(200);
    expect(validator.body('DifferentialGraph', data)).toEqual([]);
    expect(data.conditions.map(({ id }) => id)).toEqual(['asthma', 'copd', 'pneumonia']);
    const bits = data.findings.map(({ information_bits }) => information_bits);
    expect(bits).toEqual([...bits].sort((a, b) => b - a));
    expect(Math.max(...bits)).toBeLessThanOrEqual(Math.log2(3));
    const dyspnea = data.findings.find(({ finding }) => finding.id === 'dyspnea')!;
    expect(dyspnea.shared).toBe(true);
    expect(dyspnea.likelihoods.map(({ condition_id }) => condition_id)).toEqual(['asthma', 'copd', 'pneumonia']);
    const wheeze = data.findings.find(({ finding }) => finding.id === 'wheeze')!;
    expect(wheeze.information_bits).toBeGreaterThan(dyspnea.information_bits);
    // The relationships are those of the conditions and the findings listed, and nothing else.
    const ids = new Set(
      [...data.conditions, ...data.findings.map(({ finding }) => finding)].map((each) => each.entity_id),
    );
    for (const { from, to } of data.relationships) expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
    expect(data.relationships).toContainEqual(
      expect.objectContaining({ type: 'has_finding', from: 'condition:asthma', to: 'finding:wheeze' }),
    );
    expect(data.disclaimer && data.knowledge_version).toBeTruthy();
  });

  test('is as large as was asked for, and says when there is more', async () => {
    const { data } = await ask({ condition_ids: ['asthma', 'copd'], options: { maxFindings: 3 } });
    expect([data.findings.length, data.truncated]).toEqual([3, true]);
    expect(data.findings_total).toBeGreaterThan(3);
  });

  test('of too few, too many, equal or unknown conditions is refused with a pointer', async () => {
    const faults = async (ids: unknown): Promise<unknown> => (await ask({ condition_ids: ids })).error.details;
    expect(await faults(['asthma'])).toMatchObject([{ code: 'too_few', pointer: '/condition_ids' }]);
    expect(await faults(Array.from({ length: 11 }, (_, index) => `c${index}`))).toMatchObject([{ code: 'too_many' }]);
    expect(await faults(['asthma', 'asthma'])).toMatchObject([{ code: 'duplicate_entry' }]);
    const unknown = await ask({ condition_ids: ['asthma', 'a-secret'] });
    expect(unknown.error.details).toMatchObject([{ code: 'not_allowed_value', pointer: '/condition_ids/1' }]);
    expect(unknown.text).not.toContain('a-secret');
  });
});

describe('the graph around a patient', () => {
  async function makePatient(records: readonly JsonObject[]): Promise<string> {
    const { data } = await core.call<{ id: string }>('POST', '/patients', {
      body: { name: 'Amara Okafor', dob: '1950-06-15', sex: 'female' },
    });
    for (const body of records) {
      const { status, text } = await core.call('POST', `/patients/${data.id}/records`, { body });
      if (status !== 201) throw new Error(text);
    }
    return data.id;
  }
  const record = (type: string, system: string, code: string, display: string, more: JsonObject = {}): JsonObject => ({
    type,
    status: 'active',
    code: { system, code, display },
    ...more,
  });
  const around = async (records: readonly JsonObject[], query = ''): Promise<PatientGraph> => {
    const id = await makePatient(records);
    const { status, data } = await get<PatientGraph>(`${graph}/patients/${id}${query}`);
    expect(status).toBe(200);
    expect(validator.body('PatientGraph', data)).toEqual([]);
    expect(data.patient_id).toBe(id);
    return data;
  };

  test('knows conditions by ICD-10, other codes by their words, and medications by ATC, RxNorm or name', async () => {
    const data = await around([
      record('condition', ICD10, 'J45.9', 'Asthma'),
      record('condition', ICD10, 'E11', 'Type 2 diabetes'),
      record('condition', SNOMED, '38341003', 'Hypertension (disorder)'),
      record('condition', SNOMED, '233604007', 'Something that nobody named so'),
      record('medication', ATC, 'C07AA05', 'Propranolol'),
      record('medication', 'urn:local:drugs', 'X1', 'Coumadin 5 mg'),
    ]);
    const ids = data.recognized.flatMap(({ entity_ids }) => entity_ids);
    expect(ids.sort()).toEqual(
      [
        'condition:asthma',
        'condition:hypertension',
        'condition:type2_diabetes',
        'medication:propranolol',
        'medication:warfarin',
      ].sort(),
    );
    expect(data.unrecognized).toHaveLength(1);
    const by = Object.fromEntries(data.recognized.map(({ entity_ids, matched_by }) => [entity_ids[0], matched_by]));
    expect(by).toMatchObject({ 'condition:asthma': 'code', 'condition:hypertension': 'name' });
    expect(data.relationships).toContainEqual(
      expect.objectContaining({
        type: 'contraindicated_in',
        from: 'medication:propranolol',
        to: 'condition:asthma',
        severity: 'contraindicated',
      }),
    );
    const known = new Set(data.entities.map(({ entity_id }) => entity_id));
    expect(known).toContain('guideline:asthma_guideline');
    for (const { from, to } of data.relationships) expect([known.has(from), known.has(to)]).toEqual([true, true]);
  });

  test('does not guess which of two conditions a shared name means, nor a code that several lie under', async () => {
    const data = await around(
      [
        record('condition', SNOMED, '9826008', 'Pink eye'),
        record('condition', ICD10, 'H10', 'Conjunctivitis'),
        record('condition', ICD10, 'J45.0', 'Asthma, of a kind that has no entry of its own'),
        // A code of hypertension and, second, of its emergency.
        record('condition', ICD10, 'I10', 'Raised pressure'),
      ],
      '?depth=0',
    );
    const known = data.recognized.map(({ entity_ids, matched_by }) => [matched_by, ...entity_ids]);
    expect(known.sort()).toEqual([
      ['code', 'condition:hypertension'],
      ['code_category', 'condition:asthma'],
    ]);
    expect(data.unrecognized).toHaveLength(2);
  });

  test('leaves out what is over, was refuted or is not taken, and tells nothing of a medicine that is an allergy', async () => {
    const data = await around(
      [
        record('condition', ICD10, 'J45.9', 'Asthma', { verification: 'refuted' }),
        record('condition', ICD10, 'M10.9', 'Gout', { status: 'resolved' }),
        record('medication', ATC, 'B01AA03', 'Warfarin', { ended_at: '2001-01-01T00:00:00.000Z' }),
        record('medication', ATC, 'M01AE01', 'Ibuprofen'),
        record('allergy', 'urn:local:allergies', 'A1', 'Warfarin', { substance: 'warfarin', category: 'medication' }),
      ],
      '?depth=0',
    );
    expect(data.recognized.map(({ type, entity_ids }) => [type, ...entity_ids]).sort()).toEqual([
      ['allergy', 'medication:warfarin'],
      ['medication', 'medication:ibuprofen'],
    ]);
    expect(data.relationships.map(({ type }) => type)).not.toContain('interacts_with');
  });

  test('has the interactions of what is taken together', async () => {
    const data = await around(
      [record('medication', ATC, 'B01AA03', 'Warfarin'), record('medication', ATC, 'M01AE01', 'Ibuprofen')],
      '?depth=0',
    );
    expect(data.entities).toHaveLength(2);
    expect(data.relationships).toMatchObject([{ type: 'interacts_with', severity: 'major' }]);
  });

  test('holds no more than was asked for, the patient’s own first, and says what was left out', async () => {
    const records = [record('condition', ICD10, 'J45.9', 'Asthma'), record('condition', ICD10, 'I10', 'Hypertension')];
    const whole = await around(records, '?types=has_finding,treated_by&limit=500');
    expect(whole.truncated).toBe(false);
    const data = await around(records, '?types=has_finding,treated_by&limit=5');
    expect([data.entities.length, data.truncated]).toEqual([5, true]);
    expect(data.entities.slice(0, 2).map(({ kind }) => kind)).toEqual(['condition', 'condition']);
    const empty = await around([]);
    expect(empty).toMatchObject({
      recognized: [],
      unrecognized: [],
      entities: [],
      relationships: [],
      truncated: false,
    });
  });

  test('needs both scopes, and is missing for another account', async () => {
    const id = await makePatient([]);
    for (const scopes of [['knowledge:read'], ['patients:read']]) {
      const { status, error } = await get(`${graph}/patients/${id}`, { caller: { scopes } });
      expect([scopes, status, error.code]).toEqual([scopes, 403, 'scope_missing']);
    }
    const both = await get(`${graph}/patients/${id}`, { caller: { scopes: ['knowledge:read', 'patients:read'] } });
    expect(both.status).toBe(200);
    expect((await get(`${graph}/patients/${id}`, { caller: { accountId: 'acc_other' } })).status).toBe(404);
  });
});
