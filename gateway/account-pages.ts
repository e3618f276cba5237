import { currentOf, type Standing } from '@perennial/schemas/lifecycle.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { type RequestHandler, Router } from 'express';
import { compose } from './compose.ts';
import { takeCredential } from './credentials/middleware.ts';
import { exchangeOf, known } from './exchange.ts';
import { envelope, sendJson } from './respond.ts';
import type { UsageCounters } from './usage/counters.ts';
import type { Reports, UpgradeReport } from './usage/reports.ts';
import type { ServiceDate } from './version/service-date.ts';

/** What the pages of a client about itself are made of. */
export interface AccountPagesParts {
  readonly authenticate: RequestHandler;
  readonly usage: UsageCounters;
  readonly reports: Reports;
  readonly serviceDate: ServiceDate;
  readonly newestSemver: string;
}

/** How a version that an account uses stands: whether anything has to be done, and until when. */
export interface UsedVersion {
  readonly version: string;
  readonly state: Standing['state'];
  /** `fine`, `act` until `act_by`, or `overdue` once that has passed. */
  readonly status: 'fine' | 'act' | 'overdue';
  readonly deprecated: string | null;
  readonly act_by: string | null;
  readonly operations: readonly {
    readonly operation: string;
    readonly clients: readonly string[];
    readonly count: number;
    readonly last_day: string;
    /** What is different about it in the current version. */
    readonly changes: readonly { readonly change: string; readonly release: string; readonly sentence: string }[];
  }[];
}

const PAGES = /^\/account\//i;
const DAYS = 30;

/** Pages that a client reads about its own use: any key of the account, and no version. */
export function accountPages(parts: AccountPagesParts): RequestHandler {
  const { authenticate, usage, reports, serviceDate, newestSemver } = parts;
  const router = Router();
  router.get('/account/deprecations', async (_request, response) => {
    const exchange = exchangeOf(response);
    if (exchange.search !== '') throw new Fault('validation_failed');
    const all = serviceDate.standings();
    const current = currentOf(all);
    if (!current) throw new Fault('not_found');
    await usage.flush().catch((cause: unknown) => {
      throw new Fault('unavailable', { headers: { 'retry-after': '5' }, cause });
    });
    const { accountId } = known(exchange.caller, 'caller');
    const report = await reports.upgrade(accountId, current.id, DAYS);
    if (!report) throw new Fault('not_found');
    const data = {
      days: DAYS,
      current: `v${current.id}`,
      keys_refused: report.keys_refused,
      versions: usedVersions(report, all),
    };
    sendJson(response, 200, envelope(exchange, newestSemver, 'data', data));
  });
  router.all('/account/deprecations', () => {
    throw new Fault('method_not_allowed', { headers: { allow: 'GET, HEAD' } });
  });
  router.use(() => {
    throw new Fault('route_unknown');
  });
  const signedIn = compose([takeCredential(), authenticate, inHeader()]);
  return (request, response, next) => {
    if (!PAGES.test(exchangeOf(response).path)) next();
    else
      signedIn(request, response, (error?: unknown) =>
        error === undefined ? router(request, response, next) : next(error),
      );
  };
}

/** A key in an address would be written to logs. */
function inHeader(): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    const { place } = known(exchange.credential, 'credential');
    exchange.credential = undefined;
    if (place !== 'header') throw new Fault('credential_place_retired', { headers: { 'www-authenticate': 'Bearer' } });
    next();
  };
}

/** What the account uses that has a successor, the version that ends first first. */
export function usedVersions(report: UpgradeReport, all: readonly Standing[]): readonly UsedVersion[] {
  const sentences = new Map(report.changes.map((each) => [each.change, each]));
  return all
    .flatMap(({ release, state }) => {
      const uses = report.uses.filter(({ version }) => version === `v${release.id}`);
      if (uses.length === 0) return [];
      const operations = [...new Set(uses.map(({ operation }) => operation))].sort().map((operation) => {
        const own = uses.filter((each) => each.operation === operation);
        const names = [...new Set(own.flatMap(({ changes }) => changes))];
        return {
          operation,
          clients: [...new Set(own.map(({ client }) => client))].sort(),
          count: own.reduce((sum, { count }) => sum + count, 0),
          last_day: own
            .map(({ last_day: day }) => day)
            .sort()
            .at(-1) as string,
          changes: names.flatMap((name) => {
            const found = sentences.get(name);
            return found ? [{ change: name, release: found.release, sentence: found.sentence }] : [];
          }),
        };
      });
      return [
        {
          version: `v${release.id}`,
          state,
          status: statusOf(state),
          deprecated: release.deprecated ?? null,
          act_by: release.sunset ?? null,
          operations,
        },
      ];
    })
    .sort((a, b) => ((a.act_by ?? '9') < (b.act_by ?? '9') ? -1 : 1));
}

function statusOf(state: Standing['state']): UsedVersion['status'] {
  if (state === 'sunset') return 'overdue';
  return state === 'deprecated' ? 'act' : 'fine';
}
