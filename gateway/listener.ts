import { newId } from '@perennial/prisma/ids.ts';
import { documentationUrl, errors } from '@perennial/schemas/errors.ts';
import { type Listener, listen as listenWith } from '@perennial/schemas/http/listener.ts';
import type { ExpressApp } from './express-app.ts';
import { commonHeaders } from './version/headers.ts';

/** Longer than load balancers keep a connection unused. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const REQUEST_TIMEOUT_MS = 120_000;

/**
 * Starts listening. @param semver what `meta.version` says where a request could not even be read.
 * @throws what the system says when the address cannot be used.
 */
export function listen(app: ExpressApp, host: string, port: number, semver: string): Promise<Listener> {
  return listenWith(app.listener, {
    classes: app.classes,
    host,
    port,
    keepAliveTimeoutMs: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    unreadable: (code) => {
      const requestId = newId('req');
      return {
        headers: { 'x-request-id': requestId, ...commonHeaders },
        body: JSON.stringify({
          requestId,
          timestamp: new Date().toISOString(),
          meta: { processingTimeMs: 0, version: semver },
          error: { code, message: errors[code].message, details: [], documentation_url: documentationUrl(code) },
        }),
      };
    },
  });
}
