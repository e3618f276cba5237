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

/** Names this process in every answer, so that the gateway can address tokens to it alone. */
export function nameInstance({ instance }: RequestVerifier): RequestHandler {
  return (_request, response, next) => {
    response.setHeader(CORE_INSTANCE_HEADER, instance);
    next();
  };
}

/** Only the gateway may call core. Without an internal token nothing is revealed, not even which routes exist. */
export function authenticate(verifier: RequestVerifier, sharedRequests: SharedRequests): RequestHandler {
  return (request, response, next) => {
    const token = tokenOf(request);
    const caller = verifier.take(token, request.method, request.originalUrl);
    if (typeof caller === 'string') throw refusal();
    const goOn = (): Promise<void> => {
      exchangeOf(response).caller = caller;
      // From here on every query runs for this account, or for all accounts when the gateway itself asks.
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
