import { type Listener, type ListenOptions, listen as listenWith } from '@perennial/schemas/platform/http/listener.ts';
import type { ExpressApp } from './express-app.ts';

/** Longer than load balancers keep an idle connection, so that none is closed while it is about to be used. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const REQUEST_TIMEOUT_MS = 120_000;

/**
 * Starts listening. @param unreadable what is answered where a request could not even be read.
 * @throws what the system says when the address cannot be used.
 */
export function listen(
  app: ExpressApp,
  host: string,
  port: number,
  unreadable: ListenOptions['unreadable'],
  tls?: ListenOptions['tls'] | undefined,
): Promise<Listener> {
  return listenWith(app.listener, {
    classes: app.classes,
    host,
    port,
    ...(tls ? { tls } : {}),
    keepAliveTimeoutMs: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    unreadable,
  });
}
