import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import type { Contract } from '@perennial/schemas/contract.ts';
import type { History } from '@perennial/schemas/history.ts';
import { change } from '@perennial/translators/engine/change.ts';
import { changedError, changedMethod, ended, movedPath, succeeded } from '@perennial/translators/engine/describe.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { baseHead, baseHistory, baseReleases } from '../fixtures/base.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { coreEnvelope, type FakeCore, fakePatient, startFakeCore } from '../support/fake-core.ts';
import { type Answer, startTestGateway, type TestGateway } from '../support/gateway.ts';

/*
 * A release in which an operation ends, one has another path with another name in it, and one another method: over HTTP,
 * to a core that knows only the newest.
 */
const NEW = '2023-10-31';
const history: History = {
  ...baseHistory,
  releases: [{ id: NEW, semver: '2.6.0', released: NEW }, ...baseHistory.releases],
};
const head: Contract = {
  ...baseHead,
  operations: baseHead.operations.map((operation) => {
    if (operation.id === 'patients.get')
      return {
        ...operation,
        path: '/people/{person_id}',
        parameters: operation.parameters.map((each) => (each.in === 'path' ? { ...each, name: 'person_id' } : each)),
      };
    return operation.id === 'patients.restore' ? { ...operation, method: 'PUT' as const } : operation;
  }),
};
const changes = [
  change({
    id: 'tell-missing-patients',
    sentence:
      'Deleting a patient that is not there is 404, where it was 204; reading one has the code that others have.',
    operations: [
      succeeded('patients.delete', 'not_found'),
      changedError('patients.get', { code: 'patient_unknown', status: 400 }, 'not_found'),
    ],
  }),
  change({
    id: 'move-patients',
    sentence: 'A patient is read at `/people/{person_id}`.',
    operations: [movedPath('patients.get', '/patients/{patient_id}', { patient_id: 'person_id' })],
  }),
  change({
    id: 'put-restorations',
    sentence: 'A patient is restored by PUT.',
    operations: [changedMethod('patients.restore', 'POST')],
  }),
  change({
    id: 'end-parsing',
    sentence: 'Texts are no longer parsed by themselves.',
    operations: [ended('diagnostics.parse')],
  }),
];

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
let account: FreshAccount;

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  core = await startFakeCore();
  const translator = createTranslator(head, history, [...baseReleases, { id: NEW, changes }]);
  gateway = await startTestGateway(core.url, database.url, { history, translator });
});
beforeEach(() => {
  core.seen.length = 0;
  core.answer = undefined;
});
afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  gateway.send(method, path, { key: account.apiKey, ...(body === undefined ? {} : { body }) });
const asked = (): readonly string[] => core.seen.map(({ method, url }) => `${method} ${url}`);

test('an operation that has ended is 404 and names the last version that has it; core is not asked', async () => {
  const parse = { patientData: { age: 34, symptoms: ['cough'] } };
  const answer = await call('POST', `/v${NEW}/diagnostics/parse`, parse);
  expect([answer.status, answer.error.code]).toEqual([404, 'operation_not_in_version']);
  expect(answer.error.message).toBe('This operation has ended; v2023-10-15 is the last version that has it.');
  expect(asked()).toEqual([]);
  await call('POST', '/v2023-10-15/diagnostics/parse', parse);
  expect(asked()).toEqual(['POST /diagnostics/parse']);
});

test('a path with another name in it is asked of core under the name that it has there', async () => {
  const older = await call('GET', `/v2022-11-15/patients/${fakePatient.id}`);
  expect([older.status, older.data['gender']]).toEqual([200, 'female']);
  expect((await call('GET', `/v${NEW}/people/${fakePatient.id}`)).data).toEqual(fakePatient);
  expect(asked()).toEqual([`GET /people/${fakePatient.id}`, `GET /people/${fakePatient.id}`]);
  // What moved has not ended: the path is simply not one of this version.
  expect((await call('GET', `/v2022-11-15/people/${fakePatient.id}`)).error.code).toBe('route_unknown');
});

test('another method is asked of core as head has it', async () => {
  await call('POST', `/v2023-10-15/patients/${fakePatient.id}/restore`);
  expect(asked()).toEqual([`PUT /patients/${fakePatient.id}/restore`]);
  expect((await call('POST', `/v${NEW}/patients/${fakePatient.id}/restore`)).status).toBe(405);
});

test('an error that was a success, or another error, is so in its operation and its versions', async () => {
  const error = { code: 'not_found', message: 'No.', details: [], documentation_url: '/errors#not_found' };
  core.answer = (_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json; charset=utf-8' });
    response.end(coreEnvelope('error', error));
  };
  const path = `/patients/${fakePatient.id}`;
  const gone = await call('DELETE', `/v2023-10-15${path}`);
  expect([gone.status, gone.text]).toEqual([204, '']);
  expect((await call('DELETE', `/v${NEW}${path}`)).error.code).toBe('not_found');
  const older = await call('GET', `/v2023-10-15${path}`);
  expect([older.status, older.error.code, older.error.documentation_url]).toEqual([
    400,
    'patient_unknown',
    '/errors#patient_unknown',
  ]);
  expect((await call('GET', `/v${NEW}/people/${fakePatient.id}`)).status).toBe(404);
  expect((await call('POST', `/v2023-10-15${path}/restore`)).error.code).toBe('not_found');
});
