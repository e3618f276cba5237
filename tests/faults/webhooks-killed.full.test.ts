import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WebhookSecret } from '@perennial/schemas/resources/webhook.ts';
import { Webhook } from 'standardwebhooks';
import { type SeededDatabase, seededDatabase } from '../support/database.ts';
import { sendTo } from '../support/gateway.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

/*
 * A gateway in a process of its own, killed (SIGKILL) at the very moment at which a receiver has a delivery and has not
 * answered it. Random moments, core and the database are for `loop/scenarios/killed-in-delivery.ts`.
 */
let database: SeededDatabase;
let receiver: Receiver;
let core: ServiceProcess;
let gateway: ServiceProcess;
let env: Record<string, string>;
let subscription: WebhookSecret;

const VERSION = 'v2023-04-30';

const startGateway = (): Promise<ServiceProcess> =>
  startServiceProcess('gateway/main.ts', { ...env, CORE_URL: core.url });

beforeAll(async () => {
  database = await seededDatabase();
  receiver = await startReceiver();
  env = {
    DATABASE_URL: database.url,
    INTERNAL_SECRET: TEST_SECRET,
    DATA_DIR: process.env['PERENNIAL_TEST_DIR'] as string,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    // A killed process is taken for dead after the times of an attempt.
    WEBHOOK_TIMEOUT_MS: '1500',
  };
  core = await startServiceProcess('core/main.ts', env);
  gateway = await startGateway();
  const body = { url: `${receiver.url}/hook`, kinds: ['patient.created'] };
  subscription = (await post<WebhookSecret>('/webhooks', body)) as WebhookSecret;
}, 240_000);

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await receiver.stop();
  await database.close();
});

/** What was answered, or undefined when nobody was there to answer, or to be asked. */
async function post<T>(path: string, body: object): Promise<T | undefined> {
  const sent = sendTo<T>(gateway.url, 'POST', `/${VERSION}${path}`, { key: database.demo.apiKey, body });
  const answer = await sent.catch(() => undefined);
  return answer?.status === 201 ? answer.data : undefined;
}

const objectOf = ({ body }: Received): string => (JSON.parse(body) as { object_id: string }).object_id;

/** Every delivery has arrived, and the queue is empty. */
async function settled(): Promise<void> {
  for (;;) {
    const [left] = await database.db.$queryRaw<{ count: number }[]>`
      SELECT (
        (SELECT count(*) FROM core.webhook_deliveries WHERE state <> 'delivered')
        + (SELECT count(*) FROM pgboss.job WHERE name LIKE 'gateway.webhooks%' AND state < 'completed')
      )::int AS count`;
    if (left?.count === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('a gateway killed in the middle of a delivery delivers it after its restart, with the same id and bytes', async () => {
  receiver.react('/hook', () => undefined);
  const patient = await post<{ id: string }>('/patients', { name: 'Amara Okafor', dob: '1984-03-07' });
  await receiver.wait('/hook', 1);
  await gateway.kill();
  gateway = await startGateway();
  const [first, second] = (await receiver.wait('/hook', 2)) as [Received, Received];
  expect(objectOf(first)).toBe(patient?.id);
  expect(second.body).toBe(first.body);
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
  new Webhook(subscription.secret as string).verify(second.body, second.headers as Record<string, string>);
  await settled();
}, 240_000);
