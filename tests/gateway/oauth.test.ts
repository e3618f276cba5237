import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '@perennial/gateway/config.ts';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import type { ConfigInvalid } from '@perennial/schemas/platform/settings.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type FakeCore, fakePatient, startFakeCore } from '../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const TLS = join(import.meta.dirname, '../fixtures/tls');
const AUDIENCE = 'https://perennial.example';
const path = `/v2022-11-15/patients/${fakePatient.id}`;

interface Pair {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const rsa: Pair = { kid: 'rsa-1', alg: 'RS256', ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
const ec: Pair = { kid: 'ec-1', alg: 'ES256', ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
const ed: Pair = { kid: 'ed-1', alg: 'EdDSA', ...generateKeyPairSync('ed25519') };
const later: Pair = { kid: 'rsa-2', alg: 'PS256', ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
const stranger: Pair = { ...rsa, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };

let issuerServer: Server;
let issuer: string;
let isAway = false;
let published = [rsa, ec, ed];
let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
let account: FreshAccount;

beforeAll(async () => {
  issuerServer = createServer((request, response) => {
    if (isAway) response.writeHead(503).end();
    else if (request.url === '/.well-known/openid-configuration')
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
    else
      response.end(
        JSON.stringify({
          keys: published.map(({ kid, alg, publicKey }) => ({
            ...publicKey.export({ format: 'jwk' }),
            kid,
            alg,
            use: 'sig',
          })),
        }),
      );
  });
  await new Promise<void>((resolve) => issuerServer.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(issuerServer.address() as AddressInfo).port}`;
  database = await freshDatabase();
  core = await startFakeCore();
  account = await createAccount(database.db);
  const { oauth } = configOf({ OAUTH_SCOPES: 'system/Patient.rs=patients:read' });
  gateway = await startTestGateway(core.url, database.url, { config: { oauth } });
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
  await new Promise((resolve) => issuerServer.close(resolve));
});

function configOf(more: Readonly<Record<string, string>>) {
  return readConfig({
    CORE_URL: 'http://core:1',
    DATABASE_URL: 'postgresql://u:p@db/x',
    INTERNAL_SECRET: 's'.repeat(32),
    OAUTH_ISSUER: issuer,
    OAUTH_AUDIENCE: AUDIENCE,
    ...more,
  });
}

function token(pair: Pair, claims: object = {}, header: object = {}): string {
  const seconds = Math.floor(Date.now() / 1_000);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const payload = {
    iss: issuer,
    aud: AUDIENCE,
    sub: 'ward-system',
    client_id: 'ward-system',
    iat: seconds,
    exp: seconds + 300,
    perennial_account: account.accountId,
    scope: 'openid system/Patient.rs',
    ...claims,
  };
  const signed = `${part({ alg: pair.alg, kid: pair.kid, typ: 'at+jwt', ...header })}.${part(payload)}`;
  const hash = pair.alg === 'EdDSA' ? null : 'sha256';
  const padding = pair.alg === 'PS256' ? { padding: 6, saltLength: -1 } : {};
  const signature = sign(hash, Buffer.from(signed), { key: pair.privateKey, dsaEncoding: 'ieee-p1363', ...padding });
  return `${signed}.${signature.toString('base64url')}`;
}

const send = (key: string, method = 'GET', to = path) => gateway.send(method, to, { key });

describe('an access token of the trusted issuer', () => {
  test.each([rsa, ec, ed])(
    'signed with $alg is taken in an old version, with the scopes that it maps to',
    async (pair) => {
      expect((await send(token(pair))).status).toBe(200);
      const write = await gateway.send('POST', '/v2022-11-15/patients', { key: token(pair), body: {} });
      expect([write.status, write.error.code]).toEqual([403, 'scope_missing']);
    },
  );

  test('never opens what speaks of every account, whatever its scopes say', async () => {
    const key = token(rsa, { scope: 'operator admin patients:read' });
    expect((await send(key)).status).toBe(200);
    expect((await gateway.send('GET', '/admin/accounts', { key })).error.code).toBe('scope_missing');
    expect((await gateway.send('POST', '/v2022-11-15/patients', { key, body: {} })).error.code).toBe('scope_missing');
  });

  test('is on record under one name for each client, which is none of a key', async () => {
    await send(token(rsa, { jti: 'one' }));
    await send(token(ec, { jti: 'two' }));
    await gateway.stop();
    const entries = await database.db.auditEntry.findMany({ where: { accountId: account.accountId } });
    expect(new Set(entries.map(({ keyId }) => keyId)).size).toBe(1);
    expect(entries[0]?.keyId).toMatch(/^key_oauth[0-9a-f]{32}$/);
    const { oauth } = configOf({ OAUTH_SCOPES: 'system/Patient.rs=patients:read' });
    gateway = await startTestGateway(core.url, database.url, { config: { oauth } });
  });

  const seconds = Math.floor(Date.now() / 1_000);
  test.each([
    ['of a stranger with a known key’s name', () => token(stranger), 'credential_invalid'],
    ['of another issuer', () => token(rsa, { iss: 'https://other.example' }), 'credential_invalid'],
    ['for another audience', () => token(rsa, { aud: ['https://other.example'] }), 'credential_invalid'],
    ['that has expired', () => token(rsa, { exp: seconds - 3_600 }), 'credential_expired'],
    ['that never expires', () => token(rsa, { exp: undefined }), 'credential_invalid'],
    ['that is not valid yet', () => token(rsa, { nbf: seconds + 3_600 }), 'credential_invalid'],
    [
      'for an account that there is none of',
      () => token(rsa, { perennial_account: 'acc_00000000000000000000' }),
      'credential_invalid',
    ],
    ['for no account', () => token(rsa, { perennial_account: undefined }), 'credential_invalid'],
    ['of nobody', () => token(rsa, { client_id: undefined, sub: undefined }), 'credential_invalid'],
    ['that asks for what is not understood', () => token(rsa, {}, { crit: ['x'], x: 1 }), 'credential_invalid'],
    ['that is no access token', () => token(rsa, {}, { typ: 'logout+jwt' }), 'credential_invalid'],
    ['of another algorithm than its key', () => token(rsa, {}, { alg: 'PS256' }), 'credential_invalid'],
    ['without a signature', () => token(rsa, {}, { alg: 'none' }), 'credential_invalid'],
    ['cut short', () => token(rsa).slice(0, -20), 'credential_invalid'],
  ])('%s is refused', async (_what, make, code) => {
    const answer = await send(make());
    expect([answer.status, answer.error.code]).toEqual([401, code]);
    expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  test('with the public key as a shared secret is refused', async () => {
    const [header = '', payload = ''] = token(rsa, {}, { alg: 'HS256' }).split('.');
    expect((await send(`${header}.${payload}.${Buffer.alloc(32).toString('base64url')}`)).status).toBe(401);
  });

  test('is verified with the keys that were read, while the issuer is away; without any it is 503, and keys work on', async () => {
    expect((await send(token(rsa))).status).toBe(200);
    isAway = true;
    expect((await send(token(ec, { jti: 'while away' }))).status).toBe(200);
    const { oauth } = configOf({ OAUTH_SCOPES: 'system/Patient.rs=patients:read' });
    const fresh = await startTestGateway(core.url, database.url, { config: { oauth } });
    try {
      const answer = await fresh.send('GET', path, { key: token(rsa) });
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
      expect((await fresh.send('GET', path, { key: account.apiKey })).status).toBe(200);
    } finally {
      await fresh.stop();
      isAway = false;
    }
    published = [...published, later];
    const other = await startTestGateway(core.url, database.url, { config: { oauth } });
    expect((await other.send('GET', path, { key: token(later) })).status).toBe(200);
    await other.stop();
  });
});

test('settings that would trust anybody are refused', () => {
  const mistakes = (more: Record<string, string>): readonly string[] => {
    try {
      configOf(more);
      return [];
    } catch (error) {
      return (error as ConfigInvalid).mistakes;
    }
  };
  expect(mistakes({ OAUTH_AUDIENCE: '' })).toEqual([expect.stringMatching(/^OAUTH_AUDIENCE must be set/)]);
  expect(mistakes({ OAUTH_ISSUER: 'http://issuer.example' })).toEqual([expect.stringMatching(/^OAUTH_ISSUER must be/)]);
  expect(mistakes({ OAUTH_SCOPES: 'a=operator' })).toEqual([expect.stringMatching(/^OAUTH_SCOPES must be/)]);
  expect(mistakes({ TLS_CERT_FILE: join(TLS, 'own-server.pem') })).toHaveLength(1);
});

test('a listener with TLS answers those alone who show a certificate of its authority', async () => {
  const file = (name: string): string => join(TLS, `${name}.pem`);
  const { tls } = configOf({
    TLS_CERT_FILE: file('own-server'),
    TLS_KEY_FILE: file('own-server-key'),
    TLS_CLIENT_CA_FILE: file('own-ca'),
  });
  const secured = await startTestGateway(core.url, database.url, { config: { tls } });
  const ask = (client: string | undefined): Promise<number | string | undefined> =>
    new Promise((resolve) => {
      const shown =
        client === undefined ? {} : { cert: readFileSync(file(client)), key: readFileSync(file(`${client}-key`)) };
      const options = { ca: readFileSync(file('own-ca')), agent: false, ...shown };
      const headers = { authorization: `Bearer ${account.apiKey}` };
      secureRequest(`${secured.url}${path}`, { ...options, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      })
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
        .end();
    });
  try {
    expect(secured.url).toMatch(/^https:/);
    expect(await ask('own-client')).toBe(200);
    expect(typeof (await ask('other-client'))).toBe('string');
    expect(typeof (await ask(undefined))).toBe('string');
  } finally {
    await secured.stop();
  }
});
