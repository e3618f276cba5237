import { Readable } from 'node:stream';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { CoreClient, CoreRequest } from './core-client.ts';
import { type CoreFailure, coreFailureOf } from './core-failure.ts';
import type { Core, Cores } from './cores.ts';

const READS = new Set(['GET', 'HEAD']);

/** Idempotent as they are: RFC 9110, section 9.2.2. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/** Whether carrying it out twice is carrying it out once. Of a patch only where it names the state that it is for. */
export function isRepeatable(method: string, headers: Readonly<Record<string, unknown>>): boolean {
  if (IDEMPOTENT.has(method)) return true;
  return headers[method === 'PATCH' ? 'if-match' : 'idempotency-key'] !== undefined;
}

/** What a write that is sent again may be answered because the first one was carried out. */
const PERHAPS_DONE = new Set([404, 409, 410, 412]);

/**
 * Whether the answer to a repetition says nothing of the request: the object may be gone, or another than If-Match
 * names, because of what was sent first.
 */
function isAmbiguous({ method, headers }: CoreRequest, status: number): boolean {
  // The answer that core keeps for a key is the one to the request, whichever try got it.
  const isKept = method === 'POST' && headers['idempotency-key'] !== undefined;
  return !READS.has(method) && !isKept && PERHAPS_DONE.has(status);
}

const TRIES_MAX = 3;

/**
 * What is left to try: another core, or the same one where only a connection was lost. What may have been carried out
 * is sent again only if it is the same to carry it out twice.
 */
export function mayTryAgain(failure: CoreFailure, tries: number, cores: Cores, repeatable: boolean): boolean {
  if (tries >= TRIES_MAX) return false;
  return failure === 'unreached' ? tries < cores.all.length : repeatable;
}

/** Asks one of several cores, and another one when that fails and it is safe. */
export function createFailover(cores: Cores): CoreClient {
  const over = async <T>(
    request: CoreRequest,
    send: (client: CoreClient) => Promise<T>,
    statusOf: (answer: T) => number,
  ): Promise<T> => {
    let tried: Set<Core> | undefined;
    // Of which nobody knows what became.
    let brokenOff: unknown;
    for (let tries = 1; ; tries += 1) {
      const core = cores.pick(tried);
      try {
        const answer = await send(core.client);
        if (brokenOff !== undefined && isAmbiguous(request, statusOf(answer))) throw new Unknowable(brokenOff);
        return answer;
      } catch (error) {
        if (error instanceof Unknowable) throw error.cause;
        const failure = request.signal?.aborted ? undefined : coreFailureOf(error);
        if (failure === undefined) throw error;
        cores.failed(core);
        if (failure === 'broken off') brokenOff = error;
        tried = (tried ?? new Set()).add(core);
        // A stream can be read once.
        const isWhole = !(request.body instanceof Readable);
        if (
          !isWhole ||
          !mayTryAgain(failure, tries, cores, request.repeatable ?? isRepeatable(request.method, request.headers))
        )
          // That no core is there now does not say that the one before did nothing.
          throw brokenOff !== undefined && !READS.has(request.method) ? brokenOff : error;
      }
    }
  };
  const [any] = [cores.pick()];
  return {
    fetch: (request) => over(request, (client) => client.fetch(request), statusOf),
    fetchEncoded: (request) => over(request, (client) => client.fetchEncoded(request), statusOf),
    open: (request) =>
      over(
        request,
        (client) => client.open(request),
        ({ statusCode }) => statusCode,
      ),
    // Whoever began it, reading is the same.
    collect: (answer) => any.client.collect(answer),
    close: () => cores.close(),
  };
}

const statusOf = ({ status }: { readonly status: number }): number => status;

/** What the first try came to is what the client is told. */
class Unknowable extends Error {
  override readonly name = 'Unknowable';
  constructor(cause: unknown) {
    super('the answer to the repetition says nothing', { cause });
  }
}

/** Says that a core failed an exchange. @returns true when another one is asked. */
export type TakeElsewhere = (error: unknown, request: Request, response: Response) => boolean;

interface Spread {
  readonly tried: Set<Core>;
  latest: Core | undefined;
  tries: number;
  readonly next: NextFunction;
}

/**
 * Deals exchanges out whose bodies stream. A body that has begun to flow cannot be sent twice, so only what has none is
 * taken to another core.
 * @param handlerOf makes the handler that asks one core.
 */
export function createSpread(
  cores: Cores,
  handlerOf: (core: Core, takeElsewhere: TakeElsewhere) => RequestHandler,
): RequestHandler {
  const spreads = new WeakMap<Response, Spread>();
  const takeElsewhere: TakeElsewhere = (error, request, response) => {
    const spread = spreads.get(response);
    const failure = coreFailureOf(error);
    if (!spread?.latest || failure === undefined) return false;
    cores.failed(spread.latest);
    const isBodyless = request.method === 'GET' || request.method === 'HEAD';
    if (response.headersSent || !isBodyless || !mayTryAgain(failure, spread.tries, cores, true)) return false;
    ask(request, response, spread);
    return true;
  };
  const handlers = new Map(cores.all.map((core) => [core, handlerOf(core, takeElsewhere)]));
  const ask = (request: Request, response: Response, spread: Spread): unknown => {
    const core = cores.pick(spread.tried);
    spread.tried.add(core);
    spread.latest = core;
    spread.tries += 1;
    return handlers.get(core)?.(request, response, spread.next);
  };
  return (request, response, next) => {
    const spread = { tried: new Set<Core>(), latest: undefined, tries: 0, next };
    spreads.set(response, spread);
    return ask(request, response, spread) as ReturnType<RequestHandler>;
  };
}
