import type { Database } from '@perennial/prisma/client.ts';
import { listenTo } from '@perennial/prisma/notifications.ts';
import type { History } from '@perennial/schemas/history.ts';
import { checkHistory, HistoryInvalid } from '@perennial/schemas/lifecycle.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { type Act, type ActsInForce, actsInForce, withDates } from './acts.ts';

/** What operators have decided on versions, as every gateway follows it. */
export interface Lifecycle extends Omit<ActsInForce, 'history'> {
  /** Reads the acts anew. */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

/** A row of `edge.lifecycle_acts`. */
type Row = Awaited<ReturnType<Database['lifecycleAct']['findMany']>>[number];

/** Made by a trigger, whoever writes. */
const CHANNEL = 'perennial_lifecycle';
/** While nothing can be heard; see notifications.ts on poolers. */
const POLL_MS = 1_000;
const ACTS_MAX = 10_000;

/**
 * Follows the acts in the database. Until they have been read for the first time, and while the database is away, what was
 * read last holds: at the beginning, that is the history that was shipped.
 * @param use is given the history with the dates that hold, each time that they may have changed.
 */
export function followLifecycle(
  { database, databaseUrl, history, logger }: LifecycleParts,
  use: (history: History) => void,
): Lifecycle {
  let inForce = actsInForce(history, []);
  let polling: NodeJS.Timeout | undefined;
  let asked = 0;
  let stopped = false;
  const renew = async (): Promise<void> => {
    asked += 1;
    const asOf = asked;
    const acts = await readActs(database);
    // A later question has, or will have, a later answer.
    if (asOf !== asked || stopped) return;
    inForce = actsInForce(history, tenable(history, acts, logger));
    use(inForce.history);
  };
  const tryRenew = (): void => {
    renew().catch((error: unknown) => {
      if (!stopped) logger.warn('the lifecycle of versions could not be read', { error: (error as Error).name });
    });
  };
  const listening = listenTo(databaseUrl, CHANNEL, 'perennial-gateway-lifecycle', {
    begun() {
      clearInterval(polling);
      tryRenew();
    },
    message: tryRenew,
    lost() {
      clearInterval(polling);
      polling = setInterval(tryRenew, POLL_MS).unref();
    },
  });
  return {
    hasExtension: (release) => inForce.hasExtension(release),
    extensionOf: (release, account) => inForce.extensionOf(release, account),
    brownoutOf: (release, account, now) => inForce.brownoutOf(release, account, now),
    renew,
    async stop() {
      stopped = true;
      clearInterval(polling);
      await listening.stop();
    },
  };
}

export interface LifecycleParts {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly history: History;
  readonly logger: Logger;
}

async function readActs(database: Database): Promise<readonly Act[]> {
  const rows = await database.lifecycleAct.findMany({
    where: { withdrawnAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: ACTS_MAX,
  });
  return rows.flatMap((row) => actOf(row) ?? []);
}

export function actOf(row: Row): Act | undefined {
  const { kind, release, accountId, deprecated, sunset, startsAt, endsAt, share, accounts } = row;
  if (kind === 'dates' && deprecated && sunset) return { kind, release, deprecated, sunset };
  if (kind === 'extension' && accountId && sunset) return { kind, release, accountId, sunset };
  if (kind === 'brownout' && startsAt && endsAt)
    return { kind, release, startsAt, endsAt, share: share ?? undefined, accounts };
  // Of a newer release, which runs beside this one.
  return undefined;
}

/** A release that was shipped since may not agree with dates from before: then what is shipped holds. */
function tenable(history: History, acts: readonly Act[], logger: Logger): readonly Act[] {
  try {
    checkHistory(waived(withDates(history, acts), acts));
    return acts;
  } catch (error) {
    if (!(error instanceof HistoryInvalid)) throw error;
    logger.error('dates that an operator moved do not agree with the history that is shipped; they are left out', {
      faults: error.faults,
    });
    return acts.filter(({ kind }) => kind !== 'dates');
  }
}

/** Guarantees were looked at when the date was moved; a later date needs no waiver that the earlier one had. */
function waived(history: History, acts: readonly Act[]): History {
  const moved = new Set(acts.flatMap((act) => (act.kind === 'dates' ? [act.release] : [])));
  const reason = 'moved by an operator';
  return {
    ...history,
    releases: history.releases.map((release) =>
      moved.has(release.id)
        ? {
            ...release,
            waivers: [
              { guarantee: 'support-after-succession', reason },
              { guarantee: 'notice-before-sunset', reason },
              { guarantee: 'support-after-new-major', reason },
            ],
          }
        : release,
    ),
  };
}
