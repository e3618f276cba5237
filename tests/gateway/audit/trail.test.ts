import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auditKeys } from '@perennial/gateway/audit/keys.ts';
import { verifyChain, verifyChains } from '@perennial/gateway/audit/verify.ts';
import { createAccount, createKey, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { answerPatient, type FakeCore, fakePatient, startFakeCore } from '../../support/fake-core.ts';
import { type Answer, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { TEST_AUDIT_KEY } from '../../support/secret.ts';

const keys = auditKeys([TEST_AUDIT_KEY]);

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
let account: FreshAccount;
const path = `/patients/${fakePatient.id}`;
const current = `/v2023-10-15${path}`;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startFakeCore();
  gateway = await startTestGateway(core.url, database.url);
});

beforeEach(async () => {
  account = await createAccount(database.db);
  core.answer = undefined;
  core.seen.length = 0;
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

interface Entry {
  readonly requestId: string;
  readonly operation: string;
  readonly resourceIds: readonly string[];
  readonly status: number;
}

/** The id that the gateway gave the request; the fake core writes its own into every envelope. */
function idOf({ headers }: Answer): string {
  return String(headers['x-request-id']);
}

/** The account's entries once there are as many as expected. More would be seen as well. */
async function entries(count: number, accountId = account.accountId): Promise<readonly Entry[]> {
  for (let tries = 0; ; tries += 1) {
    const found = await database.db.auditEntry.findMany({
      where: { accountId },
      orderBy: { seq: 'asc' },
      select: { requestId: true, operation: true, resourceIds: true, status: true },
    });
    if (found.length >= count || tries === 100) {
      expect(found).toHaveLength(count);
      return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('every access to patient data is on record', () => {
  test('a read, with who, what and how it ended, in every version', async () => {
    const first = await gateway.send('GET', current, { key: account.apiKey });
    const second = await gateway.send('GET', `/v2022-11-15${path}`, { key: account.apiKey });
    const head = await gateway.send('HEAD', current, { key: account.apiKey });
    const found = await entries(3);
    const expected = { operation: 'patients.get', resourceIds: [fakePatient.id], status: 200 };
    expect(found).toEqual([
      { requestId: idOf(first), ...expected },
      { requestId: idOf(second), ...expected },
      { requestId: idOf(head), ...expected },
    ]);
    const [row] = await database.db.auditEntry.findMany({ where: { accountId: account.accountId }, take: 1 });
    const keys = await database.db.apiKey.findMany({ where: { accountId: account.accountId, format: 'current' } });
    expect(keys.map(({ id }) => id)).toContain(row?.keyId);
    expect(Math.abs(Date.now() - (row?.at.getTime() ?? 0))).toBeLessThan(5_000);
  });

  test('a write, before core is asked and again with its outcome', async () => {
    let before: readonly Entry[] = [];
    core.answer = async (request, response) => {
      before = await entries(1);
      answerPatient(request, response);
    };
    const answer = await gateway.send('PATCH', current, { key: account.apiKey, body: { name: 'Zoë' } });
    expect(answer.status).toBe(200);
    const entry = { requestId: idOf(answer), operation: 'patients.update', resourceIds: [fakePatient.id] };
    expect(before).toEqual([{ ...entry, status: 0 }]);
    expect(await entries(2)).toEqual([
      { ...entry, status: 0 },
      { ...entry, status: 200 },
    ]);
  });

  test.each(['2023-10-15', '2023-04-30', '2022-11-15'])(
    'whoever a list shows, as core says, and the client is not told how (%s)',
    async (version) => {
      const shown = ['pat_00000000000000000001', 'pat_00000000000000000002'];
      core.answer = (_request, response) => {
        const page = { items: [], next_cursor: null, has_more: false, total: 0 };
        response.writeHead(200, { 'content-type': 'application/json', 'x-perennial-subjects': shown.join(',') });
        response.end(
          `{"requestId":"r","timestamp":"t","meta":{"processingTimeMs":1,"version":"2.5.0"},"data":${JSON.stringify(page)}}`,
        );
      };
      const answer = await gateway.send('GET', `/v${version}/patients`, { key: account.apiKey });
      expect(answer.status).toBe(200);
      expect(answer.headers['x-perennial-subjects']).toBeUndefined();
      expect(await entries(1)).toEqual([
        { requestId: idOf(answer), operation: 'patients.list', resourceIds: shown, status: 200 },
      ]);
    },
  );

  test('what a create created', async () => {
    core.answer = (_request, response) => {
      const body = `{"requestId":"r","timestamp":"t","meta":{"processingTimeMs":1,"version":"2.5.0"},"data":${JSON.stringify(fakePatient)}}`;
      response.writeHead(201, { 'content-type': 'application/json', location: path });
      response.end(body);
    };
    await gateway.send('POST', '/v2023-10-15/patients', {
      key: account.apiKey,
      body: { name: 'Z', dob: '1984-03-07' },
    });
    expect((await entries(2))[1]).toMatchObject({
      operation: 'patients.create',
      resourceIds: [fakePatient.id],
      status: 201,
    });
  });

  test('what core refused, and core’s failures', async () => {
    core.answer = (_request, response) => {
      response.destroy();
    };
    await gateway.send('GET', current, { key: account.apiKey });
    expect(await entries(1)).toMatchObject([{ status: 502 }]);
  });

  test('what was refused after authentication: scope, place of the key, sunset of a pin', async () => {
    const { accountId } = account;
    const narrow = await createKey(database.db, {
      accountId,
      format: 'current',
      mode: 'test',
      scopes: ['knowledge:read'],
    });
    const scope = await gateway.send('GET', current, { key: narrow });
    const place = await gateway.send('GET', `${current}?api_key=${account.apiKey}`);
    await database.db.account.update({ where: { id: accountId }, data: { pinnedRelease: '2022-05-01' } });
    const again = await createKey(database.db, {
      accountId,
      format: 'current',
      mode: 'test',
      scopes: ['patients:read'],
    });
    const pin = await gateway.send('GET', path, { key: again });
    expect([scope.status, place.status, pin.status]).toEqual([403, 401, 410]);
    const expected = { operation: 'patients.get', resourceIds: [fakePatient.id] };
    expect(await entries(3)).toEqual([
      { requestId: idOf(scope), ...expected, status: 403 },
      { requestId: idOf(place), ...expected, status: 401 },
      { requestId: idOf(pin), ...expected, status: 410 },
    ]);
  });

  test('a client that leaves before its answer, as 499', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    core.answer = () => held;
    const leaving = new AbortController();
    const asked = fetch(`${gateway.url}${current}`, {
      headers: { authorization: `Bearer ${account.apiKey}` },
      signal: leaving.signal,
    }).catch(() => undefined);
    while (core.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    leaving.abort();
    await asked;
    expect(await entries(1)).toMatchObject([{ status: 499 }]);
    release();
  });
});

describe('where an access came from is on record', () => {
  test('the address, what the client calls itself and its purpose; nothing where it says nothing', async () => {
    await gateway.send('GET', current, {
      key: account.apiKey,
      headers: { 'x-service-client': 'ward-dashboard/3.1', 'x-purpose-of-use': 'ETREAT' },
    });
    await gateway.send('PATCH', current, { key: account.apiKey, body: { name: 'Z' } });
    await entries(3);
    const found = await database.db.auditEntry.findMany({
      where: { accountId: account.accountId },
      orderBy: { seq: 'asc' },
      select: { address: true, client: true, purpose: true },
    });
    const nothing = { address: '127.0.0.1', client: null, purpose: null };
    expect(found).toEqual([
      { address: '127.0.0.1', client: 'ward-dashboard/3.1', purpose: 'ETREAT' },
      nothing,
      nothing,
    ]);
  });

  test.each(['because I want to', 'treat', '', 'TREAT,TREAT'])(
    'a purpose that is none (%j) is 422, and on record as refused',
    async (purpose) => {
      const answer = await gateway.send('GET', current, {
        key: account.apiKey,
        headers: { 'x-purpose-of-use': purpose },
      });
      expect(answer).toMatchObject({
        status: 422,
        error: { code: 'validation_failed', details: [{ code: 'not_allowed_value', header: 'X-Purpose-Of-Use' }] },
      });
      expect(core.seen).toHaveLength(0);
      expect(await entries(1)).toMatchObject([{ operation: 'patients.get', status: 422 }]);
    },
  );

  test('what an operator looks at, and who tried and was no operator', async () => {
    const operator = await createAccount(database.db, { operator: true });
    const admin = (path: string, key: string): Promise<Answer> => gateway.send('GET', path, { key });
    await admin(`/admin/upgrade?account=${account.accountId}&to=2023-10-15`, operator.adminKey);
    await admin('/admin/upgrade?account=Zoe%20Smith&to=2023-10-15', operator.adminKey);
    await admin('/admin/usage?version=2023-10-15', operator.adminKey);
    await admin('/admin/retirement/?version=2023-10-15', account.adminKey);
    expect(await entries(3, operator.accountId)).toMatchObject([
      { operation: 'admin.upgrade', resourceIds: [account.accountId], status: 200 },
      { operation: 'admin.upgrade', resourceIds: ['?'], status: 404 },
      { operation: 'admin.usage', resourceIds: [], status: 200 },
    ]);
    expect(await entries(1)).toMatchObject([{ operation: 'admin.retirement', status: 403 }]);
  });
});

describe('nothing else is on record', () => {
  test('what is not about patients, or has no account', async () => {
    await gateway.send('GET', current);
    await gateway.send('GET', current, { key: 'hai_test_nobody' });
    await gateway.send('GET', '/v2023-10-15/nothing', { key: account.apiKey });
    await gateway.send('GET', '/versions', { key: account.apiKey });
    await gateway.send('GET', current, { key: account.apiKey });
    await entries(1);
  });

  test('no key, query value or body, not even as a path parameter; not a name written as one', async () => {
    const other = await createAccount(database.db);
    await gateway.send('GET', `/v2023-10-15/patients/${other.apiKey}?secret=query`, { key: account.apiKey });
    await gateway.send('GET', '/v2023-10-15/patients/Zo%C3%AB%20%00', { key: account.apiKey });
    // As good as any identifier to look at, and a name, a birthday and a number all the same.
    for (const text of ['Zoe.Smith', 'Zoe_Smith_1961-03-07', '19610307', '1.2.1961', '078-05-1120', 'zoe_smith', 'a:b'])
      await gateway.send('GET', `/v2023-10-15/patients/${text}`, { key: account.apiKey });
    await gateway.send('PUT', current, { key: account.apiKey, body: { name: 'Secret Name', dob: '1984-03-07' } });
    expect((await entries(11)).map(({ resourceIds }) => resourceIds[0])).toEqual([
      ...Array.from({ length: 9 }, () => '?'),
      fakePatient.id,
      fakePatient.id,
    ]);
    const text = JSON.stringify(
      await database.db.auditEntry.findMany({ where: { accountId: account.accountId }, omit: { seq: true } }),
    );
    for (const secret of [account.apiKey, other.apiKey, 'secret=', 'Secret Name', 'Zo%', 'Zoë', 'Smith'])
      expect(text).not.toContain(secret);
  });
});

describe('the chain of an account', () => {
  test('is one, in the order of seq, however many requests and gateways write it', async () => {
    const second = await startTestGateway(core.url, database.url);
    const other = await createAccount(database.db);
    try {
      const asked = Array.from({ length: 120 }, (_, index) =>
        (index % 2 === 0 ? gateway : second).send(index % 5 === 0 ? 'PATCH' : 'GET', current, {
          key: (index % 3 === 0 ? other : account).apiKey,
          ...(index % 5 === 0 ? { body: { name: 'Z' } } : {}),
        }),
      );
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200]));
    } finally {
      // Stopping writes what is left.
      await second.stop();
    }
    await entries(80 + 16);
    await entries(40 + 8, other.accountId);
    for (const each of [account, other])
      expect(await verifyChain(database.db, keys, each.accountId)).toMatchObject({ broken: undefined });
  });

  test.each([
    ['an altered entry', 'altered', 'UPDATE edge.audit_entries SET status = 404 WHERE seq = $seq'],
    ['an altered resource', 'altered', "UPDATE edge.audit_entries SET resource_ids = '{pat_other}' WHERE seq = $seq"],
    [
      'an entry given to another time',
      'altered',
      "UPDATE edge.audit_entries SET at = at + interval '1 ms' WHERE seq = $seq",
    ],
    ['a removed entry', 'misplaced', 'DELETE FROM edge.audit_entries WHERE seq = $seq'],
    ['an entry moved to the end', 'misplaced', 'UPDATE edge.audit_entries SET seq = seq + 1000000 WHERE seq = $seq'],
  ])('shows %s, and which entry is the first that does not hold', async (_name, fault, statement) => {
    for (let index = 0; index < 6; index += 1) await gateway.send('GET', current, { key: account.apiKey });
    await entries(6);
    const rows = await database.db.auditEntry.findMany({
      where: { accountId: account.accountId },
      orderBy: { seq: 'asc' },
    });
    const target = rows[2]?.seq ?? 0n;
    await database.db.$executeRawUnsafe(statement.replace('$seq', String(target)));
    const report = await verifyChain(database.db, keys, account.accountId);
    const first = fault === 'altered' ? rows[2] : rows[3];
    expect(report).toMatchObject({ entries: 3, broken: { fault, entry: { requestId: first?.requestId } } });
    const all = [];
    for await (const each of verifyChains(database.db, keys)) all.push(each);
    expect(all.filter(({ accountId }) => accountId === account.accountId)).toHaveLength(1);
    expect(all.find(({ accountId }) => accountId === account.accountId)?.broken).toBeDefined();
    await database.db.auditEntry.deleteMany({ where: { accountId: account.accountId } });
  });

  test('cannot fork: the database refuses a second entry after the same one', async () => {
    await gateway.send('GET', current, { key: account.apiKey });
    await entries(1);
    const row = await database.db.auditEntry.findFirstOrThrow({ where: { accountId: account.accountId } });
    const { seq: _seq, ...fork } = { ...row, hash: 'f'.repeat(64) };
    await expect(database.db.auditEntry.create({ data: fork })).rejects.toThrow();
  });
});

test('stopping writes every entry before the database is left', async () => {
  const brief = await startTestGateway(core.url, database.url);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => brief.send('GET', current, { key: account.apiKey })),
  );
  await brief.stop();
  const found = await database.db.auditEntry.findMany({ where: { accountId: account.accountId } });
  expect(found.map(({ requestId }) => requestId).sort()).toEqual(answers.map(idOf).sort());
});
