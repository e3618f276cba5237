import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';

/** An application that runs one express handler, and what its requests and responses are made of. */
export interface ExpressApp {
  readonly listener: RequestListener;
  readonly classes: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

/**
 * Runs a handler for every request, with express's requests and responses. Express makes these by changing the
 * prototype of what Node gives it, for each request, and then looks for the route. Here Node makes them right at once,
 * and there is one route.
 * @param failed is told what the handler throws or passes to `next`.
 */
export function expressApp(handler: RequestHandler, failed: (error: unknown, response: Response) => void): ExpressApp {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  return {
    classes: { IncomingMessage: AppRequest, ServerResponse: AppResponse },
    listener(plainRequest, plainResponse) {
      const request = plainRequest as Request;
      const response = plainResponse as Response;
      request.res = response;
      handler(request, response, (error?: unknown) =>
        failed(error ?? new Error('no handler answered the request'), response),
      );
    },
  };
}
