import { asAccount, asSystem } from '@perennial/prisma/scope.ts';
import { DELIVERY_SCOPE } from '@perennial/schemas/internal/webhooks.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import {
  CORE_INSTANCE_HEADER,
  type RequestVerifier,
  sharedRequestOf,
} from '@perennial/schemas/platform/internal-token.ts';
import type { Request, RequestHandler } from 'express';
import { exchangeOf } from './exchange.ts';
import type { SharedRequests } from './shared-requests.ts';

/** Says in every answer which process gave it: requests that are meant for it can be sent to no other. */
export function nameInstance({ instance }: RequestVerifier): RequestHandler {
  return (_request, response, next) => {
    response.setHeader(CORE_INSTANCE_HEADER, instance);
    next();
  };
}

/** Core answers the gateway only: whoever has no internal token learns nothing, not even which routes exist. */
export function authenticate(verifier: RequestVerifier, sharedRequests: SharedRequests): RequestHandler {
  return (request, response, next) => {
    const token = tokenOf(request);
    const caller = verifier.take(token, request.method, request.originalUrl);
    if (typeof caller === 'string') throw refusal();
    const goOn = (): Promise<void> => {
      exchangeOf(response).caller = caller;
      // Whatever is asked of the database from here on is asked for this account, or by the gateway for all of them.
      return caller.scopes.includes(DELIVERY_SCOPE) ? asSystem('webhooks', next) : asAccount(caller.accountId, next);
    };
    const shared = sharedRequestOf(token);
    if (shared === undefined) return goOn();
    return sharedRequests.take(shared).then((isFirst) => {
      if (!isFirst) throw refusal();
      return goOn();
    });
  };
}

function refusal(): Fault {
  return new Fault('credential_invalid', {
    message: 'The internal token is missing or not valid.',
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** The token of a request; empty when it has none. */
export function tokenOf({ headers }: Request): string {
  const header = headers.authorization ?? '';
  return /^bearer /i.test(header) ? header.slice(7).trim() : '';
}
