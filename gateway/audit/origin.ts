import { details } from '@perennial/schemas/errors.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { PURPOSE_HEADER, purposesOfUse } from '@perennial/schemas/purpose-of-use.ts';
import type { Request, RequestHandler } from 'express';
import { clientOf, NO_CLIENT } from '../usage/client.ts';

/** Where an access came from, as far as it is known. */
export interface Origin {
  /** The address of the client. */
  readonly address: string | null;
  /** `<client_name>/<client_version>` as the client names itself. */
  readonly client: string | null;
  /** A code of HL7’s PurposeOfUse. */
  readonly purpose: string | null;
}

/** Of what the service does by itself. */
export const NO_ORIGIN: Origin = { address: null, client: null, purpose: null };

const PURPOSE = PURPOSE_HEADER.toLowerCase();
const purposes: ReadonlySet<string> = new Set(purposesOfUse);

/** @param address of the client, as far as the gateway can tell it from those of proxies. */
export function originOf(address: string, { headers }: Request): Origin {
  const client = clientOf(headers['x-service-client']);
  const purpose = headers[PURPOSE];
  return {
    address,
    client: client === NO_CLIENT ? null : client,
    purpose: typeof purpose === 'string' && purposes.has(purpose) ? purpose : null,
  };
}

/** 422 for a purpose that is none: what cannot be put on record must not look as if it were. */
export function checkPurpose(): RequestHandler {
  return (request, _response, next) => {
    const purpose = request.headers[PURPOSE];
    if (purpose !== undefined && !(typeof purpose === 'string' && purposes.has(purpose)))
      throw new Fault('validation_failed', {
        details: [{ code: 'not_allowed_value', message: details.not_allowed_value, header: PURPOSE_HEADER }],
      });
    next();
  };
}
