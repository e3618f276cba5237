import type { Database } from '@perennial/prisma/client.ts';
import type { History } from '@perennial/schemas/history.ts';
import { OPERATOR } from '@perennial/schemas/operation.ts';
import { Fault, invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { type RequestHandler, type Response, Router } from 'express';
import { accountsApi } from './admin/accounts-api.ts';
import { lifecycleApi } from './admin/lifecycle-api.ts';
import { adminRouter } from './admin/routes.ts';
import { identifier } from './audit/entry.ts';
import type { AuditTrail } from './audit/trail.ts';
import { compose } from './compose.ts';
import { takeCredential } from './credentials/middleware.ts';
import { exchangeOf, known } from './exchange.ts';
import type { Lifecycle } from './lifecycle/store.ts';
import type { Metrics } from './metrics.ts';
import { envelope, putCommonHeaders, sendJson } from './respond.ts';
import type { UsageCounters } from './usage/counters.ts';
import type { Reports } from './usage/reports.ts';
import type { ServiceDate } from './version/service-date.ts';

/** What the pages of the platform team are made of. */
export interface AdminPagesParts {
  readonly authenticate: RequestHandler;
  readonly usage: UsageCounters;
  readonly reports: Reports;
  readonly metrics: Metrics;
  /** Whether anybody may read the metrics. */
  readonly metricsPublic: boolean;
  readonly translator: Translator;
  readonly newestSemver: string;
  readonly database: Database;
  readonly history: History;
  readonly serviceDate: ServiceDate;
  readonly lifecycle: Pick<Lifecycle, 'renew'>;
  readonly audit: AuditTrail;
}

const PAGES = /^\/(?:admin\/|metrics\/?$)/i;
const DAYS_DEFAULT = 30;
const DAYS_MAX = 400;

/** Pages for whoever runs the service: a key with the scope `admin`, and no version. */
export function adminPages(parts: AdminPagesParts): RequestHandler {
  const { authenticate, usage, reports, metrics, translator, newestSemver } = parts;
  const releases: ReadonlySet<string> = new Set(translator.catalogue.releases.map(({ id }) => id));
  const admin = compose([takeCredential(), authenticate, recordAct(), requireOperator()]);
  const answer = (response: Response, data: unknown): void =>
    sendJson(response, 200, envelope(exchangeOf(response), newestSemver, 'data', data));

  /** Flushes this gateway's counts, so that the answer includes them; other gateways flush within `USAGE_FLUSH_MS`. */
  const flush = (): Promise<void> =>
    usage.flush().catch((cause: unknown) => {
      throw new Fault('unavailable', { headers: { 'retry-after': '5' }, cause });
    });

  const router = Router();
  router.get('/admin/usage', async (_request, response) => {
    const query = readQuery(response, ['version', 'days']);
    const release = readRelease(query, 'version', releases);
    const days = readDays(query);
    await flush();
    answer(response, { days, ...(await reports.usage(release, days)) });
  });
  router.get('/admin/upgrade', async (_request, response) => {
    const query = readQuery(response, ['account', 'to', 'days']);
    const account = query.get('account') ?? missing('account');
    const to = readRelease(query, 'to', releases);
    const days = readDays(query);
    await flush();
    const report = await reports.upgrade(account, to, days);
    if (!report) throw new Fault('not_found');
    answer(response, { days, ...report });
  });
  router.get('/admin/retirement', async (_request, response) => {
    const query = readQuery(response, ['version', 'days']);
    const release = readRelease(query, 'version', releases);
    const days = readDays(query);
    await flush();
    answer(response, { days, ...(await reports.retirement(release, days)) });
  });
  router.get('/metrics', async (_request, response) => {
    const text = await metrics.text();
    putCommonHeaders(response, exchangeOf(response));
    response.setHeader('content-type', metrics.contentType);
    response.setHeader('content-length', Buffer.byteLength(text));
    response.end(text);
  });
  router.use(adminRouter([...accountsApi(parts), ...lifecycleApi(parts)], parts.audit, newestSemver));
  router.all(['/admin/usage', '/admin/upgrade', '/admin/retirement', '/metrics'], () => {
    throw new Fault('method_not_allowed', { headers: { allow: 'GET, HEAD' } });
  });
  router.use(() => {
    throw new Fault('route_unknown');
  });

  return (request, response, next) => {
    const { path } = exchangeOf(response);
    if (!PAGES.test(path)) next();
    else if (parts.metricsPublic && /^\/metrics/i.test(path)) router(request, response, next);
    else
      admin(request, response, (error?: unknown) =>
        error === undefined ? router(request, response, next) : next(error),
      );
  };
}

const ACTS: Readonly<Record<string, string>> = {
  '/admin/usage': 'admin.usage',
  '/admin/upgrade': 'admin.upgrade',
  '/admin/retirement': 'admin.retirement',
};

/** Has the audit trail record who looked at what, and who tried. The metrics speak of nobody and are read all the time. */
function recordAct(): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    const path = exchange.path.toLowerCase().replace(/\/$/, '');
    const operation = Object.hasOwn(ACTS, path) ? ACTS[path] : undefined;
    if (operation !== undefined) {
      const account = new URLSearchParams(exchange.search).get('account');
      exchange.adminAct = { operation, resourceIds: account === null ? [] : [identifier(account)] };
    }
    next();
  };
}

/**
 * The pages speak of every account, so the keys of a customer do not open them, not even those that may do everything
 * in its own account. A key in the URL would be written to logs, whatever it may do.
 */
function requireOperator(): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    const { place } = known(exchange.credential, 'credential');
    exchange.credential = undefined;
    if (place !== 'header') throw new Fault('credential_place_retired', { headers: { 'www-authenticate': 'Bearer' } });
    if (!known(exchange.caller, 'caller').scopes.includes(OPERATOR)) throw new Fault('scope_missing');
    next();
  };
}

function readQuery(response: Response, names: readonly string[]): URLSearchParams {
  const query = new URLSearchParams(exchangeOf(response).search);
  for (const name of query.keys()) {
    if (!names.includes(name)) throw invalidParameter(name.slice(0, 100), 'unknown_parameter');
    if (query.getAll(name).length > 1) throw invalidParameter(name, 'repeated_parameter');
  }
  return query;
}

function readRelease(query: URLSearchParams, name: string, releases: ReadonlySet<string>): string {
  const text = query.get(name) ?? missing(name);
  const release = text.startsWith('v') ? text.slice(1) : text;
  if (!releases.has(release)) throw invalidParameter(name, 'not_allowed_value');
  return release;
}

function readDays(query: URLSearchParams): number {
  const text = query.get('days');
  if (text === null) return DAYS_DEFAULT;
  if (!/^\d{1,9}$/.test(text)) throw invalidParameter('days', 'wrong_type');
  const days = Number(text);
  if (days < 1) throw invalidParameter('days', 'too_small');
  if (days > DAYS_MAX) throw invalidParameter('days', 'too_large');
  return days;
}

function missing(name: string): never {
  throw invalidParameter(name, 'required');
}
