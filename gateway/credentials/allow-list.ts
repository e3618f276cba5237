import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Whether an address lies in one of the networks.
 * @param networks `10.0.0.0/8`, `2001:db8::/32`; what cannot be read lets nobody in.
 */
export function allowList(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined;
    if (family && /^\d{1,3}$/.test(bits)) list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    if (isIPv4(address)) return list.check(address, 'ipv4');
    // An address that nobody knows lies in no network.
    return isIPv6(address) && list.check(address, 'ipv6');
  };
}
