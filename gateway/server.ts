import { Agent } from 'node:http';
import { createDatabase } from '@perennial/prisma/client.ts';
import { head } from '@perennial/schemas/contract.ts';
import { type History, history as shippedHistory } from '@perennial/schemas/history.ts';
import type { Logger } from '@perennial/schemas/http/logger.ts';
import { checkHistory, newestFirst } from '@perennial/schemas/lifecycle.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { createApp } from './app.ts';
import { createAuditTrail } from './audit/trail.ts';
import type { GatewayConfig } from './config.ts';
import { createCoreClient } from './forward/core-client.ts';
import { createRateLimit } from './limits.ts';
import { listen } from './listener.ts';
import { createMetrics } from './metrics.ts';
import { createUsageCounters } from './usage/counters.ts';
import { createServiceDate, type ServiceDate } from './version/service-date.ts';
import { startWebhooks, type WebhookOverrides } from './webhooks/start.ts';

/** A gateway that listens. */
export interface RunningGateway {
  readonly url: string;
  readonly serviceDate: ServiceDate;
  /** Stops accepting, lets open requests end (within the drain time), then closes core's connections and the database. Safe to call twice. */
  stop(): Promise<void>;
}

const CORE_SOCKETS_MAX = 256;

/** What can stand in for the shipped parts: the preview example, and tests. */
export interface GatewayOverrides {
  readonly history?: History;
  readonly translator?: Translator;
  readonly webhooks?: WebhookOverrides;
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
  const translator = overrides.translator ?? createTranslator(head, history, releases);
  const serviceDate = createServiceDate(history, config.serviceDate);
  const database = createDatabase(config.databaseUrl, { applicationName: 'perennial-gateway' });
  const core = createCoreClient(config.coreUrl, config.coreTimeoutMs, config.answerBytesMax);
  const coreAgent = new Agent({ keepAlive: true, maxSockets: CORE_SOCKETS_MAX, maxFreeSockets: CORE_SOCKETS_MAX });
  const rates = createRateLimit(perProcess(config), config.redisUrl, logger);
  const rateLimiter = rates.limiter;
  const metrics = createMetrics();
  const audit = createAuditTrail(
    database,
    { delayMaxMs: config.auditDelayMaxMs, queueMax: config.auditQueueMax },
    logger,
  );
  const usage = createUsageCounters(database, config.usageFlushMs, logger);
  metrics.gauge(
    'perennial_audit_waiting',
    'Entries of the audit trail that are not in the database yet.',
    audit.waiting,
  );
  const app = createApp({
    config,
    history,
    serviceDate,
    translator,
    database,
    core,
    coreAgent,
    rateLimiter,
    audit,
    usage,
    metrics,
    logger,
  });
  const listener = await listen(app, config.host, config.port, newestFirst(history)[0]?.semver ?? '0.0.0');
  const webhooks = config.webhookDelivery
    ? startWebhooks({ config, core, translator, serviceDate, audit, metrics, logger }, overrides.webhooks)
    : undefined;
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await Promise.all([listener.stop(config.drainTimeoutMs), webhooks?.stop()]);
    rates.close();
    coreAgent.destroy();
    await core.close();
    // What the last answers were must be on record before the database closes.
    await Promise.all([audit.stop(config.drainTimeoutMs), usage.stop(config.drainTimeoutMs)]);
    await database.$disconnect();
  };
  return {
    url: listener.url,
    serviceDate,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Redis counts for all; in memory each worker counts its share, since connections are dealt out evenly. */
function perProcess({ ratePerMinute, redisUrl, workers }: GatewayConfig): number {
  return redisUrl === undefined ? Math.ceil(ratePerMinute / workers) : ratePerMinute;
}
