import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookSecret } from '@perennial/schemas/resources/webhook.ts';
import { Webhook } from 'standardwebhooks';
import { type Reaction, type Received, startReceiver } from '../../../support/receiver.ts';
import { settle } from '../client.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';
import type { System } from '../system.ts';
import { WriteLoad } from '../write-load.ts';

const WAIT_MS_MAX = 180_000;
/** More than any round needs. */
const REACTIONS = 20_000;

/** Gateways are killed while they deliver webhooks, and others deliver what was left. */
export const scenario: Scenario = {
  name: 'gateway-killed-in-delivery',
  what: 'the gateway is killed with SIGKILL in the middle of deliveries',
  needs: { gateways: 2, env: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_MS: '1000' } },
  // What a dead gateway had taken is given to another when its lease ends, which takes a quarter of a minute.
  isLong: true,
  open: async (system) => {
    const receiver = await startReceiver();
    const { answer } = await settle<WebhookSecret>(system, 'POST', '/v2/webhooks', {
      body: { url: `${receiver.url}/hook` },
      headers: { 'idempotency-key': randomUUID() },
    });
    if (answer.status !== 201) throw new Error(`subscribing was answered ${answer.status}`);
    const { subscription, secret } = answer.data;
    if (secret === null) throw new Error('the secret is shown once, and was not');
    const since = new Date(subscription.created_at);
    return {
      async round(random) {
        receiver.react('/hook', ...slowly(random));
        const load = new WriteLoad(system);
        load.start(4, random);
        let kills = 0;
        for (let strike = random.integer(1, 3); strike > 0; strike -= 1) {
          await load.advance(random.integer(5, 60));
          await sleep(random.integer(0, 500) + random.next());
          await random.pick(system.alive('gateway')).kill();
          kills += 1;
          await system.replace('gateway');
        }
        await load.end();
        const written = await load.check();
        const violations = [...written.violations];
        const undelivered = await untilDelivered(system, subscription.id, since);
        if (undelivered > 0) violations.push(`${undelivered} events were not delivered`);
        const events = await system.database.event.findMany({ where: { createdAt: { gte: since } } });
        const got = verified(receiver.got, secret);
        if (got.forged > 0) violations.push(`${got.forged} deliveries do not verify`);
        const missing = events.filter(({ id }) => !got.bodies.has(id)).length;
        if (missing > 0) violations.push(`${missing} events never arrived`);
        const changed = [...got.bodies.values()].filter((bodies) => bodies.size > 1).length;
        if (changed > 0) violations.push(`${changed} events arrived with other bytes`);
        const known = new Set(events.map(({ id }) => id));
        const unknown = [...got.bodies.keys()].filter((id) => !known.has(id)).length;
        if (unknown > 0) violations.push(`${unknown} deliveries are of no event`);
        return {
          counts: {
            'gateways killed': kills,
            ...written.counts,
            'events so far': events.length,
            'arrived more than once so far': receiver.got.length - got.bodies.size,
            'events missing': missing,
            'with other bytes': changed,
          },
          violations,
        };
      },
      close: () => receiver.stop(),
    };
  },
};

/** Takes its time, so that there always is a delivery under way. */
function slowly(random: Random): readonly Reaction[] {
  return Array.from({ length: REACTIONS }, () => {
    const delayMs = random.integer(0, 80);
    return (response) => void setTimeout(() => response.writeHead(204).end(), delayMs);
  });
}

/** @returns how many events still wait when time is up. */
async function untilDelivered(system: System, subscriptionId: string, since: Date): Promise<number> {
  const until = Date.now() + WAIT_MS_MAX;
  for (;;) {
    const [row] = await system.database.$queryRaw<{ left: number }[]>`
      SELECT count(*)::int AS left FROM core.events e
      WHERE e.created_at >= ${since.toISOString()}::text::timestamptz AND NOT EXISTS (
        SELECT 1 FROM core.webhook_deliveries d
        WHERE d.event_id = e.id AND d.subscription_id = ${subscriptionId} AND d.state = 'delivered')`;
    const left = row?.left ?? 0;
    if (left === 0 || Date.now() > until) return left;
    await sleep(200);
  }
}

/** The different bodies that arrived of each event, and how many were not signed as the secret would. */
function verified(
  got: readonly Received[],
  secret: string,
): { readonly bodies: ReadonlyMap<string, ReadonlySet<string>>; readonly forged: number } {
  const library = new Webhook(secret);
  const bodies = new Map<string, Set<string>>();
  let forged = 0;
  for (const { headers, body } of got) {
    const id = String(headers['webhook-id']);
    bodies.set(id, (bodies.get(id) ?? new Set<string>()).add(body));
    // Not by `verify`, which refuses what is older than five minutes: a long run ends later than that.
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    if (
      !String(headers['webhook-signature'])
        .split(' ')
        .includes(library.sign(id, at, body))
    )
      forged += 1;
  }
  return { bodies, forged };
}
