import pg from 'pg';

/*
 * What rests in the shape of releases that are to be deleted. Documents are kept in the shape of the release that was head
 * when they were written, and read through the changes since; without these changes nobody can read them.
 */

/** One kind of thing that rests somewhere. */
interface Resting {
  readonly name: string;
  /** Counts them. $1 is the oldest release that stays. */
  readonly find: string;
  /** Ends them, where they may be ended; without it they stand in the way. */
  readonly settle?: string;
  /** What is done, or what there is to do. */
  readonly advice: string;
}

const ENDED = "('succeeded', 'failed', 'cancelled')";
const OPEN = "('waiting', 'pending', 'held')";

const KINDS: readonly Resting[] = [
  {
    name: 'idempotent answers',
    find: 'SELECT count(*) FROM core.idempotency_records WHERE head_release < $1 AND response IS NOT NULL',
    settle: `UPDATE core.idempotency_records SET response = NULL, revision = NULL, headers = '{}', erased_at = now()
             WHERE head_release < $1 AND response IS NOT NULL`,
    advice: 'erased: a repetition is told that the request was carried out and its answer is gone',
  },
  {
    name: 'events that are still to be delivered',
    find: `SELECT count(DISTINCT e.id) FROM core.events e JOIN core.webhook_deliveries d ON d.event_id = e.id
           WHERE e.head_release < $1 AND d.state IN ${OPEN}`,
    advice: 'wait until they are delivered or have failed',
  },
  {
    name: 'events',
    find: 'SELECT count(*) FROM core.events WHERE head_release < $1',
    settle: `DELETE FROM core.events e WHERE head_release < $1 AND NOT EXISTS (
               SELECT 1 FROM core.webhook_deliveries d WHERE d.event_id = e.id AND d.state IN ${OPEN})`,
    advice: 'deleted with their deliveries, as when their time is over',
  },
  {
    name: 'jobs under way',
    find: "SELECT count(*) FROM core.jobs WHERE head_release < $1 AND state IN ('queued', 'running')",
    advice: 'wait until they have ended',
  },
  {
    name: 'results of jobs',
    find: `SELECT count(*) FROM core.jobs WHERE head_release < $1 AND state IN ${ENDED}`,
    settle: `WITH ended AS (
               UPDATE core.jobs SET state = 'expired', result = NULL, error = NULL
               WHERE head_release < $1 AND state IN ${ENDED} RETURNING id)
             DELETE FROM core.bulk_requests WHERE job_id IN (SELECT id FROM ended)`,
    advice: 'expired, as when their time is over',
  },
  {
    name: 'diagnoses',
    find: 'SELECT count(*) FROM core.diagnostic_records WHERE head_release < $1',
    advice: 'they are clinical records and are not expired: keep the release',
  },
  {
    name: 'webhook subscriptions that are served',
    find: "SELECT count(*) FROM core.webhook_subscriptions WHERE version < $1 AND state = 'active'",
    advice: 'their version has not reached its sunset: their owners must choose another',
  },
  {
    name: 'webhook subscriptions that are paused',
    find: "SELECT count(*) FROM core.webhook_subscriptions WHERE version < $1 AND state <> 'active'",
    settle: `UPDATE core.webhook_subscriptions SET version = $1, revision = revision + 1, updated_at = now()
             WHERE version < $1 AND state <> 'active'`,
    advice:
      'rewritten to the oldest version that stays, and paused as they are: nothing is sent before their owners resume them',
  },
  {
    name: 'bodies of deliveries',
    find: `SELECT count(*) FROM core.webhook_deliveries WHERE version < $1 AND body IS NOT NULL AND state NOT IN ${OPEN}`,
    settle: `UPDATE core.webhook_deliveries SET body = NULL
             WHERE version < $1 AND body IS NOT NULL AND state NOT IN ${OPEN}`,
    advice: 'erased: they cannot be sent again',
  },
  {
    name: 'pins of accounts',
    find: 'SELECT count(*) FROM edge.accounts WHERE pinned_release < $1',
    advice: 'npm run accounts -- pin: a pin on a version that is gone would mean the current one, which nobody chose',
  },
];

/** What was found of one kind. */
export interface AtRest {
  readonly name: string;
  readonly found: number;
  /** After settling, or as found where nothing was to be done. */
  readonly left: number;
  readonly advice: string;
}

/**
 * Counts what rests in the shape of releases before one, and settles it where that is asked for and can be.
 * @param oldest the oldest release that stays, `YYYY-MM-DD`. @param url of a login that owns the tables.
 * @returns every kind; nothing is left when each says 0.
 */
export async function atRest(url: string, oldest: string, settle: boolean): Promise<readonly AtRest[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'perennial-at-rest' });
  client.on('error', () => undefined);
  await client.connect();
  const count = async (kind: Resting): Promise<number> => {
    const { rows } = await client.query<{ count: string }>(kind.find, [oldest]);
    return Number(rows[0]?.count);
  };
  try {
    // Counted again by the same transaction that settled: what it says is left is all that is left.
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ ${settle ? '' : 'READ ONLY'}`);
    const found: { kind: Resting; found: number }[] = [];
    for (const kind of KINDS) found.push({ kind, found: await count(kind) });
    if (settle) for (const kind of KINDS) if (kind.settle) await client.query(kind.settle, [oldest]);
    const all: AtRest[] = [];
    for (const { kind, found: number } of found)
      all.push({ name: kind.name, found: number, left: await count(kind), advice: kind.advice });
    await client.query('COMMIT');
    return all;
  } finally {
    await client.end();
  }
}
