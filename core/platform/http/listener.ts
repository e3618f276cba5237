import type { RequestListener } from 'node:http';
import type { TlsOptions } from 'node:tls';
import { errorBody, Fault } from '@perennial/schemas/platform/http/fault.ts';
import { type Listener, listen as listenWith } from '@perennial/schemas/platform/http/listener.ts';
import { newId } from '@perennial/schemas/platform/ids.ts';
import { serialise } from './envelope.ts';
import type { CoreTls } from './tls.ts';

/** Longer than the gateway keeps an idle connection, so that core never closes one that is about to be used. */
const KEEP_ALIVE_TIMEOUT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 60_000;

/** Starts listening. @throws what the system says when the address cannot be used. */
export function listen(app: RequestListener, host: string, port: number, tls: CoreTls | undefined): Promise<Listener> {
  return listenWith(app, {
    host,
    port,
    ...(tls ? { tls: tlsOptions(tls) } : {}),
    keepAliveTimeoutMs: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    unreadable: (code) => {
      const envelope = { requestId: newId('req'), timestamp: new Date().toISOString(), processingTimeMs: 0 };
      return { headers: {}, body: serialise(envelope, 'error', errorBody(new Fault(code))) };
    },
  });
}

function tlsOptions({ cert, key, clientCa }: CoreTls): TlsOptions {
  return { cert, key, ...(clientCa ? { ca: clientCa, requestCert: true, rejectUnauthorized: true } : {}) };
}
