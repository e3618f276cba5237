import type { Database } from '@perennial/prisma/client.ts';
import type { AdminBody } from '@perennial/schemas/admin-bodies.ts';
import type { History, Release } from '@perennial/schemas/history.ts';
import type { Standing } from '@perennial/schemas/lifecycle.ts';
import { addDays, addMonths } from '@perennial/schemas/platform/calendar.ts';
import { Fault, invalid, invalidAt } from '@perennial/schemas/platform/http/fault.ts';
import { newId } from '@perennial/schemas/platform/ids.ts';
import { earliestSunset } from '../lifecycle/acts.ts';
import type { Lifecycle } from '../lifecycle/store.ts';
import type { ServiceDate } from '../version/service-date.ts';
import { releaseNamed } from './input.ts';
import type { AdminAsked, AdminRoute } from './routes.ts';

/*
 * The lifecycle of versions, as operators move it. Who, when and why is kept with each act; an act is withdrawn and never
 * deleted. Every gateway follows within a second (lifecycle/store.ts).
 */

const EXTENSION_MONTHS_MAX = 12;
/** Brownouts come within so many days before the end, are announced so long before, and last so long at most. */
const BROWNOUT_DAYS = 30;
const BROWNOUT_NOTICE_MS = 7 * 86_400_000;
const BROWNOUT_MS_MAX = 86_400_000;
const ACTS_MAX = 500;

export interface LifecycleApiParts {
  readonly database: Database;
  readonly history: History;
  readonly serviceDate: ServiceDate;
  readonly lifecycle: Pick<Lifecycle, 'renew'>;
}

type Row = NonNullable<Awaited<ReturnType<Database['lifecycleAct']['findFirst']>>>;

export function lifecycleApi({ database, history, serviceDate, lifecycle }: LifecycleApiParts): readonly AdminRoute[] {
  const standingOf = (parameters: AdminAsked['parameters']): Standing => {
    const id = releaseNamed(history, parameters['version'] as string, { parameter: 'version' });
    const standing = serviceDate.standings().find(({ release }) => release.id === id);
    if (!standing || standing.state === 'preview') throw invalid([outside()]);
    return standing;
  };
  /** Keeps an act, and lets this gateway follow before it answers; the others hear of it in the same moment. */
  const keep = async (act: Omit<Row, 'id' | 'createdAt' | 'withdrawnAt' | 'withdrawnBy' | 'withdrawnReason'>) => {
    const row = await database.lifecycleAct.create({ data: { ...act, id: newId('act'), createdAt: new Date() } });
    await lifecycle.renew();
    return { status: 201, data: actView(row) };
  };
  const blank = {
    accountId: null,
    deprecated: null,
    sunset: null,
    startsAt: null,
    endsAt: null,
    share: null,
    accounts: [],
  };

  return [
    {
      method: 'GET',
      path: '/admin/lifecycle',
      operation: 'admin.lifecycle.list',
      async handle() {
        const rows = await database.lifecycleAct.findMany({ orderBy: { createdAt: 'desc' }, take: ACTS_MAX });
        const versions = serviceDate.standings().map(({ release, state }) => {
          const shipped = history.releases.find(({ id }) => id === release.id);
          return {
            version: `v${release.id}`,
            state,
            deprecated: release.deprecated ?? null,
            sunset: release.sunset ?? null,
            shipped: { deprecated: shipped?.deprecated ?? null, sunset: shipped?.sunset ?? null },
          };
        });
        return { data: { service_date: serviceDate.day(), versions, acts: rows.map(actView) } };
      },
    },
    {
      method: 'POST',
      path: '/admin/lifecycle/:version/dates',
      operation: 'admin.lifecycle.move_dates',
      body: 'Dates',
      async handle({ parameters, body, keyId }) {
        const { release, state } = standingOf(parameters);
        const { deprecated = release.deprecated ?? serviceDate.day(), sunset, reason } = body as AdminBody<'Dates'>;
        checkDates(release, state, deprecated, sunset);
        return keep({ ...blank, kind: 'dates', release: release.id, deprecated, sunset, reason, keyId });
      },
    },
    {
      method: 'POST',
      path: '/admin/lifecycle/:version/extensions',
      operation: 'admin.lifecycle.extend',
      body: 'Extension',
      target: async (_parameters, body) => {
        const { account } = body as AdminBody<'Extension'>;
        if ((await database.account.count({ where: { id: account } })) === 0)
          throw invalidAt('/account', 'not_allowed_value');
        return account;
      },
      async handle({ parameters, body, keyId }) {
        const { release } = standingOf(parameters);
        const { account, until, reason } = body as AdminBody<'Extension'>;
        if (release.sunset === undefined) throw invalid([outside()]);
        if (until <= release.sunset) throw invalidAt('/until', 'too_small');
        if (until > addMonths(release.sunset, EXTENSION_MONTHS_MAX)) throw invalidAt('/until', 'too_large');
        return keep({
          ...blank,
          kind: 'extension',
          release: release.id,
          accountId: account,
          sunset: until,
          reason,
          keyId,
        });
      },
    },
    {
      method: 'POST',
      path: '/admin/lifecycle/:version/brownouts',
      operation: 'admin.lifecycle.brownout',
      body: 'Brownout',
      async handle({ parameters, body, keyId }) {
        const { release, state } = standingOf(parameters);
        const { starts_at: starts, ends_at: ends, share, accounts, reason } = body as AdminBody<'Brownout'>;
        if ((share === undefined) === (accounts === undefined))
          throw invalidAt(share === undefined ? '/share' : '/accounts', share === undefined ? 'required' : 'not_both');
        const [startsAt, endsAt] = [new Date(starts), new Date(ends)];
        // Support is promised until the end; hours without it belong to the last days, and to a version on notice.
        if (
          state !== 'deprecated' ||
          release.sunset === undefined ||
          release.sunset > addDays(serviceDate.day(), BROWNOUT_DAYS)
        )
          throw new Fault('conflict', {
            message: `A version can be switched off for hours only in the last ${BROWNOUT_DAYS} days before its sunset.`,
          });
        if (startsAt.getTime() < Date.now() + BROWNOUT_NOTICE_MS) throw invalidAt('/starts_at', 'too_small');
        if (endsAt <= startsAt) throw invalidAt('/ends_at', 'too_small');
        if (endsAt.getTime() > startsAt.getTime() + BROWNOUT_MS_MAX) throw invalidAt('/ends_at', 'too_large');
        return keep({
          ...blank,
          kind: 'brownout',
          release: release.id,
          startsAt,
          endsAt,
          share: share ?? null,
          accounts: accounts ?? [],
          reason,
          keyId,
        });
      },
    },
    {
      method: 'POST',
      path: '/admin/lifecycle/acts/:act/withdraw',
      operation: 'admin.lifecycle.withdraw',
      body: 'Withdrawal',
      async handle({ parameters, body, keyId }) {
        const id = parameters['act'] as string;
        const row = await database.lifecycleAct.findFirst({ where: { id } });
        if (!row) throw new Fault('not_found');
        checkWithdrawal(row);
        const { reason } = body as AdminBody<'Withdrawal'>;
        const { count } = await database.lifecycleAct.updateMany({
          where: { id, withdrawnAt: null },
          data: { withdrawnAt: new Date(), withdrawnBy: keyId, withdrawnReason: reason },
        });
        if (count === 0) throw new Fault('conflict', { message: 'The act has been withdrawn before.' });
        await lifecycle.renew();
        return { data: actView((await database.lifecycleAct.findFirst({ where: { id } })) as Row) };
      },
    },
  ];

  /** @throws Fault 422 with the earliest day that the guarantees allow. */
  function checkDates(release: Release, state: Standing['state'], deprecated: string, sunset: string): void {
    const today = serviceDate.day();
    if (state === 'current')
      throw new Fault('conflict', { message: 'The current version has no successor; it cannot be given notice.' });
    if (release.deprecated !== undefined && deprecated !== release.deprecated)
      throw invalidAt('/deprecated', 'immutable');
    if (release.deprecated === undefined && deprecated < today) throw invalidAt('/deprecated', 'too_small');
    // Later than announced harms nobody.
    if (release.sunset !== undefined && sunset >= release.sunset) return;
    const shipped = history.releases.find(({ id }) => id === release.id) ?? release;
    const earliest = earliestSunset(history, shipped, deprecated, today);
    if (earliest === undefined || sunset < earliest)
      throw invalid([
        {
          code: 'too_small',
          pointer: '/sunset',
          message:
            earliest === undefined
              ? 'Nothing has succeeded this version yet.'
              : `The guarantees allow no day before ${earliest}.`,
        },
      ]);
  }

  /** To take back a later date, or what an account was promised, would move an end nearer without notice. */
  function checkWithdrawal(row: Row): void {
    if (row.kind === 'brownout' || row.sunset === null) return;
    const effective = serviceDate.standings().find(({ release }) => release.id === row.release)?.release.sunset;
    const shipped = history.releases.find(({ id }) => id === row.release)?.sunset;
    const next = row.kind === 'extension' ? effective : shipped;
    if (next === undefined || next >= row.sunset) return;
    if (next < addDays(serviceDate.day(), 90))
      throw new Fault('conflict', {
        message: 'Without it the version would end with less than 90 days of notice; move the date instead.',
      });
  }
}

function outside() {
  return {
    code: 'not_allowed_value',
    parameter: 'version',
    message: 'The version is in no state in which this can be done.',
  } as const;
}

function actView(row: Row) {
  return {
    id: row.id,
    kind: row.kind,
    version: `v${row.release}`,
    account: row.accountId,
    deprecated: row.deprecated,
    sunset: row.sunset,
    starts_at: row.startsAt?.toISOString() ?? null,
    ends_at: row.endsAt?.toISOString() ?? null,
    share: row.share,
    accounts: row.accounts,
    reason: row.reason,
    by: row.keyId,
    at: row.createdAt.toISOString(),
    withdrawn: row.withdrawnAt
      ? { at: row.withdrawnAt.toISOString(), by: row.withdrawnBy, reason: row.withdrawnReason }
      : null,
  };
}
