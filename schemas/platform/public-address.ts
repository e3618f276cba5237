import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to the public internet. Everything else is inside somebody's network or nowhere: what the
 * IANA's registries of special-purpose addresses name (loopback, private, link-local, carrier-grade NAT, multicast,
 * documentation, reserved, unspecified ...), what they have not given out, and each of them again where an IPv6 address
 * only stands for an IPv4 one. Other notations of an address are read as the system reads them.
 * @param text an IPv4 or IPv6 address, without brackets; an IPv6 zone makes it a local one.
 */
export function isPublicAddress(text: string): boolean {
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  if (ipaddr.IPv4.isValid(text)) return ipaddr.IPv4.parse(text).range() === 'unicast';
  // In groups of hexadecimal digits: the library takes `::8.8.8.8` for a mapped address, and the system does not.
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));
  const carried = carriedAddress(address);
  if (carried !== undefined) return isPublicAddress(carried);
  if (address.range() !== 'unicast' || !address.match(GLOBAL_UNICAST)) return false;
  const tunnelled = isatapAddress(address);
  return tunnelled === undefined || isPublicAddress(tunnelled);
}

/** All that has been given out of IPv6; the rest is reserved, or was something once (`::/96`, `fec0::/10`). */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** The one prefix of NAT64 that means the same everywhere; `64:ff9b:1::/48` is each network's own (RFC 8215). */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96') as [ipaddr.IPv6, number];
const SIX_TO_FOUR = ipaddr.parseCIDR('2002::/16') as [ipaddr.IPv6, number];

/** The IPv4 address that an IPv6 one stands for. Teredo's and the compatible ones (`::/96`) are never public. */
function carriedAddress(address: ipaddr.IPv6): string | undefined {
  const { parts } = address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  if (address.match(NAT64)) return dotted(parts[6] as number, parts[7] as number);
  if (address.match(SIX_TO_FOUR)) return dotted(parts[1] as number, parts[2] as number);
  return undefined;
}

/** The IPv4 address that an ISATAP one stands for within its network's prefix (RFC 5214, section 6.1). */
function isatapAddress({ parts }: ipaddr.IPv6): string | undefined {
  const isIsatap = ((parts[4] as number) & ~0x200) === 0 && parts[5] === 0x5efe;
  return isIsatap ? dotted(parts[6] as number, parts[7] as number) : undefined;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** The address that the host of a URL is, without brackets, or undefined when it is a name. */
export function addressOfHost(hostname: string): string | undefined {
  const text = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(text) ? text : undefined;
}
