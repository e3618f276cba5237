import { describe, expect, test } from '@jest/globals';
import { addressOfHost, isPublicAddress } from '@perennial/schemas/platform/public-address.ts';

describe('an address is public', () => {
  test.each([
    '8.8.8.8',
    '93.184.215.14',
    '172.15.255.255',
    '172.32.0.1',
    '100.128.0.1',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::808:808',
    '2002:808:808::1',
    '2a00:1450::5efe:808:808',
  ])('%s', (text) => {
    expect(isPublicAddress(text)).toBe(true);
  });
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
    '::7f00:1',
    '::8.8.8.8',
    '0:0:0:0:0:0:a9fe:a9fe',
    '::ffff:7f00:1',
    '::ffff:0:7f00:1',
    '::ffff:0:8.8.8.8',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::808:808',
    '64:ff9b:1:a00::1',
    '2002:a9fe:a9fe::1',
    '2002:c0a8:1::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:0:808:808::1',
    '2a00:1450::5efe:7f00:1',
    '2a00:1450::200:5efe:a00:1',
    'fe80::5efe:808:808',
    '100::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '3fff::1',
    '5f00::1',
    '4000::1',
    '8000::1',
    'fe00::1',
    'ffff::1',
    '192.88.99.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '239.255.255.255',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '10.1',
    '::1%lo',
    '2001:4860:4860::8888%eth0',
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
  for (const host of ['127.1', '0x7f.1', '0x7f000001', '2130706433', '017700000001', '127.0.0.1.', '１２７.0.0.1'])
    expect(hostOf(`http://${host}/`)).toBe('127.0.0.1');
  expect(hostOf('http://example.com/')).toBeUndefined();
});
