import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { keepsAnswer, takesIdempotencyKey } from '@perennial/schemas/idempotency.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { OpenApiDocument } from '@perennial/translators/contract/document.ts';
import { change, type ReleaseChanges } from '@perennial/translators/engine/change.ts';
import { relate } from '@perennial/translators/engine/describe.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import Type from 'typebox';
import { historyWithPreview, releasesWithPreview } from '../../fixtures/release-2024-04-01/changes.ts';
import { headOf20240401 } from '../../fixtures/release-2024-04-01/head.ts';
import { coreEnvelope, fakePatient, startFakeCore } from '../../support/fake-core.ts';
import { type Answer, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { startWorld, type World } from '../world.ts';

/*
 * A key means the same write in every version, and what was answered first is read in the version it is asked for in.
 */
let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

let keys = 0;
const newKey = (): string => `versions-${++keys}`;
const patients = (): Promise<number> => world.database.db.patient.count();

/** The same patient as each version writes it. */
const written: Readonly<Record<string, JsonObject>> = {
  '2023-10-15': { name: 'Zoë Ångström', dob: '1984-03-07', sex: 'female', contact_info: { email: 'z@example.org' } },
  '2023-04-30': { contact_info: { email: 'z@example.org' }, sex: 'female', dob: '1984-03-07', name: 'Zoë Ångström' },
  '2022-11-15': { name: 'Zoë Ångström', dob: '1984-03-07', gender: 'female', contact: { email: 'z@example.org' } },
};
const versions = Object.keys(written);

function create(
  version: string,
  key: string,
  body = written[version],
  at: TestGateway = world.gateway,
): Promise<Answer> {
  const headers = { 'idempotency-key': key };
  return at.send('POST', `/v${version}/patients`, { key: world.demo.apiKey, headers, body });
}

/** The release with one change more, which takes names of patients up and throws on the way down. */
function withMistake(release: ReleaseChanges): ReleaseChanges {
  if (release.id !== '2023-10-15') return release;
  const mistake = change({
    id: 'mistake-names',
    sentence: 'Names of patients are written otherwise.',
    resources: [
      {
        resource: 'Patient',
        edits: [
          relate({
            older: [{ path: 'name', schema: Type.String({ minLength: 1, maxLength: 200, description: 'Name.' }) }],
            newer: ['name'],
            up: (names) => names,
            down: () => {
              throw new Error('a mistake');
            },
          }),
        ],
      },
    ],
  });
  return { ...release, changes: [...release.changes, mistake] };
}

const isReplayed = ({ headers }: Answer): boolean => headers['idempotency-replayed'] === 'true';

describe('the same write with one key', () => {
  test.each(versions)('written first at %s is made once, and read in every version', async (first) => {
    const key = newKey();
    const before = await patients();
    const made = await create(first, key);
    expect([made.status, isReplayed(made)]).toEqual([201, false]);
    const id = made.data['id'] as string;
    for (const version of versions) {
      const again = await create(version, `"${key}"`);
      expect([again.status, isReplayed(again)]).toEqual([201, true]);
      expect(again.headers['service-version']).toBe(version);
      expect(again.headers.location).toBe(`/v${version}/patients/${id}`);
      const read = await world.gateway.send('GET', `/v${version}/patients/${id}`, { key: world.demo.apiKey });
      expect(again.data).toEqual(read.data);
      expect(again.headers.etag).toBe(read.headers.etag);
      expect(again.meta.version).toBe(read.meta.version);
    }
    expect(await patients()).toBe(before + 1);
  });

  test('sent twenty times at once in all versions makes one patient', async () => {
    const key = newKey();
    const before = await patients();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create(versions[index % versions.length] as string, key)),
    );
    expect(await patients()).toBe(before + 1);
    const made = answers.filter(({ status }) => status === 201);
    expect(made.filter((answer) => !isReplayed(answer))).toHaveLength(1);
    expect(new Set(made.map(({ data }) => data['id'])).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect([answer.status, answer.error.code]).toEqual([409, 'idempotency_in_flight']);
      expect(answer.headers['retry-after']).toBe('1');
    }
  });

  test.each(versions)('but another body is 422 at %s', async (version) => {
    const key = newKey();
    await create('2023-10-15', key);
    const other = await create(version, key, { ...written[version], name: 'Somebody Else' });
    expect([other.status, other.error.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test.each(versions)('a key that is none is 400 at %s, and the header is named', async (version) => {
    const answer = await create(version, '"never closed');
    expect([answer.status, answer.error.code]).toEqual([400, 'idempotency_key_invalid']);
    expect(answer.error.details).toMatchObject([{ code: 'wrong_format', header: 'Idempotency-Key' }]);
  });

  test.each(versions)('a key that was sent twice is 400 at %s', async (version) => {
    const before = await patients();
    const headers = { 'idempotency-key': ['one', 'two'] };
    const sent = { key: world.demo.apiKey, headers, body: written[version] };
    const answer = await world.gateway.send('POST', `/v${version}/patients`, sent);
    expect([answer.status, answer.error.code]).toEqual([400, 'idempotency_key_invalid']);
    expect(await patients()).toBe(before);
  });

  test.each(versions)('refused at %s it is not kept', async (version) => {
    const key = newKey();
    expect((await create(version, key, { ...written[version], dob: 'yesterday' })).status).toBe(422);
    const mended = await create(version, key);
    expect([mended.status, isReplayed(mended)]).toEqual([201, false]);
  });
});

describe('when a write was carried out but its answer could not be translated', () => {
  test('it says so, and is safe to send again with its key: in the same version and in one that can be read', async () => {
    const broken = await startTestGateway(world.core.url, world.database.url, {
      translator: createTranslator(head, history, releases.map(withMistake)),
    });
    try {
      const key = newKey();
      const before = await patients();
      const first = await create('2022-11-15', key, written['2022-11-15'], broken);
      expect(first.status).toBe(500);
      expect(first.error).toMatchObject({ code: 'translation_failed', committed: true });
      const second = await create('2022-11-15', key, written['2022-11-15'], broken);
      expect(second.error).toMatchObject({ committed: true, resource_id: first.error['resource_id'] });
      // The same client, once the change is mended; and at head, where nothing has to be translated.
      const mended = await create('2022-11-15', key);
      expect([mended.status, isReplayed(mended)]).toEqual([201, true]);
      expect(mended.data['id']).toBe(first.error['resource_id']);
      expect((await create('2023-10-15', key, written['2023-10-15'], broken)).data['id']).toBe(mended.data['id']);
      expect(await patients()).toBe(before + 1);
    } finally {
      await broken.stop();
    }
  });
});

describe('an answer that was kept before a new release became head', () => {
  const ofOldHead = (headers: JsonObject = {}): JsonObject => ({
    'content-type': 'application/json; charset=utf-8',
    'idempotency-replayed': 'true',
    'perennial-head-release': '2023-10-15',
    ...headers,
  });

  test('is translated from the release it was written at; a version that came later is told that it was done', async () => {
    const core = await startFakeCore();
    const translator = createTranslator(headOf20240401, historyWithPreview, releasesWithPreview);
    const gateway = await startTestGateway(core.url, world.database.url, { history: historyWithPreview, translator });
    core.answer = (_request, response) => {
      response.writeHead(201, ofOldHead() as Record<string, string>);
      response.end(coreEnvelope('data', fakePatient));
    };
    try {
      const key = newKey();
      const old = await create('2022-11-15', key, written['2022-11-15'], gateway);
      expect([old.status, isReplayed(old)]).toEqual([201, true]);
      expect(old.data).toEqual({
        id: fakePatient.id,
        name: fakePatient.name,
        dob: fakePatient.dob,
        gender: 'female',
        contact: { email: fakePatient.contact_info.email, phone: fakePatient.contact_info.phone },
        created_at: fakePatient.created_at,
        updated_at: fakePatient.updated_at,
      });
      const same = await create('2023-10-15', key, written['2023-10-15'], gateway);
      expect([same.status, same.data]).toEqual([201, fakePatient]);
      expect(same.headers['perennial-head-release']).toBeUndefined();
      const preview = { given_name: 'Zoë', family_name: 'Ångström', birth_date: '1984-03-07' };
      const sent = { key: world.demo.apiKey, headers: { 'idempotency-key': key }, body: preview };
      const later = await gateway.send('POST', '/preview/2024-04-01/patients', sent);
      expect(later.status).toBe(500);
      expect(later.error).toMatchObject({ code: 'translation_failed', committed: true });
    } finally {
      await gateway.stop();
      await core.stop();
    }
  });

  test('is passed on as it is where the resource has not changed since', async () => {
    const key = newKey();
    const send = (version: string): Promise<Answer> =>
      world.gateway.send('POST', `/v${version}/medications/resolve`, {
        key: world.demo.apiKey,
        headers: { 'idempotency-key': key },
        body: { medications: [{ name: 'warfarin' }] },
      });
    const first = await send('2023-10-15');
    await world.database.db.idempotencyRecord.updateMany({ where: { key }, data: { headRelease: '2022-11-15' } });
    for (const version of versions) {
      const again = await send(version);
      expect([again.status, isReplayed(again), again.data]).toEqual([200, true, first.data]);
    }
  });
});

describe('the contract of every version', () => {
  test.each(versions)('%s declares the key, what it can end with and the mark on every POST', async (version) => {
    const { text } = await world.gateway.send('GET', `/openapi/v${version}.json`);
    const document = JSON.parse(text) as OpenApiDocument;
    const posts = Object.values(document.paths).flatMap(({ post }) => (post ? [post] : []));
    expect(posts.length).toBeGreaterThan(5);
    for (const post of posts) {
      const operation = head.operations.find(({ id }) => id === post.operationId);
      expect(operation && takesIdempotencyKey(operation)).toBe(true);
      expect(post.parameters).toContainEqual(expect.objectContaining({ name: 'Idempotency-Key', in: 'header' }));
      const references = Object.values(post.responses).map((response) => ('$ref' in response ? response.$ref : ''));
      for (const code of ['key_invalid', 'in_flight', 'answer_erased', 'key_reused'])
        expect(references.some((each) => each.includes(`idempotency_${code}`))).toBe(true);
      const success = post.responses[String(operation?.response.status)];
      const declared = success !== undefined && 'headers' in success ? Object.keys(success.headers ?? {}) : [];
      expect(declared.includes('Idempotency-Replayed')).toBe(operation !== undefined && keepsAnswer(operation));
    }
    for (const { get } of Object.values(document.paths))
      expect((get?.parameters ?? []).map(({ name }) => name)).not.toContain('Idempotency-Key');
  });
});
