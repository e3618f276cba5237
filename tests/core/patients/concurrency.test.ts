import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
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

interface Made {
  readonly path: string;
  readonly tag: string;
}

async function make(): Promise<Made> {
  const body = { name: 'Amara Okafor', dob: '1984-03-07' };
  const { data, headers } = await core.call<Patient>('POST', '/patients', { body });
  return { path: `/patients/${data.id}`, tag: headers.etag ?? '' };
}

const call = (method: string, path: string, options: CallOptions = {}): Promise<Reply<Patient>> =>
  core.call<Patient>(method, path, options);

describe('If-Match compares revisions', () => {
  const writes: [string, unknown, number][] = [
    ['PUT', { name: 'B', dob: '1984-03-07' }, 200],
    ['PATCH', { name: 'B' }, 200],
    ['DELETE', undefined, 204],
  ];
  test.each(writes)(
    '%s goes ahead on the state that was read, and is 412 on any other',
    async (method, body, status) => {
      const { path, tag } = await make();
      await call('PATCH', path, { body: { sex: 'female' } });
      const stale = await call(method, path, { body, headers: { 'if-match': tag } });
      expect([stale.status, stale.error.code]).toEqual([412, 'precondition_failed']);
      expect((await call('GET', path)).data.name).toBe('Amara Okafor');
      const fresh = (await call('GET', path)).headers.etag ?? '';
      expect((await call(method, path, { body, headers: { 'if-match': fresh } })).status).toBe(status);
    },
  );

  test('a tag of the same revision in another representation fits: it was read at another version', async () => {
    const { path } = await make();
    const headers = { 'if-match': 'W/"1.otherVer"' };
    expect((await call('PATCH', path, { body: { name: 'B' }, headers })).status).toBe(200);
  });

  test('* fits whatever is there, one of several tags is enough, and foreign tags never fit', async () => {
    const { path } = await make();
    const patch = (tag: string): Promise<Reply<Patient>> =>
      call('PATCH', path, { body: { sex: 'male' }, headers: { 'if-match': tag } });
    expect((await patch('*')).status).toBe(200);
    expect((await patch('W/"9.aaaaaaaa", W/"2.aaaaaaaa"')).status).toBe(200);
    for (const tag of ['"abc"', '', 'W/"2"', 'W/"02x.a"']) expect((await patch(tag)).status).toBe(412);
  });

  test('a body that is not valid is told before a tag that is stale', async () => {
    const { path } = await make();
    const reply = await call('PATCH', path, { body: { name: 1 }, headers: { 'if-match': 'W/"9.aaaaaaaa"' } });
    expect(reply.status).toBe(422);
  });

  test('reads obey it as well', async () => {
    const { path, tag } = await make();
    expect((await call('GET', path, { headers: { 'if-match': tag } })).status).toBe(200);
    expect((await call('GET', path, { headers: { 'if-match': 'W/"9.aaaaaaaa"' } })).status).toBe(412);
  });
});

describe('If-None-Match needs revision and representation', () => {
  test('the tag of the answer gives 304 without a body, with the tag', async () => {
    const { path, tag } = await make();
    for (const given of [tag, `"abc", ${tag}`, '*', `W/${tag}`]) {
      const reply = await call('GET', path, { headers: { 'if-none-match': given } });
      expect([reply.status, reply.text, reply.headers.etag]).toEqual([304, '', tag]);
    }
    expect((await call('HEAD', path, { headers: { 'if-none-match': tag } })).status).toBe(304);
  });

  test('another representation, or another revision, gives the whole answer', async () => {
    const { path, tag } = await make();
    expect((await call('GET', path, { headers: { 'if-none-match': 'W/"1.otherVer"' } })).status).toBe(200);
    await call('PATCH', path, { body: { name: 'B' } });
    expect((await call('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  test('a write is refused when it fits (RFC 9110, section 13.2.2)', async () => {
    const { path, tag } = await make();
    const body = { name: 'B' };
    expect((await call('PATCH', path, { body, headers: { 'if-none-match': '*' } })).status).toBe(412);
    expect((await call('PATCH', path, { body, headers: { 'if-none-match': tag } })).status).toBe(412);
    expect((await call('PATCH', path, { body, headers: { 'if-none-match': 'W/"7.aaaaaaaa"' } })).status).toBe(200);
  });
});

describe('concurrent writes', () => {
  test('without If-Match, patches of different fields are all kept', async () => {
    const { path } = await make();
    const patches = [
      { name: 'Zoë' },
      { dob: '1999-09-09' },
      { sex: 'female' },
      { gender_identity: 'woman' },
      { contact_info: { email: 'z@example.org' } },
      { contact_info: { phone: '123' } },
      { contact_info: { preferred_method: 'sms' } },
    ];
    const replies = await Promise.all(patches.map((body) => call('PATCH', path, { body })));
    expect(replies.map(({ status }) => status)).toEqual(patches.map(() => 200));
    const { data, headers } = await call('GET', path);
    expect(data).toMatchObject({
      name: 'Zoë',
      dob: '1999-09-09',
      sex: 'female',
      gender_identity: 'woman',
      contact_info: { email: 'z@example.org', phone: '123', preferred_method: 'sms' },
    });
    expect(headers.etag).toContain('"8.');
  });

  test('forty writers of one patient all succeed, each with a revision of its own', async () => {
    const { path } = await make();
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => call('PATCH', path, { body: { gender_identity: `g${index}` } })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ headers }) => headers.etag)).size).toBe(40);
    expect((await call('GET', path)).headers.etag).toContain('"41.');
  });

  test('with the same If-Match, exactly one succeeds and the others are told', async () => {
    const { path, tag } = await make();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        call('PATCH', path, { body: { gender_identity: `g${index}` }, headers: { 'if-match': tag } }),
      ),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
    const winner = replies.find(({ status }) => status === 200);
    expect((await call('GET', path)).data).toEqual(winner?.data);
  });

  test('a write never brings back what was deleted at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { path } = await make();
      const [patched, deleted] = await Promise.all([
        call('PATCH', path, { body: { name: 'B' } }),
        call('DELETE', path),
      ]);
      expect(deleted.status).toBe(204);
      expect([200, 404]).toContain(patched.status);
      expect((await call('GET', path)).status).toBe(404);
    }
  });
});
