import type { IncomingMessage } from 'node:http';
import parseForwarded from 'forwarded-parse';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** Whether an address may say on whose behalf it calls. @param index 0 is who connected, 1 whom that one names, and so on. */
export type TrustProxy = (address: string, index: number) => boolean;

/** Raised for a setting that names no proxies. */
export class TrustProxyInvalid extends Error {
  override readonly name = 'TrustProxyInvalid';
}

const HOPS_MAX = 32;

/**
 * Reads `TRUST_PROXY`.
 * @param text nothing, `false`, how many proxies stand before the gateway, or their addresses and networks, separated
 * by commas, of which `loopback`, `linklocal` and `uniquelocal` have names.
 * @throws {TrustProxyInvalid}
 */
export function readTrustProxy(text: string): TrustProxy | undefined {
  const setting = text.trim();
  if (setting === '' || setting === 'false' || setting === '0') return undefined;
  if (/^\d+$/.test(setting)) {
    const hops = Number(setting);
    if (hops > HOPS_MAX) throw new TrustProxyInvalid();
    return (_address, index) => index < hops;
  }
  try {
    return proxyAddr.compile(setting.split(',').map((each) => each.trim()));
  } catch (error) {
    throw new TrustProxyInvalid(undefined, { cause: error });
  }
}

/** The address that a request comes from. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Finds the client's address: that of the connection, or what trusted proxies say of it in Forwarded (RFC 7239) or
 * X-Forwarded-For. Both are read from the right, and only as far as a trusted proxy wrote: what a client puts there
 * itself stands further left. A proxy writes one of the two and passes the other on as it came, so where both are sent
 * and do not agree, neither is believed.
 */
export function createClientAddress(trust: TrustProxy | undefined): ClientAddress {
  return ({ socket, headers }) => {
    const connected = readAddress(socket.remoteAddress ?? '') ?? 'unknown';
    if (!trust || connected === 'unknown') return connected;
    const { forwarded, 'x-forwarded-for': listed } = headers;
    const chains: (readonly string[])[] = [];
    if (listed !== undefined) chains.push(String(listed).split(','));
    if (forwarded !== undefined) chains.push(forwardedFor(forwarded));
    const [first, second] = chains.map((chain) => follow(connected, chain, trust));
    if (first === undefined) return connected;
    return second === undefined || second === first ? first : connected;
  };
}

/** The last address that a trusted one vouches for. */
function follow(connected: string, chain: readonly string[], trust: TrustProxy): string {
  let address = connected;
  for (let index = 0; index < chain.length && trust(address, index); index += 1) {
    const named = readAddress(chain[chain.length - 1 - index] as string);
    // An obfuscated or invalid entry: the address of the proxy that wrote it is the last one known.
    if (named === undefined) break;
    address = named;
  }
  return address;
}

function forwardedFor(header: string): readonly string[] {
  try {
    return parseForwarded(header).map((element) => element['for'] ?? '');
  } catch {
    return [];
  }
}

const WITH_PORT = /^\[([^\]]+)\](?::\d{1,5})?$|^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;

/** An address in its one usual form, without brackets, port and zone; undefined for what is none. */
function readAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const [, bracketed, dotted] = WITH_PORT.exec(trimmed) ?? [];
  const bare = (bracketed ?? dotted ?? trimmed).replace(/%.*$/, '');
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return bare;
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare).toString() : undefined;
}

/** What is counted as one sender: an IPv4 address, or the network of an IPv6 one, of which everybody has 2^64. */
export function senderOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
