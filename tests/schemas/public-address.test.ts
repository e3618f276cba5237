import { describe, expect, test } from '@jest/globals';
import { addressOfHost, isPublicAddress } from '@perennial/schemas/http/public-address.ts';

describe('an address is public', () => {
  test.each(['8.8.8.8', '93.184.215.14', '2001:4860:4860::8888', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    '%s',
    (text) => {
      expect(isPublicAddress(text)).toBe(true);
    },
  );
});

describe('an address is not public', () => {
  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:1::1',
    '2001:db8::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'example.com',
    '',
  ])('%s', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

test('the host of a URL is told from a name however it is written', () => {
  const hostOf = (url: string): string | undefined => addressOfHost(new URL(url).hostname);
  expect(hostOf('http://[::ffff:127.0.0.1]/')).toBe('::ffff:7f00:1');
  expect(hostOf('http://0177.0.0.1/')).toBe('127.0.0.1');
  expect(hostOf('http://127.1/')).toBe('127.0.0.1');
  expect(hostOf('http://example.com/')).toBeUndefined();
});
