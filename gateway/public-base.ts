import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Exchange } from './exchange.ts';

/** A host with or without a port (RFC 3986, 3.2.2), and nothing that could end the authority of an address. */
const AUTHORITY = /^[A-Za-z0-9._~-]{1,253}(:\d{1,5})?$|^\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?$/;

/**
 * Where this client reaches the service, with the version as it wrote it, for addresses in answers. What a proxy says of
 * scheme and host is taken where proxies are trusted to name the client, and one did: then the address of the exchange
 * is not that of the connection.
 */
export function publicBase({ headers, socket }: IncomingMessage, { address, prefix }: Exchange): string {
  const isBehindProxy = address !== withoutMapping(socket.remoteAddress ?? '');
  const first = (name: string): string | undefined => {
    const value = isBehindProxy ? headers[name] : undefined;
    return typeof value === 'string' ? value.split(',', 1)[0]?.trim() : undefined;
  };
  const scheme = first('x-forwarded-proto') ?? ((socket as Partial<TLSSocket>).encrypted ? 'https' : 'http');
  const host = [first('x-forwarded-host'), headers.host].find((each) => each !== undefined && AUTHORITY.test(each));
  // Relative to the authority that was asked, when nobody has named one.
  return host === undefined ? prefix : `${scheme === 'https' ? 'https' : 'http'}://${host}${prefix}`;
}

function withoutMapping(address: string): string {
  return address.replace(/^::ffff:/i, '');
}
