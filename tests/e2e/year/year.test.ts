import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccount } from '@perennial/prisma/accounts.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { headAfterAYear } from '../../fixtures/year/head.ts';
import { historyOfTheYear, OLDEST, yearOfReleases } from '../../fixtures/year/releases.ts';
import { startYearService, type YearService } from '../../fixtures/year/service.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type Answer, type SendOptions, startTestGateway, type TestGateway } from '../../support/gateway.ts';

/*
 * A year of ten releases, with every description there is, served at every version at once before a service that only
 * speaks the newest.
 */
const translator = createTranslator(headAfterAYear, historyOfTheYear, yearOfReleases);
const versions = translator.catalogue.releases.map(({ id }) => id);
const NEWEST = versions.at(-1) as string;

describe('a year of ten releases', () => {
  let database: TestDatabase;
  let service: YearService;
  let gateway: TestGateway;
  let account: { apiKey: string };

  beforeAll(async () => {
    database = await freshDatabase();
    account = await createAccount(database.db);
    service = await startYearService();
    gateway = await startTestGateway(service.url, database.url, { history: historyOfTheYear, translator });
  });

  afterAll(async () => {
    await gateway?.stop();
    await service?.stop();
    await database?.close();
  });

  const call = (version: string, method: string, path: string, options: SendOptions = {}): Promise<Answer> =>
    gateway.send(method, `/v${version}${path}`, { key: account.apiKey, ...options });
  const oldest = (method: string, path: string, options: SendOptions = {}): Promise<Answer> =>
    call(OLDEST, method, path, options);

  const written = {
    clinician_id: 'C0007',
    name: 'Amara Okafor',
    state: 'planned',
    priority: 'urgent',
    length: 30,
    floor: 2,
    number: '2.14',
    phone: '+44 20 7946 0000',
    tags: ['new'],
    note: 'Comes with her sister.',
    referral: 'Dr Smith',
    reminder: { minutes: 30 },
    findings: [{ kind: 'text', text: 'Well.' }],
  };

  it('gives its oldest client back what it wrote, in its own words', async () => {
    const made = await oldest('POST', '/visits', { body: written });
    expect([made.status, made.data]).toEqual([201, { id: '000001', fax: null, ...written }]);
    expect(service.visits.get('vis_000001')?.body).toMatchObject({
      clinician_id: 'cln_0007',
      given_name: 'Amara',
      family_name: 'Okafor',
      priority: 'high',
      minutes: 30,
      room: { floor: 2, number: '2.14' },
      phones: ['+44 20 7946 0000'],
      language: 'en',
    });
    const read = await oldest('GET', '/appointments/000001');
    expect(read.data).toEqual(made.data);
  });

  it.each(versions)('answers and takes v%s at once, and leaves every other version what it has', async (version) => {
    const id = version >= '2021-04-10' ? 'vis_000001' : '000001';
    const path = version >= '2021-01-10' ? `/visits/${id}` : `/appointments/${id}`;
    const before = (await oldest('GET', '/appointments/000001')).data;
    const stored = structuredClone(service.visits.get('vis_000001')?.body);
    const read = await call(version, 'GET', path);
    expect(read.status).toBe(200);
    // Written back as it was read, nothing changes for anybody.
    for (const method of ['PUT', 'PATCH']) {
      const back = await call(version, method, `/visits/${id}`, { body: read.data });
      expect([method, back.status, back.data]).toEqual([method, 200, read.data]);
    }
    expect(service.visits.get('vis_000001')?.body).toEqual(stored);
    for (const other of versions) {
      const at = other >= '2021-04-10' ? 'vis_000001' : '000001';
      const seen = await call(other, 'GET', other >= '2021-01-10' ? `/visits/${at}` : `/appointments/${at}`);
      expect([other, seen.status]).toEqual([other, 200]);
    }
    expect((await oldest('GET', '/appointments/000001')).data).toEqual(before);
  });

  it.each(versions.flatMap((older) => versions.map((newer) => [older, newer] as const)).filter(([a, b]) => a < b))(
    'keeps what v%s wrote through a write of v%s',
    async (older, newer) => {
      const idAt = (version: string): string => (version >= '2021-04-10' ? 'vis_000001' : '000001');
      const get = (version: string): Promise<Answer> =>
        call(version, 'GET', version >= '2021-01-10' ? `/visits/${idAt(version)}` : `/appointments/${idAt(version)}`);
      const seen = (await get(older)).data;
      const theirs = (await get(newer)).data;
      expect((await call(newer, 'PUT', `/visits/${idAt(newer)}`, { body: theirs })).data).toEqual(theirs);
      expect((await get(older)).data).toEqual(seen);
      expect((await call(older, 'PUT', `/visits/${idAt(older)}`, { body: seen })).data).toEqual(seen);
      expect((await get(newer)).data).toEqual(theirs);
    },
  );

  it('shows nothing that came later to who came before: words, alternatives, kinds and events', async () => {
    const modern: JsonObject = {
      ...(await call(NEWEST, 'GET', '/visits/vis_000001')).data,
      tags: ['new', 'remote'],
      findings: [
        { kind: 'image', picture: 'a.png' },
        { kind: 'text', text: 'Well.' },
      ],
    };
    expect((await call(NEWEST, 'PUT', '/visits/vis_000001', { body: modern })).data).toEqual(modern);
    const old = (await oldest('GET', '/appointments/000001')).data;
    expect([old['tags'], old['findings']]).toEqual([['new'], [{ kind: 'text', text: 'Well.' }]]);
    // What it writes keeps the words it does not see.
    await oldest('PATCH', '/visits/000001', { body: { tags: ['repeat'] } });
    expect((await call(NEWEST, 'GET', '/visits/vis_000001')).data['tags']).toEqual(['repeat', 'remote']);

    const arrived = await call(NEWEST, 'POST', '/visits', { body: { ...modern, state: 'arrived' } });
    expect(arrived.status).toBe(201);
    expect((await call(NEWEST, 'GET', '/visits')).data['items']).toHaveLength(2);
    expect((await oldest('GET', '/visits')).data['items']).toHaveLength(1);
    const hidden = await oldest('GET', '/appointments/000002');
    expect([hidden.status, hidden.error.code]).toEqual([410, 'visit_gone']);

    const events = (version: string): Promise<Answer> => call(version, 'GET', '/events');
    expect(((await events(NEWEST)).data['items'] as JsonObject[]).map(({ type }) => type)).toContain('visit.moved');
    const told = (await events(OLDEST)).data['items'] as JsonObject[];
    expect(told.map(({ type, visit_id: visit }) => [type, visit])).toEqual([['visit.created', '000001']]);
    expect((await oldest('GET', '/events?type=visit.created')).status).toBe(200);
    expect((await oldest('GET', '/events?type=visit.booked')).status).toBe(422);
    const stream = await oldest('GET', '/visits/watch');
    expect([...stream.text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)).toEqual(['created', 'changed']);
    expect(stream.text).toContain('"id":"000001"');
  });

  it('asks for identifiers and words as they are now, in paths and filters', async () => {
    service.seen.length = 0;
    await oldest('GET', '/visits?clinician_id=C0007&priority=urgent&called=Amara%20Okafor');
    expect(service.seen).toEqual([
      'GET /visits?clinician_id=cln_0007&priority=high&given_name=Amara&family_name=Okafor&limit=5',
    ]);
    expect((await oldest('GET', '/clinicians/C0007')).data).toEqual({
      id: 'C0007',
      name: 'Dr Ito',
      contact: { email: 'ito@example.org', desk: '12' },
    });
    const gone = await oldest('GET', '/clinicians/nobody');
    expect([gone.status, gone.error.code]).toEqual([404, 'not_found']);
  });

  it('answers in one operation what only that one called otherwise', async () => {
    const [found] = (await oldest('GET', '/visits/search?q=x')).data['items'] as JsonObject[];
    expect(found).toMatchObject({ remark: 'Comes with her sister.', name: 'Amara Okafor' });
    expect(found).not.toHaveProperty('note');
    const names = [...translator.contract(OLDEST).resources.keys()];
    expect(names).toEqual(expect.arrayContaining(['Doctor', 'VisitInVisitsSearch']));
    expect(names).not.toContain('Clinician');
    expect([...translator.contract(NEWEST).resources.keys()]).not.toContain('VisitInVisitsSearch');
  });

  it('answers errors as successes, and successes as errors, to whom they were', async () => {
    const none = await oldest('GET', '/slots/999999');
    expect([none.status, none.data]).toEqual([200, { visit: null }]);
    expect((await call(NEWEST, 'GET', '/slots/vis_999999')).status).toBe(404);
    const next = await oldest('GET', '/slots/next');
    expect([next.status, next.error.code]).toEqual([404, 'not_found']);
    expect((await call(NEWEST, 'GET', '/slots/next')).data).toEqual({ visit: null });
    expect((await oldest('DELETE', '/visits/999999')).status).toBe(204);
    const twice = await oldest('POST', '/visits', { body: { ...written, name: 'Twice' } });
    expect([twice.status, twice.error.code]).toEqual([400, 'taken']);
    const finished = await oldest('PUT', '/visits/000001/finish', { body: { text: 'x', urgent: true, copies: '1' } });
    expect([finished.status, finished.data['state']]).toEqual([202, 'done']);
  });

  it('takes headers, cookies and forms as they were, and ends what ended', async () => {
    const headers = { 'x-ward': 'EAST', cookie: 'theme=dark; show=table' };
    const report = await oldest('GET', '/report', { headers });
    expect([report.data, report.headers['x-state'], report.headers['report-state']]).toEqual([
      { ward: 'east', view: 'table' },
      'WHOLE',
      undefined,
    ]);
    const now = await call(NEWEST, 'GET', '/report', { headers: { ward: 'west', cookie: 'view=list' } });
    expect([now.data, now.headers['report-state']]).toEqual([{ ward: 'west', view: 'list' }, 'whole']);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await oldest('POST', '/visits/000001/messages', { headers: form, body: 'text=Soon%21&copies=2' });
    expect([sent.status, sent.data]).toEqual([200, { was_sent: true, urgent: false }]);
    expect((await oldest('POST', '/visits/000001/messages', { headers: form, body: 'copies=x' })).status).toBe(422);
    expect((await oldest('GET', '/visits/000001/fax')).status).toBe(200);
    const ended = await call(NEWEST, 'GET', '/visits/vis_000001/fax');
    expect([ended.status, ended.error.code]).toEqual([404, 'operation_not_in_version']);
  });

  it('fits what a client may still write, and shows what it can', async () => {
    const note = 'n'.repeat(120);
    const made = await oldest('POST', '/visits', { body: { ...written, note, reminder: {} } });
    expect([made.status, made.data['note'], made.data['reminder']]).toEqual([201, 'n'.repeat(40), { minutes: 60 }]);
    const id = `vis_${made.data['id']}`;
    await call(NEWEST, 'PATCH', `/visits/${id}`, { body: { minutes: 300 } });
    expect((await oldest('GET', `/appointments/${made.data['id']}`)).data['length']).toBe(120);
  });
});
