import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type Answer, sendTo, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { Relay } from '../support/relay.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

/*
 * The worst moment: core has committed, and is killed before anybody has its answer. Real processes, a real SIGKILL; a
 * second core takes over, as it would behind a load balancer.
 */
let database: TestDatabase;
let account: FreshAccount;
let cores: readonly ServiceProcess[];
let relay: Relay;
let gateway: TestGateway;
/** What the clients heard of the requests that were under way when core was killed. */
let heard: readonly Answer[];

const bodies = {
  'v2023-10-15': { name: 'Amara Okafor', dob: '1984-03-07', sex: 'female', contact_info: { phone: '1' } },
  'v2022-11-15': { name: 'Amara Okafor', dob: '1984-03-07', gender: 'female', contact: { phone: '1' } },
};
type Version = keyof typeof bodies;

/** The version it is sent in, and the one it is sent again in. */
const lost: readonly (readonly [Version, Version])[] = [
  ['v2023-10-15', 'v2023-10-15'],
  ['v2022-11-15', 'v2023-10-15'],
  ['v2023-10-15', 'v2022-11-15'],
];
const UNCOMMITTED = 'killed before it could commit';
const keyOf = (first: Version, second: Version): string => `lost ${first} ${second}`;

function create(version: Version, key: string): Promise<Answer> {
  const headers = { 'idempotency-key': key };
  return sendTo(gateway.url, 'POST', `/${version}/patients`, { key: account.apiKey, headers, body: bodies[version] });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

const isWaiting = async (): Promise<boolean> => {
  const rows = await database.db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return rows.length > 0;
};

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  const env = {
    DATABASE_URL: database.url,
    INTERNAL_SECRET: TEST_SECRET,
    DATA_DIR: process.env['PERENNIAL_TEST_DIR'] as string,
  };
  cores = await Promise.all([startServiceProcess('core/main.ts', env), startServiceProcess('core/main.ts', env)]);
  const [killed] = cores as [ServiceProcess];
  let isReachable = true;
  relay = new Relay(() =>
    cores
      .filter((each) => isReachable && each.isAlive())
      .map(({ port }) => port)
      .slice(0, 1),
  );
  gateway = await startTestGateway(`http://127.0.0.1:${await relay.open()}`, database.url);

  relay.withholdAnswers();
  const pending = lost.map(([first, second]) => create(first, keyOf(first, second)));
  await until(async () => (await database.db.idempotencyRecord.count()) === lost.length);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const blocked = database.db.$transaction(
    async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE core.patient_changes IN ACCESS EXCLUSIVE MODE`;
      await held;
    },
    { timeout: 60_000 },
  );
  pending.push(create('v2023-10-15', UNCOMMITTED));
  await until(isWaiting);
  // The gateway sends them again itself, and reaches nobody.
  isReachable = false;
  await killed.kill();
  relay.letAnswersThrough();
  heard = await Promise.all(pending);
  isReachable = true;
  release();
  await blocked;
}, 240_000);

afterAll(async () => {
  await gateway.stop();
  await relay.close();
  for (const core of cores) await core.stop();
  await database.close();
});

test('no client knows what became of its request, and three of four patients are there', async () => {
  for (const answer of heard) expect([answer.status, answer.error.code]).toEqual([502, 'core_failed']);
  expect(await database.db.patient.count()).toBe(lost.length);
});

test.each(lost)(
  'written at %s and sent again at %s, it gets the stored answer, and no second patient',
  async (...pair) => {
    const [first, second] = pair;
    const before = await database.db.patient.count();
    const again = await create(second, keyOf(first, second));
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect(await database.db.patient.count()).toBe(before);
    const id = again.data['id'] as string;
    expect(await database.db.patient.count({ where: { id } })).toBe(1);
    expect(again.headers.location).toBe(`/${second}/patients/${id}`);
    expect(await database.db.patientChange.count({ where: { patientId: id } })).toBe(1);
  },
);

test('what was not committed is not there, and its key is not locked', async () => {
  const before = await database.db.patient.count();
  const again = await create('v2023-10-15', UNCOMMITTED);
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, undefined]);
  expect(await database.db.patient.count()).toBe(before + 1);
});
