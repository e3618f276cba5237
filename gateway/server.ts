import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDatabase } from '@perennial/prisma/client.ts';
import { head } from '@perennial/schemas/contract.ts';
import { type History, history as shippedHistory } from '@perennial/schemas/history.ts';
import type { Logger } from '@perennial/schemas/http/logger.ts';
import { checkHistory } from '@perennial/schemas/lifecycle.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { createApp } from './app.ts';
import type { GatewayConfig } from './config.ts';
import { createCoreClient } from './forward/core-client.ts';
import { createServiceDate, type ServiceDate } from './version/service-date.ts';

/** A gateway that listens. */
export interface RunningGateway {
  readonly url: string;
  readonly serviceDate: ServiceDate;
  /** Stops accepting, lets open requests end (within the drain time), then closes core's connections and the database. */
  stop(): Promise<void>;
}

/** What can stand in for the shipped parts: the preview example, and tests. */
export interface GatewayOverrides {
  readonly history?: History;
  readonly translator?: Translator;
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
  const app = createApp({ config, history, serviceDate, translator, database, core, logger });
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 120_000, maxHeaderSize: 16_384 }, app);
  await listen(server, config.port, config.host);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    serviceDate,
    async stop() {
      await drain(server, config.drainTimeoutMs);
      await core.close();
      await database.$disconnect();
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function drain(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
