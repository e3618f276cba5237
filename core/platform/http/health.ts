import type { Request, RequestHandler, Response } from 'express';

/** What the health probes check. */
export interface Health {
  /** Whether the database answers and takes writes. */
  readonly isReady: () => Promise<boolean>;
  /** Whether there is room for files. */
  readonly hasRoom: () => Promise<boolean>;
  /** Whether the service is about to stop. */
  readonly isStopping: () => boolean;
  /** Whether the token of a request would be taken. */
  readonly isTrusted: (request: Request) => boolean;
}

const READY_TIMEOUT_MS = 800;
const KNOWN_MS = 1_000;

/**
 * `GET /health`: the process answers. `GET /ready`: it can do its work; checked anew every second at most, so that it
 * recovers with the database. The two need no token: probes have none. The gateway shows the one that its requests
 * carry, for a core that would refuse them is of no use to it.
 */
export function answerProbes(health: Health): RequestHandler {
  let known: Promise<string> | undefined;
  let until = 0;
  const check = async (): Promise<string> => {
    if (!(await withTimeout(health.isReady()))) return 'database_unavailable';
    return (await withTimeout(health.hasRoom())) ? 'ready' : 'storage_full';
  };
  return async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    if (request.path === '/health') return send(response, 200, 'ok');
    if (request.path !== '/ready') return next();
    if (health.isStopping()) return send(response, 503, 'stopping');
    if (request.headers.authorization !== undefined && !health.isTrusted(request))
      return send(response, 401, 'token_refused');
    if (known === undefined || performance.now() > until) {
      known = check();
      until = performance.now() + KNOWN_MS;
    }
    const word = await known;
    send(response, word === 'ready' ? 200 : 503, word);
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
