import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type Answer, sendTo, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { Relay } from '../support/relay.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

/*
 * Core is killed in the middle of writes, and another one is there: some had been carried out when it died, and only
 * their answers were lost; others had not. Real processes and a real SIGKILL.
 */
let database: TestDatabase;
let account: FreshAccount;
let cores: readonly ServiceProcess[];
let relay: Relay;
let gateway: TestGateway;

const versions = ['v2023-10-15', 'v2022-11-15'] as const;
type Version = (typeof versions)[number];
const writes = ['replaced', 'patched with If-Match', 'patched', 'deleted'] as const;
type Write = (typeof writes)[number];
type Fate = 'carried out' | 'not carried out';
const fates: readonly Fate[] = ['carried out', 'not carried out'];

interface Sent {
  readonly id: string;
  answer: Answer | undefined;
}
const sent = new Map<string, Sent>();
const nameOf = (version: Version, write: Write, fate: Fate): string => `${version} ${write} ${fate}`;
const NEW_NAME = 'Amara Eze';

function send(version: Version, write: Write, id: string, etag: string): Promise<Answer> {
  const path = `/${version}/patients/${id}`;
  const common = { key: version === 'v2023-10-15' ? account.apiKey : account.legacyApiKey };
  switch (write) {
    case 'replaced':
      return sendTo(gateway.url, 'PUT', path, { ...common, body: { name: NEW_NAME, dob: '1984-03-07' } });
    case 'patched with If-Match':
      return sendTo(gateway.url, 'PATCH', path, { ...common, headers: { 'if-match': etag }, body: { name: NEW_NAME } });
    case 'patched':
      return sendTo(gateway.url, 'PATCH', path, { ...common, body: { name: NEW_NAME } });
    case 'deleted':
      return sendTo(gateway.url, 'DELETE', path, common);
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  const env = {
    DATABASE_URL: database.url,
    INTERNAL_SECRET: TEST_SECRET,
    DATA_DIR: process.env['PERENNIAL_TEST_DIR'] as string,
    DATABASE_POOL_MAX: '30',
  };
  cores = await Promise.all([startServiceProcess('core/main.ts', env), startServiceProcess('core/main.ts', env)]);
  const [killed] = cores as [ServiceProcess];
  relay = new Relay(() =>
    cores
      .filter((each) => each.isAlive())
      .map(({ port }) => port)
      .slice(0, 1),
  );
  gateway = await startTestGateway(`http://127.0.0.1:${await relay.open()}`, database.url);

  const etags = new Map<string, string>();
  for (const version of versions)
    for (const write of writes)
      for (const fate of fates) {
        const made = await sendTo(gateway.url, 'POST', '/v2023-10-15/patients', {
          key: account.apiKey,
          body: { name: 'Amara Okafor', dob: '1984-03-07' },
        });
        const id = made.data['id'] as string;
        sent.set(nameOf(version, write, fate), { id, answer: undefined });
        etags.set(id, made.headers.etag as string);
      }
  const begin = (fate: Fate): Promise<void>[] =>
    versions.flatMap((version) =>
      writes.map(async (write) => {
        const each = sent.get(nameOf(version, write, fate)) as Sent;
        each.answer = await send(version, write, each.id, etags.get(each.id) as string);
      }),
    );
  const written = versions.length * writes.length;
  relay.withholdAnswers(killed.port);
  const pending = begin('carried out');
  await until(async () => (await database.db.patientChange.count()) === sent.size + written);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const blocked = database.db.$transaction(
    async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE core.patient_changes IN ACCESS EXCLUSIVE MODE`;
      await held;
    },
    { timeout: 80_000 },
  );
  pending.push(...begin('not carried out'));
  await until(async () => {
    const [row] = await database.db.$queryRaw<{ waiting: bigint }[]>`
      SELECT count(*) AS waiting FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
      WHERE c.relname = 'patient_changes' AND NOT l.granted`;
    return Number(row?.waiting) === written;
  });
  await killed.kill();
  release();
  await blocked;
  await Promise.all(pending);
}, 240_000);

afterAll(async () => {
  await gateway.stop();
  await relay.close();
  for (const core of cores) await core.stop();
  await database.close();
});

/** What the patient is in the end, and how often it was written since it was made. */
async function outcomeOf(name: string): Promise<readonly [status: number | undefined, name: string, writes: number]> {
  const { id, answer } = sent.get(name) as Sent;
  const patient = await database.db.patient.findUniqueOrThrow({ where: { id } });
  const changes = await database.db.patientChange.count({ where: { patientId: id } });
  return [answer?.status, patient.deletedAt === null ? patient.name : 'deleted', changes - 1];
}

describe.each(versions)('at %s, a patient that was to be', (version) => {
  test('replaced is replaced, whether core had done it before it died or not', async () => {
    expect(await outcomeOf(nameOf(version, 'replaced', 'not carried out'))).toEqual([200, NEW_NAME, 1]);
    // What changes nothing is written no second time.
    expect(await outcomeOf(nameOf(version, 'replaced', 'carried out'))).toEqual([200, NEW_NAME, 1]);
  });

  test('patched with If-Match is patched once, and the client is told so unless nobody knows', async () => {
    const name = nameOf(version, 'patched with If-Match', 'not carried out');
    expect(await outcomeOf(name)).toEqual([200, NEW_NAME, 1]);
    expect(await outcomeOf(nameOf(version, 'patched with If-Match', 'carried out'))).toEqual([502, NEW_NAME, 1]);
  });

  test('patched without it is sent once: 502', async () => {
    expect(await outcomeOf(nameOf(version, 'patched', 'not carried out'))).toEqual([502, 'Amara Okafor', 0]);
    expect(await outcomeOf(nameOf(version, 'patched', 'carried out'))).toEqual([502, NEW_NAME, 1]);
  });

  test('deleted is deleted, and the client is told so unless nobody knows', async () => {
    expect(await outcomeOf(nameOf(version, 'deleted', 'not carried out'))).toEqual([204, 'deleted', 1]);
    expect(await outcomeOf(nameOf(version, 'deleted', 'carried out'))).toEqual([502, 'deleted', 1]);
  });
});
