import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { newId } from '@perennial/schemas/platform/ids.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { anyProcess } from '../credentials/core-identity.ts';
import { createCoreClient } from '../forward/core-client.ts';
import { listen } from '../listener.ts';
import { createServiceDate } from '../version/service-date.ts';
import { createProxyApp } from './app.ts';
import type { ForeignService } from './load.ts';
import { problemOf } from './problem.ts';
import type { ProxySettings } from './settings.ts';

const SOCKETS_MAX = 256;

/** A proxy that listens. */
export interface RunningProxy {
  readonly url: string;
  /** Stops accepting and lets open requests end, within the drain time. */
  stop(): Promise<void>;
}

/** Stands in front of a service and serves every version of it. */
export async function startProxy(
  settings: ProxySettings,
  service: ForeignService,
  logger: Logger,
): Promise<RunningProxy> {
  const { upstream, timeoutMs, answerBytesMax, host, port } = settings;
  const client = createCoreClient({
    url: upstream.origin,
    pathPrefix: upstream.pathname.replace(/\/$/, ''),
    timeoutMs,
    answerBytesMax,
    signer: undefined,
    identity: anyProcess,
    tls: undefined,
  });
  const sockets = { keepAlive: true, maxSockets: SOCKETS_MAX, maxFreeSockets: SOCKETS_MAX };
  const agent = upstream.protocol === 'https:' ? new SecureAgent(sockets) : new Agent(sockets);
  const serviceDate = createServiceDate(service.history, settings.date);
  const app = createProxyApp({ ...service, settings, serviceDate, client, agent, logger });
  const listener = await listen(app, host, port, (code) => ({
    headers: { 'x-request-id': newId('req'), 'content-type': 'application/problem+json' },
    body: JSON.stringify(problemOf(new Fault(code))),
  }));
  return {
    url: listener.url,
    async stop() {
      await listener.stop(settings.drainTimeoutMs);
      agent.destroy();
      await client.close();
    },
  };
}
