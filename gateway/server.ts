import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '@perennial/prisma/client.ts';
import { startTelemetry } from '@perennial/prisma/telemetry.ts';
import { head } from '@perennial/schemas/contract.ts';
import { type History, history as shippedHistory } from '@perennial/schemas/history.ts';
import { checkHistory, newestFirst } from '@perennial/schemas/lifecycle.ts';
import { RequestSigner } from '@perennial/schemas/platform/internal-token.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { createApp } from './app.ts';
import { type HeadsOptions, startHeads } from './audit/heads.ts';
import { readAuditKeys } from './audit/keys.ts';
import { createSpool } from './audit/spool.ts';
import { createAuditTrail } from './audit/trail.ts';
import type { GatewayConfig } from './config.ts';
import { CoreIdentity } from './credentials/core-identity.ts';
import { forgetChangedKeys } from './credentials/key-changes.ts';
import { createKeyStore } from './credentials/key-store.ts';
import { createKeyUse } from './credentials/key-use.ts';
import { createTokens } from './credentials/oauth/tokens.ts';
import { createUnreadablePage } from './error-page.ts';
import { createCoreClient } from './forward/core-client.ts';
import { createProbe } from './forward/core-probe.ts';
import { createCores } from './forward/cores.ts';
import { createFailover } from './forward/failover.ts';
import { followLifecycle } from './lifecycle/store.ts';
import { createRateLimit } from './limits.ts';
import { listen } from './listener.ts';
import { createMetrics } from './metrics.ts';
import { createMirror } from './mirror/mirror.ts';
import { createReadiness } from './readiness.ts';
import { createRoutes } from './routing.ts';
import { createUsageCounters } from './usage/counters.ts';
import { createNameVersion } from './version/middleware.ts';
import { createServiceDate, type ServiceDate } from './version/service-date.ts';
import { startWebhooks, type WebhookOverrides } from './webhooks/start.ts';

/** A gateway that listens. */
export interface RunningGateway {
  readonly url: string;
  readonly serviceDate: ServiceDate;
  /** Stops accepting, lets open requests end (within the drain time), then closes core's connections and the database. Safe to call twice. */
  stop(isAnnounced?: boolean): Promise<void>;
}

const CORE_SOCKETS_MAX = 256;
const CLOSE_MS_MAX = 2_000;

/** What can stand in for the shipped parts: the preview example, and tests. */
export interface GatewayOverrides {
  readonly history?: History;
  readonly translator?: Translator;
  readonly webhooks?: WebhookOverrides;
  /** Resolves when the port may be used; everything else is ready by then. */
  readonly mayListen?: () => Promise<void>;
}

/**
 * Checks the history, derives every contract, compiles every plan and listens.
 * @throws {HistoryInvalid} {CatalogueInvalid} when either is refused; nothing listens then.
 */
export async function startGateway(
  config: GatewayConfig,
  logger: Logger,
  overrides: GatewayOverrides = {},
): Promise<RunningGateway> {
  const history = overrides.history ?? shippedHistory;
  checkHistory(history);
  const translator = overrides.translator ?? createTranslator(head, history, releases, { compile: 'asked' });
  const serviceDate = createServiceDate(history, config.serviceDate);
  const database = createDatabase(config.databaseUrl, { applicationName: 'perennial-gateway' });
  const keys = createKeyStore(database, config.keyCacheMs);
  const lifecycle = followLifecycle({ database, databaseUrl: config.databaseUrl, history, logger }, serviceDate.use);
  const keyUse = createKeyUse(database, logger);
  const keyChanges = forgetChangedKeys(config.databaseUrl, keys, logger);
  const signer = new RequestSigner(config.internalSecret);
  const { coreUrls, coreTimeoutMs: timeoutMs, answerBytesMax, coreTls: tls } = config;
  const cores = createCores(
    coreUrls.map((url) => {
      const identity = new CoreIdentity();
      const client = createCoreClient({ url, timeoutMs, answerBytesMax, signer, identity, tls });
      return { url, client, identity, probe: createProbe(client) };
    }),
    logger,
  );
  const core = createFailover(cores);
  const sockets = { keepAlive: true, maxSockets: CORE_SOCKETS_MAX, maxFreeSockets: CORE_SOCKETS_MAX };
  const isSecure = coreUrls[0]?.startsWith('https:') === true;
  const coreAgent = isSecure ? new SecureAgent({ ...sockets, ...tls }) : new Agent(sockets);
  const rates = createRateLimit(config, logger);
  const rateLimiter = rates.limiter;
  const metrics = createMetrics();
  metrics.daysToSunset(serviceDate);
  const telemetry = await startTelemetry(config.telemetry, 'perennial-gateway', metrics.list, (why) =>
    logger.warn('traces and metrics are not received', { why }),
  );
  const auditing = readAuditKeys(config.auditKey, config.auditKeyFile);
  const { auditSpoolDir } = config;
  const spool = auditSpoolDir === undefined ? undefined : createSpool(auditSpoolDir, database, logger);
  const audit = createAuditTrail(
    database,
    auditing,
    { delayMaxMs: config.auditDelayMaxMs, queueMax: config.auditQueueMax, spool },
    logger,
  );
  const usage = createUsageCounters(database, config.usageFlushMs, logger);
  metrics.gauge(
    'perennial_audit_waiting',
    'Entries of the audit trail that are not in the database yet.',
    audit.waiting,
  );
  let isStopping = (): boolean => false;
  const mirror = config.mirror && createMirror({ ...config.mirror, translator, metrics, logger });
  const app = createApp({
    config,
    history,
    serviceDate,
    translator,
    database,
    keys,
    core,
    cores,
    readiness: createReadiness(database, cores, () => isStopping()),
    coreAgent,
    signer,
    rateLimiter,
    ownRates: rates.own,
    lifecycle,
    noteUse: keyUse.note,
    tokens: config.oauth ? createTokens(config.oauth, database, logger) : undefined,
    audit,
    usage,
    metrics,
    tracing: telemetry?.tracing,
    mirror,
    logger,
  });
  const [newest] = newestFirst(history);
  if (!newest) throw new Error('the history names no release');
  const roots = createRoutes(translator).roots;
  const unreadable = createUnreadablePage(translator, createNameVersion(serviceDate, roots), newest);
  await overrides.mayListen?.();
  const listener = await listen(app, config.host, config.port, unreadable, config.tls);
  isStopping = listener.isStopping;
  void spool?.recover((access) => audit.commit(access));
  const webhooks = config.webhookDelivery
    ? startWebhooks({ config, core, translator, serviceDate, audit, metrics, logger }, overrides.webhooks)
    : undefined;
  const heads = startHeads(database, auditing, audit, headsOptions(config), logger);
  let stopped: Promise<void> | undefined;
  const stop = async (isAnnounced: boolean): Promise<void> => {
    await Promise.all([listener.stop(config.drainTimeoutMs, isAnnounced ? config.drainDelayMs : 0), webhooks?.stop()]);
    rates.close();
    coreAgent.destroy();
    await Promise.all([core.close(), mirror?.close()]);
    // The audit entries of the last answers must be written before the database closes.
    await Promise.all([audit.stop(config.drainTimeoutMs), usage.stop(config.drainTimeoutMs)]);
    await heads.stop();
    await Promise.all([keyChanges.stop(), lifecycle.stop(), keyUse.stop()]);
    await telemetry?.stop();
    // A statement may be waiting for a lock; the wait is bounded.
    await Promise.race([database.$disconnect(), sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
  };
  return {
    url: listener.url,
    serviceDate,
    stop(isAnnounced = true) {
      stopped ??= stop(isAnnounced);
      return stopped;
    },
  };
}

function headsOptions({ auditHeadsFile, auditHeadsUrl, auditHeadsIntervalMs }: GatewayConfig): HeadsOptions {
  return { file: auditHeadsFile, url: auditHeadsUrl, intervalMs: auditHeadsIntervalMs };
}
