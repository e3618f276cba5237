import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookSecret } from '@perennial/schemas/resources/webhook.ts';
import { type Reaction, type Receiver, startReceiver } from '../../../support/receiver.ts';
import { settle } from '../client.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';
import type { System } from '../system.ts';
import { WriteLoad } from '../write-load.ts';

/** Longer than a killed process takes to be noticed, several times over. */
const SETTLE_MS_MAX = 60_000;
const OUTAGE_MS = 3_000;

/** The gateway, and sometimes core or the database, is killed while clients write and what they write is delivered to a webhook. */
export const scenario: Scenario = {
  name: 'killed-in-delivery',
  what: 'the gateway, core or the database is killed with SIGKILL in the middle of deliveries to a webhook',
  needs: { env: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_MS: '1500' } },
  // A killed process is taken for dead after several seconds; `webhooks-killed.full.test.ts` waits for one.
  isLong: true,
  open: async (system, isShort) => {
    const receiver = await startReceiver();
    const headers = { 'idempotency-key': 'killed-in-delivery' };
    const body = { url: `${receiver.url}/hook` };
    const { answer } = await settle<WebhookSecret>(system, 'POST', '/v2023-04-30/webhooks', { headers, body });
    if (answer.status !== 201) throw new Error(`subscribing was answered ${answer.status}`);
    const { id } = answer.data.subscription;
    return {
      async round(random) {
        const before = { arrivals: receiver.got.length, events: await countOf(system, id) };
        // Slow enough that some deliveries are always under way.
        const delays = Array.from({ length: 2_000 }, () => random.integer(5, 80));
        receiver.react('/hook', ...delays.map(answerAfter));
        const load = new WriteLoad(system);
        load.start(isShort ? 2 : 6, random);
        let kills = 0;
        for (let strike = isShort ? 1 : random.integer(2, 3); strike > 0; strike -= 1) {
          await sleep(random.integer(300, 1_000) + random.next());
          // The last one is always the gateway; the short run has only that.
          await kill(system, strike === 1 ? 'gateway' : random.pick(['gateway', 'core', 'database']), random);
          kills += 1;
        }
        await load.end();
        const { counts, violations } = await load.check();
        const stuck = await settled(system, id);
        const delivered = await check(system, id, receiver);
        return {
          counts: {
            'processes killed': kills,
            ...counts,
            events: delivered.events - before.events,
            arrivals: receiver.got.length - before.arrivals,
          },
          violations: [...violations, ...stuck, ...delivered.violations],
        };
      },
      async close() {
        // Nothing is to be sent to a receiver that is gone.
        await settle(system, 'DELETE', `/v2023-04-30/webhooks/${id}`, {});
        await receiver.stop();
      },
    };
  },
};

async function kill(system: System, what: 'gateway' | 'core' | 'database', random: Random): Promise<void> {
  if (what === 'database') {
    await system.killDatabase();
    await sleep(OUTAGE_MS);
    await system.restartDatabase();
    return;
  }
  await random.pick(system.alive(what)).kill();
  await system.replace(what);
}

function answerAfter(delayMs: number): Reaction {
  return (response) => void setTimeout(() => response.writeHead(204).end(), delayMs);
}

function countOf({ database }: System, subscriptionId: string): Promise<number> {
  return database.webhookDelivery.count({ where: { subscriptionId } });
}

/** Waits until nothing is on its way any more. @returns what is still there when that takes too long. */
async function settled({ database }: System, subscription: string): Promise<readonly string[]> {
  const until = Date.now() + SETTLE_MS_MAX;
  for (;;) {
    const [left] = await database.$queryRaw<{ deliveries: number; jobs: number }[]>`
      SELECT (SELECT count(*) FROM core.webhook_deliveries
          WHERE subscription_id = ${subscription} AND state <> 'delivered')::int AS deliveries,
        (SELECT count(*) FROM pgboss.job
          WHERE name LIKE 'gateway.webhooks%' AND group_id = ${subscription} AND state < 'completed')::int AS jobs`;
    if (left?.deliveries === 0 && left.jobs === 0) return [];
    if (Date.now() > until) return [`${left?.deliveries} deliveries and ${left?.jobs} jobs are stuck`];
    await sleep(50);
  }
}

/** Every event arrived, under one id and with the same bytes every time. */
async function check(
  { database }: System,
  subscriptionId: string,
  receiver: Receiver,
): Promise<{ readonly events: number; readonly violations: readonly string[] }> {
  const bodies = new Map<string, Set<string>>();
  for (const { headers, body } of receiver.got) {
    const id = String(headers['webhook-id']);
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  }
  const sent = await database.webhookDelivery.findMany({ where: { subscriptionId }, select: { eventId: true } });
  const missing = sent.filter(({ eventId }) => !bodies.has(eventId));
  const changed = [...bodies].filter(([, seen]) => seen.size > 1);
  return {
    events: sent.length,
    violations: [
      ...(missing.length === 0 ? [] : [`${missing.length} events never arrived`]),
      ...(changed.length === 0 ? [] : [`${changed.length} events arrived with other bytes`]),
    ],
  };
}
