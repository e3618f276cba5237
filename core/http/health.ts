import type { RequestHandler, Response } from 'express';

/** What the probes ask. */
export interface Health {
  /** Whether the database answers. */
  readonly isReady: () => Promise<boolean>;
  /** Whether the service is about to stop. */
  readonly isStopping: () => boolean;
}

const READY_TIMEOUT_MS = 2_000;

/**
 * `GET /health`: the process answers. `GET /ready`: it can do its work; checked anew each time, so that it recovers
 * with the database. The two need no token: probes have none.
 */
export function answerProbes(health: Health): RequestHandler {
  return async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    if (request.path === '/health') return send(response, 200, 'ok');
    if (request.path !== '/ready') return next();
    if (health.isStopping()) return send(response, 503, 'stopping');
    const isReady = await withTimeout(health.isReady());
    send(response, isReady ? 200 : 503, isReady ? 'ready' : 'database_unavailable');
  };
}

async function withTimeout(check: Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), READY_TIMEOUT_MS);
  check.then(resolve, () => resolve(false));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

function send(response: Response, status: number, word: string): void {
  const body = JSON.stringify({ status: word });
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}
