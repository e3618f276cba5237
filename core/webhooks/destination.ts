import { lookup } from 'node:dns/promises';
import { addressOfHost, isPublicAddress } from '@perennial/schemas/platform/public-address.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { faultAt } from '@perennial/schemas/validation.ts';

/** Every address that a name has. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Time limit for resolving the host name; after it the subscription is accepted unchecked. */
const RESOLVE_MS_MAX = 3_000;

const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

/** Where events may be sent. */
export interface DestinationRules {
  /** Whether addresses inside the network, and http, are taken as well (`WEBHOOK_ALLOW_PRIVATE`). */
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve;
}

/**
 * Faults of an address that events are to be posted to. A name that cannot be resolved now is taken: whether an address
 * lies inside the network is asked again at every connection (`gateway/webhooks/`), and only that answer protects.
 */
export async function destinationFaults(text: string, rules: DestinationRules): Promise<readonly ErrorDetail[]> {
  if (!URL.canParse(text)) return [faultAt('/url', 'wrong_format')];
  const url = new URL(text);
  const schemes = rules.allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) return [faultAt('/url', 'https_required')];
  if (url.username !== '' || url.password !== '' || text.includes('#')) return [faultAt('/url', 'wrong_format')];
  if (rules.allowPrivate) return [];
  const addresses = await addressesOf(url.hostname, rules.resolve ?? resolveBySystem);
  return addresses.every(isPublicAddress) ? [] : [faultAt('/url', 'address_forbidden')];
}

async function addressesOf(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  const literal = addressOfHost(hostname);
  if (literal !== undefined) return [literal];
  const timeout = new Promise<readonly string[]>((done) => {
    setTimeout(() => done([]), RESOLVE_MS_MAX).unref();
  });
  return Promise.race([resolve(hostname).catch(() => []), timeout]);
}
