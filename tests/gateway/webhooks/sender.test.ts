import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSender, type Lookup, type Sender, type Sent } from '@perennial/gateway/webhooks/sender.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';

let receiver: Receiver;
const senders: Sender[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
});

afterAll(async () => {
  await Promise.all(senders.map((sender) => sender.close()));
  await receiver.stop();
});

/** Sends with a name service that says whatever the test wants. */
function send(url: string, addresses: readonly string[], timeoutMs = 5_000): Promise<Sent> {
  const lookup: Lookup = (_hostname, _options, callback) => {
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  const sender = createSender({ timeoutMs, allowPrivate: false, lookup });
  senders.push(sender);
  return sender.send({ url, headers: {}, body: '{}' });
}

describe('a sender', () => {
  test.each([
    ['the loopback address', '127.0.0.1'],
    ['an IPv6 loopback address', '::1'],
    ['a loopback address inside an IPv6 one', '::ffff:127.0.0.1'],
    ['a private address', '10.0.0.8'],
    ['the address of a cloud’s metadata', '169.254.169.254'],
    ['a unique local address', 'fd00::1'],
    ['a private address behind NAT64', '64:ff9b::a00:8'],
  ])('does not connect to a name that leads to %s', async (_what, address) => {
    const { port } = new URL(receiver.url);
    const sent = await send(`http://hooks.example.com:${port}/rebound`, [address]);
    expect(sent).toMatchObject({ outcome: 'address_forbidden', status: null });
    expect(receiver.got).toEqual([]);
  });

  test('does not connect to a name of which one of several addresses is private', async () => {
    const sent = await send('http://hooks.example.com/', ['93.184.215.14', '192.168.1.1']);
    expect(sent.outcome).toBe('address_forbidden');
  });

  test.each(['http://127.0.0.1', 'http://[::1]', 'http://[::ffff:7f00:1]', 'http://0x7f.1', 'http://2130706433'])(
    'does not connect to %s',
    async (host) => {
      const { port } = new URL(receiver.url);
      expect(await send(`${host}:${port}/`, [])).toMatchObject({ outcome: 'address_forbidden', status: null });
      expect(receiver.got).toEqual([]);
    },
  );

  test('says of a name without an address that nobody is there', async () => {
    expect((await send('http://hooks.example.com/', [])).outcome).toBe('unreachable');
  });

  test('reads a bounded part of an answer that does not end', async () => {
    const sender = createSender({ timeoutMs: 5_000, allowPrivate: true });
    senders.push(sender);
    let written = 0;
    receiver.react('/endless', (response) => {
      response.writeHead(200);
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
      };
      response.on('drain', pour);
      pour();
    });
    const sent = await sender.send({ url: `${receiver.url}/endless`, headers: {}, body: '{}' });
    expect(sent).toMatchObject({ outcome: 'delivered', status: 200 });
    expect(sent.durationMs).toBeLessThan(5_000);
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });
});
