import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import type {
  KnowledgeBase,
  KnowledgeCondition,
  KnowledgeFinding,
  KnowledgeGuideline,
  KnowledgeMatch,
  KnowledgeMedication,
  KnowledgeRedFlag,
  KnowledgeRelated,
  KnowledgeTreatment,
} from '@perennial/schemas/resources/knowledge.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import { type CallOptions, type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

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

/** Every entry of a list, page by page. */
async function walk<T>(path: string, limit = 100): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, data }: Reply<Page<T>> = await get(
      `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${query}`,
    );
    expect(status).toBe(200);
    all.push(...data.items);
    cursor = data.next_cursor;
  }
  return all;
}

describe('the knowledge base', () => {
  const lists: readonly (readonly [string, string])[] = [
    ['condition', 'KnowledgeCondition'],
    ['finding', 'KnowledgeFinding'],
    ['treatment', 'KnowledgeTreatment'],
    ['medication', 'KnowledgeMedication'],
    ['guideline', 'KnowledgeGuideline'],
    ['red_flag', 'KnowledgeRedFlag'],
  ];

  test.each(lists)(
    'every %s is in the list once, is of its shape, and is read alike by its id',
    async (kind, ref) => {
      const { data: base } = await get<KnowledgeBase>('/knowledge');
      const { count, path } = base.kinds.find((each) => each.kind === kind)!;
      const entries = await walk<{ id: string }>(path);
      expect([entries.length, new Set(entries.map(({ id }) => id)).size]).toEqual([count, count]);
      const faulty = entries.filter((entry) => validator.body(ref, entry).length > 0);
      expect(faulty.map(({ id }) => id)).toEqual([]);
      const last = entries.at(-1)!;
      expect((await get(`${path}/${last.id}`)).data).toEqual(last);
      expect((await get(`${path}/nonsense`)).error.code).toBe('not_found');
      // The first list waits for a core that loads all of the knowledge, which takes its time on a busy machine.
    },
    300_000,
  );

  test('says what it holds, in which version, and what it is not', async () => {
    const { status, data } = await get<KnowledgeBase>('/knowledge');
    expect(status).toBe(200);
    expect(data.kinds.map(({ kind }) => kind)).toEqual(lists.map(([kind]) => kind));
    expect(data.knowledge_version).toMatch(/^\d{4}\.\d+\.\d+$/);
    expect(data.disclaimer).not.toBe('');
  });

  test('a condition has likelihoods with certainty, codes, treatments, guidelines and sources', async () => {
    const { data } = await get<KnowledgeCondition>('/knowledge/conditions/hypertension');
    expect(data.icd10).toContain('I10');
    expect(data.findings).toContainEqual(
      expect.objectContaining({ finding_id: 'elevated_blood_pressure', name: expect.any(String) }),
    );
    for (const { likelihood, certainty } of data.findings) {
      expect(likelihood).toBeGreaterThan(0);
      expect(['high', 'moderate', 'low']).toContain(certainty);
    }
    expect(data.treatments.map(({ id }) => id)).toContain('ace_inhibitor_tx');
    expect(data.guidelines.map(({ id }) => id)).toContain('hypertension_adults');
    expect(data.sources[0]).toMatchObject({ organisation: expect.stringContaining('NICE') });
  });

  test('a finding that is measured says from which values, with their unit', async () => {
    const { data } = await get<KnowledgeFinding>('/knowledge/findings/fever');
    expect(data.measurements[0]).toMatchObject({ sign: 'temperature', unit: '°C', min: 38 });
  });

  test('a treatment names what it is given as; a medication its codes and classes', async () => {
    const { data: treatment } = await get<KnowledgeTreatment>('/knowledge/treatments/metformin');
    expect(treatment.uses).toContainEqual({ kind: 'medication', id: 'metformin', name: 'metformin' });
    const { data: medication } = await get<KnowledgeMedication>('/knowledge/medications/warfarin');
    expect(medication).toMatchObject({ atc: ['B01AA03'], interactions_profiled: true, substances: [] });
    expect(medication.classes.map(({ id }) => id)).toContain('vitamin-k-antagonist');
    const { data: combination } = await get<KnowledgeMedication>('/knowledge/medications/co-trimoxazole');
    expect(combination.substances.map(({ id }) => id)).toEqual(['sulfamethoxazole', 'trimethoprim']);
  });

  test('a guideline’s recommendations have a strength and a published source', async () => {
    const { data } = await get<KnowledgeGuideline>('/knowledge/guidelines/hypertension_adults');
    expect(data.recommendations.length).toBeGreaterThanOrEqual(4);
    for (const { strength, source } of data.recommendations) {
      expect(['strong', 'conditional', 'good_practice']).toContain(strength);
      expect(source.organisation && source.title).toBeTruthy();
    }
  });
});

describe('lists', () => {
  test('filters select, and every filter that is given must hold', async () => {
    const both = await walk<KnowledgeCondition>('/knowledge/conditions?specialty=respiratory&urgency=emergency');
    expect(both.length).toBeGreaterThan(0);
    expect(both.every(({ specialty, urgency }) => specialty === 'respiratory' && urgency === 'emergency')).toBe(true);
    const coded = await walk<KnowledgeCondition>('/knowledge/conditions?icd10=j45');
    expect(coded.map(({ id }) => id)).toContain('asthma');
    expect(coded.every(({ icd10 }) => icd10.some((code) => code.startsWith('J45')))).toBe(true);
    const having = await walk<KnowledgeCondition>('/knowledge/conditions?finding_id=wheeze');
    expect(having.map(({ id }) => id)).toContain('asthma');
    const found = await walk<KnowledgeFinding>('/knowledge/findings?category=test&name=BLOOD');
    expect(found.every(({ category, name }) => category === 'test' && /blood/i.test(name))).toBe(true);
    const usual = await walk<KnowledgeTreatment>('/knowledge/treatments?condition_id=asthma&kind=medication');
    expect(usual.map(({ id }) => id)).toContain('inhaled_steroid');
    const statins = await walk<KnowledgeMedication>('/knowledge/medications?class_id=statin&atc=c10aa');
    expect(statins.map(({ id }) => id)).toContain('atorvastatin');
    const guidelines = await walk<KnowledgeGuideline>('/knowledge/guidelines?condition_id=asthma');
    expect(guidelines.length).toBeGreaterThan(0);
    const flags = await walk<KnowledgeRedFlag>('/knowledge/red-flags?finding_id=crushing_chest_pain');
    expect(flags.length).toBeGreaterThan(0);
    expect(await walk('/knowledge/conditions?specialty=alchemy')).toEqual([]);
  });

  test('pages are in the order asked for, without gaps or repetitions, and may be counted', async () => {
    const whole = await walk<KnowledgeCondition>('/knowledge/conditions?sort=-id');
    const parts = await walk<KnowledgeCondition>('/knowledge/conditions?sort=-id', 37);
    expect(parts.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    expect(whole.map(({ id }) => id)).toEqual([...whole.map(({ id }) => id)].sort().reverse());
    const { data } = await get<Page<KnowledgeCondition>>('/knowledge/conditions?limit=1&include_total=true');
    expect([data.total, data.has_more, data.items.length]).toEqual([whole.length, true, 1]);
  });

  test('a cursor is good for the list it came from only', async () => {
    const { data } = await get<Page<unknown>>('/knowledge/conditions?specialty=ent&limit=2');
    const cursor = encodeURIComponent(data.next_cursor!);
    for (const path of [
      `/knowledge/conditions?limit=2&cursor=${cursor}`,
      `/knowledge/findings?limit=2&cursor=${cursor}`,
      `/knowledge/conditions?specialty=ent&sort=-name&cursor=${cursor}`,
    ]) {
      const { status, error } = await get(path);
      expect([status, error.details[0]]).toMatchObject([422, { code: 'cursor_invalid', parameter: 'cursor' }]);
    }
    const other = await get(`/knowledge/conditions?specialty=ent&cursor=${cursor}`, { caller: { accountId: 'acc_2' } });
    expect(other.status).toBe(422);
  });

  test.each([
    ['/knowledge/conditions?limit=101', 'too_large', 'limit'],
    ['/knowledge/conditions?limit=0', 'too_small', 'limit'],
    ['/knowledge/conditions?urgency=whenever', 'not_allowed_value', 'urgency'],
    ['/knowledge/conditions?icd10=%27%3B--', 'wrong_format', 'icd10'],
    ['/knowledge/conditions?sort=incidence', 'not_allowed_value', 'sort'],
    ['/knowledge/conditions?colour=red', 'unknown_parameter', 'colour'],
    ['/knowledge/medications?atc=1X', 'wrong_format', 'atc'],
    ['/knowledge/search', 'required', 'query'],
    ['/knowledge/search?query=', 'too_short', 'query'],
    [`/knowledge/search?query=${'a'.repeat(201)}`, 'too_long', 'query'],
    ['/knowledge/search?query=asthma&kind=category', 'not_allowed_value', 'kind'],
  ])('%s is refused by name', async (path, code, parameter) => {
    const { status, error } = await get(path);
    expect([status, error.code, error.details]).toMatchObject([422, 'validation_failed', [{ code, parameter }]]);
  });

  test('a key without the scope is refused', async () => {
    const { status, error } = await get('/knowledge/conditions', { caller: { scopes: ['patients:read'] } });
    expect([status, error.code]).toEqual([403, 'scope_missing']);
  });
});

describe('an ETag', () => {
  test('keeps an answer fresh until the knowledge changes, for entries, lists and searches', async () => {
    for (const path of [
      '/knowledge',
      '/knowledge/conditions/asthma',
      '/knowledge/conditions',
      '/knowledge/search?query=asthma',
    ]) {
      const { headers, status } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      const again = await get(path, { headers: { 'if-none-match': headers.etag! } });
      expect([path, again.status, again.text]).toEqual([path, 304, '']);
      const old = await get(path, { headers: { 'if-none-match': headers.etag!.replace(/"\d+/, '"1') } });
      expect([path, old.status]).toEqual([path, 200]);
    }
  });

  test('of a list is not that of an entry: its cursors are sealed with a secret that can change', async () => {
    const [entry, list] = await Promise.all([get('/knowledge/conditions/asthma'), get('/knowledge/conditions')]);
    const revision = (tag: string | undefined): string | undefined => /"(\d+)\./.exec(tag ?? '')?.[1];
    expect(revision(entry.headers.etag)).toBeDefined();
    expect(revision(entry.headers.etag)).not.toBe(revision(list.headers.etag));
  });

  test('does not hide that something is missing or wrong', async () => {
    const headers = { 'if-none-match': '*' };
    expect((await get('/knowledge/conditions/nonsense', { headers })).status).toBe(404);
    expect((await get('/knowledge/conditions?limit=0', { headers })).status).toBe(422);
  });
});

describe('search', () => {
  const first = async (query: string): Promise<KnowledgeMatch | undefined> => {
    const { status, data } = await get<Page<KnowledgeMatch>>(
      `/knowledge/search?limit=5&query=${encodeURIComponent(query)}`,
    );
    expect([query, status]).toEqual([query, 200]);
    return data.items[0];
  };

  test.each([
    ['asthma', 'condition:asthma'],
    ['heart attack', 'condition:myocardial_infarction'],
    ['high blood pressure', 'condition:hypertension'],
    // Accents, part of a word, misspelt, codes with and without point, a trade name.
    ['dépréssion', 'condition:depression'],
    ['hipertension', 'condition:hypertension'],
    ['ibuprofn', 'medication:ibuprofen'],
    ['appendic', 'condition:acute_appendicitis'],
    ['J45.9', 'condition:asthma'],
    ['j459', 'condition:asthma'],
    ['B01AA03', 'medication:warfarin'],
    ['Coumadin', 'medication:warfarin'],
    ['ASTHMA', 'condition:asthma'],
  ])('"%s" finds %s first', async (query, entityId) => {
    expect((await first(query))?.item.entity_id).toBe(entityId);
  });

  test('shows where the words stand', async () => {
    const match = await first('hipertension');
    const [place] = match!.highlights;
    expect(place).toMatchObject({ field: 'name', text: 'Hypertension' });
    expect(place!.spans.map(({ start, end }) => place!.text.slice(start, end))).toEqual(['Hypertension']);
    const every = await walk<KnowledgeMatch>('/knowledge/search?query=blood%20pressure');
    for (const { highlights } of every)
      for (const { text, spans } of highlights) {
        expect(spans.length).toBeGreaterThan(0);
        for (const { start, end } of spans) expect(text.slice(start, end)).toMatch(/^[\p{L}\p{N}]/u);
      }
  });

  test('finds every kind, or only the one asked for, best first', async () => {
    const all = await walk<KnowledgeMatch>('/knowledge/search?query=hypertension');
    expect(new Set(all.map(({ item }) => item.kind)).size).toBeGreaterThan(2);
    expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).sort((a, b) => b - a));
    const only = await walk<KnowledgeMatch>('/knowledge/search?query=hypertension&kind=guideline');
    expect(only.length).toBeGreaterThan(0);
    expect(only.every(({ item }) => item.kind === 'guideline')).toBe(true);
  });

  test('pages follow each other without gaps or repetitions', async () => {
    const path = '/knowledge/search?query=pain';
    const whole = await walk<KnowledgeMatch>(path);
    const parts = await walk<KnowledgeMatch>(path, 7);
    expect(whole.length).toBeGreaterThan(20);
    expect(parts.map(({ item }) => item.entity_id)).toEqual(whole.map(({ item }) => item.entity_id));
    const { data } = await get<Page<unknown>>(`${path}&limit=7`);
    const other = await get(`/knowledge/search?query=ache&limit=7&cursor=${encodeURIComponent(data.next_cursor!)}`);
    expect(other.status).toBe(422);
  });

  test('where no entry has all the words, entries with some are found; where none has any, none', async () => {
    expect((await first('asthma qqqzzzxxx'))?.item.entity_id).toBe('condition:asthma');
    expect(await first('qqqzzzxxx')).toBeUndefined();
    expect(await first('...')).toBeUndefined();
  });

  test('never repeats what was asked', async () => {
    const { text } = await get(`/knowledge/search?query=qqqzzzxxx&limit=1`);
    expect(text).not.toContain('qqqzzzxxx');
  });
});

describe('related entries', () => {
  test('are closest first, each once, with the reason', async () => {
    const related = await walk<KnowledgeRelated>('/knowledge/items/condition:asthma/related');
    const ids = related.map(({ item }) => item.entity_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(['finding:wheeze', 'treatment:inhaled_steroid', 'condition:copd']));
    expect(related.map(({ score }) => score)).toEqual(related.map(({ score }) => score).sort((a, b) => b - a));
    expect(related.find(({ item }) => item.id === 'wheeze')).toMatchObject({
      relation: 'has_finding',
      reason: expect.stringMatching(/^Present in \d+ % of patients with Asthma: /),
    });
  });

  test('can be of one kind, and an entry that does not exist has none', async () => {
    const related = await walk<KnowledgeRelated>('/knowledge/items/medication:metformin/related?kind=treatment');
    expect(related.map(({ item }) => item.id)).toContain('metformin');
    expect((await get('/knowledge/items/condition:nonsense/related')).status).toBe(404);
    expect((await get('/knowledge/items/nonsense/related')).status).toBe(404);
  });
});
