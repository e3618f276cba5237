import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import { resolveRef } from '@perennial/schemas/variants.ts';
import fc from 'fast-check';
import { valuesOf } from '../../support/arbitrary.ts';
import { type CallOptions, type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let core: TestCore;
/** Identifiers of things that another account has, by the name of the path parameter. */
const foreign: Record<string, string> = {};
/** Where each of them is read by the account that has them. */
let owned: readonly string[] = [];

const owner = { accountId: 'acc_owner' };
const BOUNDARY = 'x-perennial-test';
const upload = Buffer.from(
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n` +
    `Content-Type: text/plain\r\n\r\nsecret\r\n--${BOUNDARY}--\r\n`,
);
const multipart = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/** Bodies that are valid, so that a refusal is of the object and not of the body. */
const bodies: Readonly<Record<string, unknown>> = {
  'Patient.replace': { name: 'Mallory', dob: '1984-03-07' },
  'Patient.patch': { name: 'Mallory' },
  'MedicalRecord.create': { type: 'note', status: 'final', text: 'x' },
  'MedicalRecord.replace': { type: 'note', status: 'final', text: 'x' },
  'MedicalRecord.patch': { type: 'note', text: 'x' },
  'Attachment.patch': { description: 'x' },
};

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
  const make = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<string> => {
    const { status, data } = await core.call<{ id: string }>('POST', path, { body, headers, caller: owner });
    expect([path, status]).toEqual([path, 201]);
    return data.id;
  };
  foreign['patient_id'] = await make('/patients', { name: 'Own', dob: '1984-03-07' });
  const patient = `/patients/${foreign['patient_id']}`;
  foreign['record_id'] = await make(`${patient}/records`, { type: 'note', status: 'final', text: 'secret' });
  const record = `${patient}/records/${foreign['record_id']}`;
  foreign['attachment_id'] = await make(`${record}/attachments`, upload, multipart);
  owned = [patient, record, `${record}/attachments/${foreign['attachment_id']}`];
});

afterAll(async () => {
  await core.stop();
  await database.close();
});

const names = (operation: Operation): readonly string[] =>
  operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name);

const crawled = head.operations.filter((operation) =>
  names(operation).some((name) => /^(patient|record|att)/.test(name)),
);

/** Everything a caller can compare, without what differs between any two requests. */
const bare = ({ status, text, headers }: Reply<unknown>): readonly unknown[] => [
  status,
  text.replace(/"requestId":"[^"]+","timestamp":"[^"]+","meta":\{"processingTimeMs":\d+/, ''),
  { ...headers, 'x-request-id': '', date: '', 'content-length': '' },
];

describe('another account’s identifiers are exactly as missing as ones that never were', () => {
  test('every operation on patients, records and attachments is crawled', () => {
    expect(crawled.length).toBeGreaterThanOrEqual(19);
  });

  test.each(crawled.map((operation) => [operation.id, operation] as const))('%s', async (_id, operation) => {
    const ref = operation.body?.ref;
    const isUpload = operation.body?.mediaType === 'multipart/form-data';
    const sample = ref === undefined || isUpload ? undefined : resolveRef(head.resources, ref);
    const body = isUpload
      ? upload
      : ref === undefined
        ? undefined
        : (bodies[ref] ?? (sample && fc.sample(valuesOf(head.resources, sample), { numRuns: 1, seed: 1 })[0]));
    const ask = (ids: Readonly<Record<string, string>>, more: Record<string, string> = {}): Promise<Reply<unknown>> => {
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] as string);
      const headers = { ...(isUpload ? multipart : {}), ...more };
      return core.call(operation.method, path, { body, headers } satisfies CallOptions);
    };
    const parameters = names(operation);
    const never = Object.fromEntries(
      parameters.map((name) => [name, (foreign[name] ?? 'xxx_neverWas').replace(/_.*/, '_neverWasHere00000000')]),
    );
    const missing = bare(await ask(never));
    expect(missing[0]).toBe(404);
    // Each part of the path alone, and all of it: a thing of one's own account is no way into another's.
    const mine = await core.call<{ id: string }>('POST', '/patients', { body: { name: 'Mine', dob: '1984-03-07' } });
    const mixes = [
      Object.fromEntries(parameters.map((name) => [name, foreign[name] as string])),
      Object.fromEntries(
        parameters.map((name) => [
          name,
          name === 'patient_id' && parameters.length > 1 ? mine.data.id : (foreign[name] as string),
        ]),
      ),
    ];
    for (const ids of mixes) {
      for (const headers of [{}, { 'if-match': '*' }, { 'if-match': 'W/"1.abcdefgh"' }, { 'if-none-match': '*' }]) {
        expect(bare(await ask(ids, headers as Record<string, string>))).toEqual(missing);
      }
    }
  });

  test('and nothing of them was changed by the asking', async () => {
    for (const path of owned) {
      const { status, headers } = await core.call('GET', path, { caller: owner });
      expect([path, status, headers.etag?.slice(0, 3)]).toEqual([path, 200, '"1.']);
    }
  });

  test('lists, searches and exports hold nothing of another account', async () => {
    const whole = head.operations.filter(
      ({ method, path, id }) => method === 'GET' && !path.includes('{') && /^(patients|records)\./.test(id),
    );
    expect(whole.length).toBeGreaterThanOrEqual(6);
    for (const { id, path } of whole) {
      const { status, text } = await core.call('GET', id === 'patients.search' ? `${path}?query=own` : path);
      expect([id, status]).toEqual([id, 200]);
      for (const secret of [...Object.values(foreign), 'secret', '"Own"']) expect(text).not.toContain(secret);
    }
  });
});
