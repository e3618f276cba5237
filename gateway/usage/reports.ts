import type { Database } from '@perennial/prisma/client.ts';
import type { Standing, State } from '@perennial/schemas/lifecycle.ts';
import { addDays, addMonths, dayOf } from '@perennial/schemas/platform/calendar.ts';
import type { KeyFormat } from '@perennial/schemas/platform/credentials.ts';
import { stepsTouching } from '@perennial/translators/engine/run.ts';
import type { Step } from '@perennial/translators/engine/step.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { ServiceDate } from '../version/service-date.ts';

/** Who used what, over the days asked for. Days are those of the clock, never the service date. */
export interface Use {
  readonly version: string;
  readonly operation: string;
  readonly client: string;
  readonly count: number;
  readonly last_day: string;
}

/** The use of one version. */
export interface UsageReport {
  readonly version: string;
  readonly state: State | 'unreleased';
  readonly since: string;
  readonly items: readonly (Use & { readonly account: string; readonly account_name: string | null })[];
  /** Whether there is more than the items show: those with the least use are left out. */
  readonly has_more: boolean;
}

/** What an account would meet if it moved to another version. */
export interface UpgradeReport {
  readonly account: string;
  readonly account_name: string;
  readonly pinned: string | null;
  readonly to: string;
  readonly since: string;
  readonly changes: readonly UpgradeChange[];
  /** Use of the versions before `to`, each with the names of the changes that touch its operation. */
  readonly uses: readonly (Use & { readonly changes: readonly string[] })[];
  /** Keys in force whose format `to` refuses. */
  readonly keys_refused: number;
}

/** One change that touches what the account uses. */
export interface UpgradeChange {
  readonly change: string;
  readonly release: string;
  readonly sentence: string;
  /** Whether it concerns every operation: credentials, errors. */
  readonly everywhere: boolean;
  readonly operations: readonly string[];
}

/** Whether a version can be retired. */
export interface RetirementReport {
  readonly version: string;
  readonly state: State | 'unreleased';
  readonly deprecated: string | null;
  readonly sunset: string | null;
  /** Its sunset, or the first day on which the guarantees of the specification (section 8) allow one. */
  readonly not_before: string | null;
  readonly safe: boolean;
  /** Why it is not safe. */
  readonly reasons: readonly string[];
  readonly since: string;
  /** The last day of any use, however long ago. */
  readonly last_use: string | null;
  /** The first day of which anything is known. */
  readonly counted_since: string | null;
  readonly users: readonly RemainingUser[];
  /** Accounts for which this version answers when a request names none. */
  readonly pinned_accounts: readonly string[];
}

/** An account that still uses a version. */
export interface RemainingUser {
  readonly account: string;
  readonly account_name: string | null;
  readonly clients: readonly string[];
  readonly operations: readonly string[];
  readonly count: number;
  readonly last_day: string;
}

/** Answers the platform team's questions from what has been counted and what the plans know. */
export interface Reports {
  usage(release: string, days: number): Promise<UsageReport>;
  /** Undefined when there is no such account. */
  upgrade(accountId: string, to: string, days: number): Promise<UpgradeReport | undefined>;
  retirement(release: string, days: number): Promise<RetirementReport>;
}

const ITEMS_MAX = 1_000;
const SUPPORT_MONTHS = 12;
const NOTICE_DAYS = 90;

export function createReports(database: Database, translator: Translator, serviceDate: ServiceDate): Reports {
  const standingOf = (release: string): Standing | undefined =>
    serviceDate.standings().find((standing) => standing.release.id === release);
  return {
    async usage(release, days) {
      const since = firstDay(days);
      const rows = await database.$queryRaw<(Use & { account: string; account_name: string | null })[]>`
        SELECT account_id AS account, accounts.name AS account_name, 'v' || release AS version, operation, client,
               sum(count)::float8 AS count, to_char(max(day), 'YYYY-MM-DD') AS last_day
        FROM edge.usage_counters LEFT JOIN edge.accounts ON accounts.id = account_id
        WHERE day >= ${since}::date AND release = ${release}
        GROUP BY account_id, accounts.name, release, operation, client
        ORDER BY sum(count) DESC, account_id, operation, client LIMIT ${ITEMS_MAX + 1}`;
      return {
        version: `v${release}`,
        state: standingOf(release)?.state ?? 'unreleased',
        since,
        items: rows.slice(0, ITEMS_MAX),
        has_more: rows.length > ITEMS_MAX,
      };
    },

    async upgrade(accountId, to, days) {
      const account = await database.account.findUnique({ where: { id: accountId } });
      if (!account) return undefined;
      const since = firstDay(days);
      const rows = await database.$queryRaw<(Use & { release: string })[]>`
        SELECT release, 'v' || release AS version, operation, client, sum(count)::float8 AS count,
               to_char(max(day), 'YYYY-MM-DD') AS last_day
        FROM edge.usage_counters
        WHERE day >= ${since}::date AND account_id = ${accountId} AND release < ${to}
        GROUP BY release, operation, client ORDER BY release, operation, client`;
      const uses = rows.map(({ release, ...use }) => ({
        ...use,
        changes: touching(translator, release, to, use.operation),
      }));
      const oldest = [
        ...rows.map(({ release }) => release),
        ...(account.pinnedRelease ? [account.pinnedRelease] : []),
      ].sort()[0];
      return {
        account: account.id,
        account_name: account.name,
        pinned: account.pinnedRelease === null ? null : `v${account.pinnedRelease}`,
        to: `v${to}`,
        since,
        changes: changesOf(translator, oldest ?? to, to, uses),
        uses,
        keys_refused: await countRefusedKeys(database, accountId, translator.behaviours(to)['credential.formats']),
      };
    },

    async retirement(release, days) {
      const since = firstDay(days);
      const users = await database.$queryRaw<RemainingUser[]>`
        SELECT account_id AS account, accounts.name AS account_name, array_agg(DISTINCT client) AS clients,
               array_agg(DISTINCT operation) AS operations, sum(count)::float8 AS count,
               to_char(max(day), 'YYYY-MM-DD') AS last_day
        FROM edge.usage_counters LEFT JOIN edge.accounts ON accounts.id = account_id
        WHERE day >= ${since}::date AND release = ${release}
        GROUP BY account_id, accounts.name ORDER BY sum(count) DESC, account_id LIMIT ${ITEMS_MAX}`;
      const [known] = await database.$queryRaw<{ last_use: string | null; counted_since: string | null }[]>`
        SELECT to_char(max(day) FILTER (WHERE release = ${release}), 'YYYY-MM-DD') AS last_use,
               to_char(min(day), 'YYYY-MM-DD') AS counted_since
        FROM edge.usage_counters`;
      const pinned = await database.account.findMany({
        where: { pinnedRelease: release },
        select: { id: true },
        orderBy: { id: 'asc' },
        take: ITEMS_MAX,
      });
      const standing = standingOf(release);
      const state = standing?.state ?? 'unreleased';
      const countedSince = known?.counted_since ?? null;
      const reasons = [
        ...(state === 'deprecated' || state === 'stable' || state === 'sunset'
          ? []
          : [`It is ${state}: nothing has succeeded it.`]),
        ...(users.length > 0 ? [`${accounts(users.length)} used it since ${since}.`] : []),
        ...(pinned.length > 0 ? [`${accounts(pinned.length)} pinned to it and would be answered 410.`] : []),
        // What nobody counted is not known to be unused; after its sunset there is nothing left to count.
        ...(state !== 'sunset' && (countedSince === null || countedSince > since)
          ? [`Use is known since ${countedSince ?? 'today'} only, which is less than was asked about.`]
          : []),
      ];
      return {
        version: `v${release}`,
        state,
        deprecated: standing?.release.deprecated ?? null,
        sunset: standing?.release.sunset ?? null,
        not_before: standing ? notBefore(standing, serviceDate) : null,
        safe: reasons.length === 0,
        reasons,
        since,
        last_use: known?.last_use ?? null,
        counted_since: countedSince,
        users,
        pinned_accounts: pinned.map(({ id }) => id),
      };
    },
  };
}

/** The first of the last `days` days, today included. */
function firstDay(days: number): string {
  return addDays(dayOf(new Date()), 1 - days);
}

function accounts(count: number): string {
  return count === 1 ? '1 account' : `${count} accounts`;
}

/** Names of the changes that touch an operation on the way from one release to another. */
function touching(translator: Translator, from: string, to: string, operation: string): readonly string[] {
  const names = translator.plan(from, operation)?.changes ?? [];
  const until = new Set(stepsBetween(translator, from, to).map(({ name }) => name));
  return names.filter((name) => until.has(name));
}

function changesOf(
  translator: Translator,
  oldest: string,
  to: string,
  uses: readonly (Use & { readonly changes: readonly string[] })[],
): readonly UpgradeChange[] {
  const errors = new Set(errorSteps(translator));
  return stepsBetween(translator, oldest, to).flatMap((step) => {
    const everywhere = step.change.behaviours !== undefined || errors.has(step);
    const operations = new Set(
      uses.filter(({ changes }) => changes.includes(step.name)).map(({ operation }) => operation),
    );
    if (!everywhere && operations.size === 0) return [];
    return [
      {
        change: step.name,
        release: `v${step.release}`,
        sentence: step.change.sentence,
        everywhere,
        operations: [...operations].sort(),
      },
    ];
  });
}

function stepsBetween({ catalogue }: Translator, from: string, to: string): readonly Step[] {
  return catalogue.steps.filter(({ release }) => release > from && release <= to);
}

/** The changes of what every operation can answer: errors. */
function errorSteps({ catalogue }: Translator): readonly Step[] {
  return stepsTouching(catalogue, { older: 0, newer: catalogue.steps.length }, 'ErrorBody');
}

async function countRefusedKeys(database: Database, accountId: string, formats: readonly KeyFormat[]): Promise<number> {
  return database.apiKey.count({
    where: {
      accountId,
      revokedAt: null,
      format: { notIn: [...formats] },
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
  });
}

/** Twelve months after a newer version was released, and ninety days after the notice, which can be given today. */
function notBefore({ release }: Standing, serviceDate: ServiceDate): string | null {
  if (release.sunset !== undefined) return release.sunset;
  const successor = serviceDate
    .standings()
    .map((standing) => standing.release)
    .filter((other) => other.id > release.id && other.released !== undefined && other.released <= serviceDate.day())
    .map(({ released }) => released as string)
    .sort()[0];
  if (successor === undefined) return null;
  const days = [addMonths(successor, SUPPORT_MONTHS), addDays(release.deprecated ?? serviceDate.day(), NOTICE_DAYS)];
  return days.sort()[1] as string;
}
