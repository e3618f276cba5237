import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { type SeededDatabase, seededDatabase } from '../../support/database.ts';
import { type Answer, type SendOptions, startTestGateway, type TestGateway } from '../../support/gateway.ts';

let database: SeededDatabase;
let core: TestCore;
let gateway: TestGateway;
/** On the day on which the oldest release was Current. */
let early: TestGateway;

beforeAll(async () => {
  database = await seededDatabase();
  core = await startCore(database.url);
  gateway = await startTestGateway(core.url, database.url, { config: { serviceDate: '2023-11-01' } });
  early = await startTestGateway(core.url, database.url, { config: { serviceDate: '2022-06-01' } });
});

afterAll(async () => {
  await early.stop();
  await gateway.stop();
  await core.stop();
  await database.close();
});

interface Version {
  readonly name: string;
  readonly prefix: string;
  readonly sex: string;
  readonly email: string;
  readonly gateway: () => TestGateway;
}

const versions: readonly Version[] = [
  { name: 'the latest', prefix: '/v2023-10-15', sex: 'sex', email: 'contact_info.email', gateway: () => gateway },
  { name: 'the oldest live', prefix: '/v2022-11-15', sex: 'gender', email: 'contact.email', gateway: () => gateway },
  { name: 'the first', prefix: '/v2022-05-01', sex: 'gender', email: 'contact.email', gateway: () => early },
];

describe.each(versions.map((version) => [version.name, version] as const))('at %s version', (_name, version) => {
  const send = (method: string, path: string, options: SendOptions = {}): Promise<Answer> =>
    version.gateway().send(method, `${version.prefix}${path}`, { key: database.demo.legacyApiKey, ...options });
  const key = (): SendOptions => (version.prefix === '/v2023-10-15' ? { key: database.demo.apiKey } : {});
  const call = (method: string, path: string, options: SendOptions = {}): Promise<Answer> => {
    if (version.prefix !== '/v2022-05-01') return send(method, path, { ...key(), ...options });
    // Before 2022-11-15 the key was part of the address.
    const query = `${path.includes('?') ? '&' : '?'}api_key=${database.demo.legacyApiKey}`;
    return version.gateway().send(method, `${version.prefix}${path}${query}`, options);
  };

  test('every record of the demo patient is answered as promised', async () => {
    const { status, data } = await call('GET', `/patients/${database.demo.patientId}/records?limit=100`);
    expect(status).toBe(200);
    const items = data['items'] as JsonObject[];
    expect(items.length).toBeGreaterThan(5);
    expect(new Set(items.map(({ type }) => type)).size).toBeGreaterThanOrEqual(3);
  });

  test('a record is added, corrected, read back and told of', async () => {
    const base = `/patients/${database.demo.patientId}/records`;
    const body = {
      type: 'observation',
      status: 'final',
      code: { system: 'http://loinc.org', code: '4548-4' },
      value: '7.1',
      unit: '%',
    };
    const created = await call('POST', base, { body });
    expect(created.status).toBe(201);
    const path = `${base}/${created.data['id']}`;
    const etag = created.headers.etag ?? '';
    const patch = { type: 'observation', value: '7.2' };
    const corrected = await call('PATCH', path, { body: patch, headers: { 'if-match': etag } });
    expect([corrected.status, corrected.data['value']]).toEqual([200, '7.2']);
    expect((await call('PATCH', path, { body: patch, headers: { 'if-match': etag } })).status).toBe(412);
    const history = (await call('GET', `${path}/history`)).data['items'] as JsonObject[];
    expect(history.map(({ record }) => (record as JsonObject)['value'])).toEqual(['7.2', '7.1']);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
  });

  test('a patient is found without accents, in its own names', async () => {
    const { status, data } = await call('GET', `/patients/search?query=amara+nunez&${version.sex}=female`);
    expect(status).toBe(200);
    const [match] = data['items'] as JsonObject[];
    const patient = match?.['patient'] as JsonObject;
    expect(patient['id']).toBe(database.demo.patientId);
    expect(patient[version.sex]).toBe('female');
    expect(Object.hasOwn(patient, version.sex === 'sex' ? 'gender' : 'sex')).toBe(false);
  });

  test('a patient is deleted, restored and has a history', async () => {
    const created = await call('POST', '/patients', { body: { name: 'Come Back', dob: '1980-01-01' } });
    const path = `/patients/${created.data['id']}`;
    expect((await call('PATCH', path, { body: { [version.sex]: 'male' } })).status).toBe(200);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('POST', `${path}/restore`)).status).toBe(200);
    const { status, data } = await call('GET', `${path}/history`);
    expect(status).toBe(200);
    const items = data['items'] as JsonObject[];
    expect(items.map(({ action }) => action)).toEqual(['restored', 'deleted', 'updated', 'created']);
    expect(items[2]?.['changed_fields']).toEqual([version.sex]);
  });

  test('patients are exported line by line, each in its shape', async () => {
    const { status, headers, text } = await call('GET', `/patients/export?${version.sex}=female`);
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('application/x-ndjson')]);
    const lines = text.trim().split('\n');
    expect(lines.length).toBeGreaterThan(50);
    for (const line of lines) expect((JSON.parse(line) as JsonObject)[version.sex]).toBe('female');
  });

  test(
    version.prefix === '/v2022-05-01' ? 'there are no attachments' : 'a file goes up and comes down whole',
    async () => {
      const base = `/patients/${database.demo.patientId}/records`;
      const note = await call('POST', base, { body: { type: 'note', status: 'final', text: 'x' } });
      const path = `${base}/${note.data['id']}/attachments`;
      if (version.prefix === '/v2022-05-01') {
        const reply = await call('GET', path);
        expect([reply.status, reply.error.code]).toEqual([404, 'operation_not_in_version']);
        return;
      }
      const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(3_000_000)]);
      const body = Buffer.concat([
        Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="Brief für Zoë.pdf"\r\n\r\n'),
        content,
        Buffer.from('\r\n--b--\r\n'),
      ]);
      const headers = { 'content-type': 'multipart/form-data; boundary=b' };
      const created = await call('POST', path, { body, headers });
      expect([created.status, created.data['file_name']]).toEqual([201, 'Brief für Zoë.pdf']);
      const download = `${path}/${created.data['id']}/content`;
      expect((await call('GET', download)).bytes.equals(content)).toBe(true);
      const part = await call('GET', download, { headers: { range: 'bytes=9-18' } });
      expect([part.status, part.bytes.equals(content.subarray(9, 19))]).toEqual([206, true]);
      const unchanged = await call('GET', download, { headers: { 'if-none-match': `"${created.data['sha256']}"` } });
      expect([unchanged.status, unchanged.headers.etag]).toEqual([304, `"${created.data['sha256']}"`]);
    },
  );
});
