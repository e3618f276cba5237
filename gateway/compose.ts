import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * One handler that runs the given ones in order, as express would, without asking for each whether its path fits: all
 * of them concern every request. A handler that throws or rejects ends the chain with its error.
 */
export function compose(handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, done) => run(handlers, 0, request, response, done);
}

function run(
  handlers: readonly RequestHandler[],
  index: number,
  request: Request,
  response: Response,
  done: NextFunction,
): void {
  const handler = handlers[index];
  if (!handler) {
    done();
    return;
  }
  const next = (error?: unknown): void => {
    if (error === undefined) run(handlers, index + 1, request, response, done);
    else done(error);
  };
  try {
    const result = handler(request, response, next) as unknown;
    if (result instanceof Promise) result.catch(done);
  } catch (error) {
    done(error);
  }
}
