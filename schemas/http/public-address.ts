import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to the public internet. Everything else is inside somebody's network: loopback, private,
 * link-local, carrier-grade NAT, multicast, reserved and unspecified addresses, and each of them again where an IPv6
 * address only carries an IPv4 one (mapped, NAT64, 6to4, Teredo).
 * @param text an IPv4 or IPv6 address, without brackets; an IPv6 zone makes it a local one.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.range() === 'unicast') return !isFormerSiteLocal(address);
  // The ways in which an IPv6 address only stands for an IPv4 one. Teredo is left out: nobody serves webhooks there.
  if (address instanceof ipaddr.IPv6) {
    const inner = carriedAddress(address);
    return inner !== undefined && isPublicAddress(inner);
  }
  return false;
}

/** fec0::/10 was site-local until RFC 3879 and is still routed inside some networks. */
function isFormerSiteLocal(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof ipaddr.IPv6 && ((address.parts[0] as number) & 0xffc0) === 0xfec0;
}

function carriedAddress(address: ipaddr.IPv6): string | undefined {
  const { parts } = address;
  switch (address.range()) {
    case 'ipv4Mapped':
      return address.toIPv4Address().toString();
    case 'rfc6052':
      return dotted(parts[6] as number, parts[7] as number);
    case '6to4':
      return dotted(parts[1] as number, parts[2] as number);
    default:
      return undefined;
  }
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** The address that the host of a URL is, without brackets, or undefined when it is a name. */
export function addressOfHost(hostname: string): string | undefined {
  const text = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(text) ? text : undefined;
}
