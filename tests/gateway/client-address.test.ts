import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createClientAddress, readTrustProxy, senderOf, TrustProxyInvalid } from '@perennial/gateway/client-address.ts';
import { readConfig } from '@perennial/gateway/config.ts';
import { ConfigInvalid } from '@perennial/schemas/platform/settings.ts';

let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** The address that a server with this setting sees in a request from 127.0.0.1 with these headers. */
async function seen(trustProxy: string, headers: Record<string, string | string[]>): Promise<string> {
  const clientAddress = createClientAddress(readTrustProxy(trustProxy));
  const server = createServer((request, response) => response.end(clientAddress(request)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stop = () => server.close();
  const request = httpRequest({ port: (server.address() as AddressInfo).port, agent: false, headers });
  request.end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text;
}

describe('without a trusted proxy', () => {
  test.each(['', 'false', '0', '10.0.0.0/8'])('TRUST_PROXY=%j believes no header', async (setting) => {
    const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
    expect(await seen(setting, headers)).toBe('127.0.0.1');
    expect(await seen(setting, { 'x-real-ip': '203.0.113.7', 'true-client-ip': '203.0.113.7' })).toBe('127.0.0.1');
  });
});

describe.each(['1', 'loopback', '127.0.0.1', '10.9.8.7, 127.0.0.0/8'])(
  'behind one proxy (TRUST_PROXY=%s)',
  (setting) => {
    test.each([
      ['one address', '203.0.113.7', '203.0.113.7'],
      ['what the client wrote itself before it', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
      ['an address with its port', '203.0.113.7:4711', '203.0.113.7'],
      ['an IPv6 address', '2001:db8::1', '2001:db8::1'],
      ['an IPv6 address in brackets, with its port', '[2001:0DB8::1]:4711', '2001:db8::1'],
      ['an IPv4 address in IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
      ['what is no address', 'unknown', '127.0.0.1'],
      ['other notations of a number', '0x7f000001', '127.0.0.1'],
      ['nothing', '', '127.0.0.1'],
    ])('X-Forwarded-For with %s', async (_name, header, address) => {
      expect(await seen(setting, { 'x-forwarded-for': header })).toBe(address);
    });

    test.each([
      ['one address', 'for=203.0.113.7', '203.0.113.7'],
      ['quotes, a port and other members', 'for="203.0.113.7:80";proto=https;by=10.0.0.1', '203.0.113.7'],
      ['an IPv6 address', 'For="[2001:db8::1]:4711"', '2001:db8::1'],
      ['what the client wrote itself before it', 'for=198.51.100.1, for=203.0.113.7', '203.0.113.7'],
      ['a name in place of an address', 'for=_hidden', '127.0.0.1'],
      ['an unknown one', 'for=unknown', '127.0.0.1'],
      ['no for', 'proto=https', '127.0.0.1'],
      ['what cannot be read', 'for=203.0.113.7"', '127.0.0.1'],
    ])('Forwarded with %s', async (_name, header, address) => {
      expect(await seen(setting, { forwarded: header })).toBe(address);
    });

    test('several lines of a header are one list', async () => {
      expect(await seen(setting, { 'x-forwarded-for': ['198.51.100.1', '203.0.113.7'] })).toBe('203.0.113.7');
    });

    test('a client cannot hide behind the header that the proxy does not write', async () => {
      const written = { 'x-forwarded-for': '203.0.113.7' };
      expect(await seen(setting, { ...written, forwarded: 'for=198.51.100.1' })).toBe('127.0.0.1');
      expect(await seen(setting, { ...written, forwarded: 'for=203.0.113.7' })).toBe('203.0.113.7');
      expect(await seen(setting, { forwarded: 'for=203.0.113.7', 'x-forwarded-for': '127.0.0.1' })).toBe('127.0.0.1');
    });
  },
);

describe('behind several', () => {
  test('as many are believed as there are, by number', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1, 198.51.100.1, 203.0.113.7' };
    expect(await seen('2', headers)).toBe('198.51.100.1');
    expect(await seen('3', headers)).toBe('192.0.2.1');
    expect(await seen('9', headers)).toBe('192.0.2.1');
  });

  test('by address, up to the first that is not one of them', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1, 10.0.0.1, 203.0.113.7, 10.0.0.2' };
    expect(await seen('loopback,10.0.0.0/8', headers)).toBe('203.0.113.7');
    expect(await seen('loopback,10.0.0.0/8,203.0.113.7', headers)).toBe('192.0.2.1');
  });
});

test.each(['true', '33', '-1', '1.5', '10.0.0.0/99', 'balancer.example', '10.0.0.1,,'])(
  'TRUST_PROXY=%j names no proxies and stops the start',
  (setting) => {
    expect(() => readTrustProxy(setting)).toThrow(TrustProxyInvalid);
    expect(() => readConfig({ TRUST_PROXY: setting })).toThrow(ConfigInvalid);
    expect(() => readConfig({ TRUST_PROXY: setting })).toThrow(/TRUST_PROXY/);
  },
);

test('all addresses of one IPv6 network are one sender', () => {
  expect(senderOf('2001:db8:1:2::1')).toBe(senderOf('2001:db8:1:2:ffff::9'));
  expect(senderOf('2001:db8:1:2::1')).not.toBe(senderOf('2001:db8:1:3::1'));
  expect(senderOf('203.0.113.7')).toBe('203.0.113.7');
});
