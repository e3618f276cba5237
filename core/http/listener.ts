import type { RequestListener } from 'node:http';
import { newId } from '@perennial/prisma/ids.ts';
import { Fault } from '@perennial/schemas/http/fault.ts';
import { type Listener, listen as listenWith } from '@perennial/schemas/http/listener.ts';
import { errorBody, serialise } from './envelope.ts';

/** Longer than the gateway keeps a connection unused. */
const KEEP_ALIVE_TIMEOUT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 60_000;

/** Starts listening. @throws what the system says when the address cannot be used. */
export function listen(app: RequestListener, host: string, port: number): Promise<Listener> {
  return listenWith(app, {
    host,
    port,
    keepAliveTimeoutMs: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    unreadable: (code) => {
      const envelope = { requestId: newId('req'), timestamp: new Date().toISOString(), processingTimeMs: 0 };
      return { headers: {}, body: serialise(envelope, 'error', errorBody(new Fault(code))) };
    },
  });
}
