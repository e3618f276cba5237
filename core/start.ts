import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { listen } from './http/listener.ts';
import { createServices, type Services } from './services.ts';

/** Core, running. */
export interface RunningCore {
  /** Where it listens. */
  readonly url: string;
  readonly services: Services;
  /** Stops accepting, drains, closes the database; in this order. Safe to call twice. */
  stop(): Promise<void>;
}

/** Starts core. The database need not be there yet: until it is, requests are answered 503. */
export async function startCore(config: Config): Promise<RunningCore> {
  const services = createServices(config);
  let isStopping = (): boolean => false;
  const app = createApp(config, services, () => isStopping());
  const listener = await listen(app, config.host, config.port);
  isStopping = listener.isStopping;
  let stopped: Promise<void> | undefined;
  return {
    url: listener.url,
    services,
    stop: () => {
      stopped ??= listener.stop(config.drainTimeoutMs).then(() => services.database.$disconnect());
      return stopped;
    },
  };
}
