import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Config } from '@perennial/core/config.ts';
import { readTls } from '@perennial/core/platform/http/tls.ts';
import { readCoreTls } from '@perennial/gateway/forward/core-tls.ts';
import { Settings } from '@perennial/schemas/platform/settings.ts';
import { send, startCore, TEST_SECRET, type TestCore } from '../../support/core.ts';
import { type SeededDatabase, seededDatabase } from '../../support/database.ts';
import { ALL_WELL, exchangeAll } from '../../support/exchange-all.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

let database: SeededDatabase;
const started: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await seededDatabase();
});

afterEach(async () => {
  for (const each of started.splice(0).reverse()) await each.stop();
});

afterAll(() => database.close());

function kept<T extends { stop(): Promise<void> }>(service: T): T {
  started.push(service);
  return service;
}

async function coreWith(overrides: Partial<Config> = {}): Promise<TestCore> {
  return kept(await startCore(database.url, overrides));
}

describe('a core that was started anew at the same address', () => {
  test('is known by its first answer, and no request fails', async () => {
    const first = await coreWith();
    const gateway = kept(await startTestGateway(first.url, database.url));
    expect(await exchangeAll(gateway, database)).toEqual(ALL_WELL);
    await first.stop();
    await coreWith({ port: Number(new URL(first.url).port) });
    expect(await exchangeAll(gateway, database)).toEqual(ALL_WELL);
    expect(await exchangeAll(gateway, database)).toEqual(ALL_WELL);
  });
});

describe('what was said to one core', () => {
  test('cannot be said again to it, nor to another one that shares its secret and its database', async () => {
    const core = await coreWith();
    const other = await coreWith();
    const seen: { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
    const tap = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const body = Buffer.concat(chunks);
        seen.push({ method, url, headers, body });
        const onward = httpRequest(`${core.url}${url}`, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        onward.end(body);
      });
    });
    await new Promise<void>((resolve) => tap.listen(0, '127.0.0.1', resolve));
    kept({
      stop: async () => {
        tap.closeAllConnections();
        tap.close();
      },
    });
    const address = `http://127.0.0.1:${(tap.address() as AddressInfo).port}`;
    const gateway = kept(await startTestGateway(address, database.url));
    expect(await exchangeAll(gateway, database)).toEqual(ALL_WELL);
    seen.length = 0;
    expect(await exchangeAll(gateway, database)).toEqual(ALL_WELL);
    expect(seen).toHaveLength(ALL_WELL.length);
    const before = await database.db.patient.count();
    for (const target of [core, other])
      for (const { method, url, headers, body } of seen) {
        const same = headers as Record<string, string>;
        expect((await send(target.url, method, url, same, body.length > 0 ? body : undefined)).status).toBe(401);
      }
    expect(await database.db.patient.count()).toBe(before);
  });
});

describe('the secret', () => {
  test('is changed without a refusal: core takes both for a time, cursors with them', async () => {
    const next = 'n'.repeat(40);
    const core = await coreWith({ internalSecret: next, internalSecretPrevious: TEST_SECRET });
    const key = database.demo.apiKey;
    const before = kept(await startTestGateway(core.url, database.url));
    const after = kept(await startTestGateway(core.url, database.url, { config: { internalSecret: next } }));
    for (const gateway of [before, after]) {
      expect(await exchangeAll(gateway, database)).toEqual(ALL_WELL);
      // The gateway makes the cursor of a list by offset itself.
      expect((await gateway.send('GET', '/v2022-11-15/patients?offset=2&limit=2', { key })).status).toBe(200);
    }
    const plain = kept(await startTestGateway((await coreWith()).url, database.url));
    const { data } = await plain.send('GET', '/v2/patients?limit=2', { key });
    const path = `/v2/patients?limit=2&cursor=${String(data['next_cursor'])}`;
    expect((await after.send('GET', path, { key })).status).toBe(200);
  });

  test('that core does not know is refused, and the client is told that core failed', async () => {
    const core = await coreWith();
    const gateway = kept(
      await startTestGateway(core.url, database.url, { config: { internalSecret: 'x'.repeat(40) } }),
    );
    expect(await exchangeAll(gateway, database)).toEqual([502, 502, 502, 502, 502]);
  });
});

const pem = (name: string): string => join(import.meta.dirname, '../../fixtures/tls', `${name}.pem`);

describe('TLS between gateway and core', () => {
  test('with an authority of one’s own, both showing who they are, serves every kind of exchange', async () => {
    const served = {
      CORE_TLS_CERT_FILE: pem('own-server'),
      CORE_TLS_KEY_FILE: pem('own-server-key'),
      CORE_TLS_CLIENT_CA_FILE: pem('own-ca'),
    };
    const core = await coreWith({ tls: readTls(new Settings(served)) });
    expect(core.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const settings = { CORE_URL: core.url, CORE_CA_FILE: pem('own-ca') };
    const client = { CORE_CLIENT_CERT_FILE: pem('own-client'), CORE_CLIENT_KEY_FILE: pem('own-client-key') };
    const stranger = { CORE_CLIENT_CERT_FILE: pem('other-client'), CORE_CLIENT_KEY_FILE: pem('other-client-key') };
    const gatewayWith = async (env: Record<string, string>): Promise<TestGateway> => {
      const coreTls = readCoreTls(new Settings(env));
      return kept(await startTestGateway(core.url, database.url, { config: { coreTls } }));
    };
    expect(await exchangeAll(await gatewayWith({ ...settings, ...client }), database)).toEqual(ALL_WELL);
    // Without a certificate, with one of somebody else, and where core's own is of somebody unknown.
    for (const env of [
      settings,
      { ...settings, ...stranger },
      { ...client, CORE_URL: core.url, CORE_CA_FILE: pem('other-ca') },
    ])
      expect(await exchangeAll(await gatewayWith(env), database)).toEqual([502, 502, 502, 502, 502]);
  });

  test('settings that cannot be used are named, all of them', () => {
    const gateway = { CORE_URL: 'http://a:1', CORE_CA_FILE: '/nowhere', CORE_CLIENT_CERT_FILE: import.meta.filename };
    const core = { CORE_TLS_CERT_FILE: '/nowhere', CORE_TLS_CLIENT_CA_FILE: import.meta.filename };
    const settings = new Settings({ ...gateway, ...core });
    readCoreTls(settings);
    readTls(settings);
    expect(() => settings.check()).toThrow(
      /CORE_CA_FILE .+\n.+CORE_CLIENT_CERT_FILE and .+\n.+CORE_CA_FILE and .+\n.+CORE_TLS_CERT_FILE must .+\n.+CORE_TLS_CERT_FILE and .+$/,
    );
  });
});
