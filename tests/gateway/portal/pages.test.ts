import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { hashApiKey } from '@perennial/schemas/platform/credentials.ts';
import { baseTranslator } from '../../fixtures/base.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeCore, startFakeCore } from '../../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
let account: FreshAccount;
/** What a browser sends with every page it asks for. */
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const demo = { apiKey: 'hai_test_shown', legacyApiKey: 'sk_shown', patientId: 'pat_shown' };

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  core = await startFakeCore();
  const demoFile = join(process.env['PERENNIAL_TEST_DIR'] as string, `portal-demo-${process.pid}.json`);
  await writeFile(demoFile, JSON.stringify(demo));
  gateway = await startTestGateway(core.url, database.url, { config: { demoFile, keyCacheMs: 0 } });
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

describe('what a browser asks for at the root is a page', () => {
  test('with everything that it refers to served from here, and no script or style inside', async () => {
    const page = await gateway.send('GET', '/', { headers: browser });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("script-src 'self';style-src 'self';");
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.text).toMatch(/^<!doctype html><html lang="en">/);
    expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/);
    const references = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, url]) => url as string);
    expect(references.every((url) => url.startsWith('/') && !url.startsWith('//'))).toBe(true);
    const assets = references.filter((url) => url.startsWith('/portal/assets/'));
    expect(assets.length).toBeGreaterThan(3);
    for (const url of new Set(assets)) {
      const asset = await gateway.send('GET', url);
      expect([url, asset.status, asset.headers['cache-control']]).toEqual([
        url,
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
  });

  test('compressed where the browser takes that', async () => {
    const page = await gateway.send('GET', '/', { headers: { ...browser, 'accept-encoding': 'br, gzip' } });
    expect(page.headers['content-encoding']).toBe('br');
    expect(page.bytes.length).toBeLessThan(20_000);
  });

  test('and every other client is answered as before', async () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const answer = await gateway.send('GET', '/', { headers });
      expect([answer.status, answer.error.code]).toEqual([401, 'credential_missing']);
      const portal = await gateway.send('GET', '/portal/sign-in', { headers });
      expect([portal.status, portal.error.code]).toEqual([401, 'credential_missing']);
      const known = await gateway.send('GET', '/portal/sign-in', { headers, key: account.apiKey });
      expect([known.status, known.error.code]).toEqual([404, 'route_unknown']);
    }
  });

  test('a page that there is not says so, as a page', async () => {
    const page = await gateway.send('GET', '/portal/nothing', { headers: browser });
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });
});

describe('the reference', () => {
  test('of every version is a page whose policy lets in no script but ours, and styles that its viewer makes', async () => {
    for (const version of ['', '/2022-11-15', '/2022-05-01']) {
      const page = await gateway.send('GET', `/portal/reference${version}`, { headers: browser });
      expect([version, page.status]).toEqual([version, 200]);
      expect(page.headers['content-security-policy']).toContain("script-src 'self';style-src 'self' 'unsafe-inline';");
      expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|\sstyle=|\son[a-z]+=/);
    }
    expect((await gateway.send('GET', '/portal/reference/2020-01-01', { headers: browser })).status).toBe(404);
  });

  test('has samples in three languages at every operation, and asks nobody else', async () => {
    const answer = await gateway.send('GET', '/portal/reference/2022-11-15/document.json', { headers: browser });
    const document = JSON.parse(answer.text) as {
      paths: Record<string, Record<string, { 'x-codeSamples': { label: string; source: string }[] }>>;
    };
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(operations.length).toBeGreaterThan(3);
    for (const operation of operations)
      expect(operation['x-codeSamples'].map(({ label }) => label)).toEqual(['curl', 'TypeScript', 'Python']);
    const [{ source } = { source: '' }] = document.paths['/patients/{patient_id}']?.['get']?.['x-codeSamples'] ?? [];
    expect(source).toBe('curl "$GATEWAY/v2022-11-15/patients/$PATIENT_ID" \\\n  -H "Authorization: Bearer $KEY"');
    const page = await gateway.send('GET', '/portal/reference', { headers: browser });
    const viewer = /src="(\/portal\/assets\/redoc-[^"]+)"/.exec(page.text)?.[1] as string;
    expect((await gateway.send('GET', viewer)).text).not.toContain('cdn.redoc.ly');
  });
});

describe('what changed', () => {
  const text = async (path: string): Promise<string> => {
    const page = await gateway.send('GET', path, { headers: browser });
    expect([path, page.status]).toEqual([path, 200]);
    return page.text;
  };

  test('is on the changelog, every change with its name', async () => {
    const translator = baseTranslator();
    const page = await text('/portal/changelog');
    for (const { change } of translator.catalogue.steps) expect(page).toContain(`<code>${change.id}</code>`);
  });

  test('is compared by resource and by operation, each difference with its change', async () => {
    const byResource = await text('/portal/compare?from=2022-11-15&to=2023-10-15');
    expect(byResource).toContain('Patient.gender');
    expect(byResource).toContain('href="/portal/changelog#rename-gender-to-sex"');
    expect(await text('/portal/compare?from=2023-10-15&to=2022-11-15&by=operation')).toContain(
      '<code>patients.get</code>',
    );
    expect(await text('/portal/compare?from=2023-10-15&to=2023-10-15')).toContain('Nothing differs');
    expect(await text('/portal/compare?from=%3Cscript%3E')).not.toContain('<script>');
  });

  test('says what to do, in the reader’s language', async () => {
    const python = await text('/portal/migrate?from=2022-11-15&to=2023-10-15&language=python');
    expect(python).toContain('- patient[&quot;gender&quot;]');
    expect(python).toContain('+ patient[&quot;sex&quot;]');
    expect(await text('/portal/migrate?from=2022-11-15&language=typescript')).toContain('+ patient.sex');
  });
});

describe('a translation', () => {
  const follow = (fields: Record<string, string>) =>
    gateway.send('POST', '/portal/translation', {
      headers: { ...browser, origin: gateway.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });

  test('is followed through every change, and nothing is sent', async () => {
    core.seen.length = 0;
    const body = JSON.stringify({
      name: 'Ada',
      dob: '1984-03-07',
      gender: 'female',
      contact: { email: 'ada@example.org' },
    });
    const page = await follow({ version: '2022-11-15', method: 'POST', target: '/patients', body });
    expect(page.status).toBe(200);
    const plain = page.text.replace(/<[^>]+>/g, '').replaceAll('&quot;', '"');
    expect(plain).toContain('2023-04-30/rename-gender-to-sex');
    expect(plain).toContain('"sex": "female"');
    expect(plain).toContain('"contact_info": {');
    expect(core.seen).toEqual([]);
  });

  test('begins with an example for every operation of every version', async () => {
    const translator = baseTranslator();
    for (const { id: release } of translator.catalogue.releases)
      for (const { id } of translator.contract(release).operations) {
        const page = await gateway.send('GET', `/portal/translation?version=${release}&operation=${id}`, {
          headers: browser,
        });
        // Where no example can be made of what must be sent, the page says what is missing.
        expect([release, id, page.status === 200 || page.status === 422]).toEqual([release, id, true]);
        expect(page.text).toContain(page.status === 200 ? 'The way there and back' : 'would refuse this with 422');
      }
  });

  test('says in the version’s words why a request would be refused', async () => {
    const page = await follow({ version: '2022-11-15', method: 'POST', target: '/patients', body: '{"sex":"female"}' });
    expect(page.status).toBe(422);
    expect(page.text).toContain('/sex');
    for (const fields of [
      { version: '2022-11-15', method: 'POST', target: '/patients', body: '{' },
      { version: '2022-11-15', method: 'GET', target: '/nothing' },
      { version: '2022-11-15', method: 'POST', target: '/patients', body: '['.repeat(500) },
      { version: '2022-11-15', method: 'GET', target: '/patients/pat_8fJ2kQ0aZrT5mWxY7bLc', answer: '7' },
    ]) {
      const refused = await follow(fields);
      expect([fields.target, refused.status < 500]).toEqual([fields.target, true]);
    }
  });

  test('of another site is not followed', async () => {
    const page = await gateway.send('POST', '/portal/translation', {
      headers: { ...browser, origin: 'https://elsewhere.example.org' },
      body: 'method=GET',
    });
    expect(page.status).toBe(400);
  });
});

describe('the demo account’s keys', () => {
  test('are shown to a reader at this machine', async () => {
    const { text } = await gateway.send('GET', '/', { headers: browser });
    expect(text).toContain(demo.apiKey);
    expect(text).toContain(demo.legacyApiKey);
  });

  test.each([
    ['who asks by another name, which may be made to lead here', { host: 'perennial.example.org' }],
    ['who comes through a proxy', { 'x-forwarded-for': '203.0.113.7' }],
    ['who comes through a proxy that says so by the standard', { forwarded: 'for=203.0.113.7' }],
  ])('are not shown to one %s', async (_who, headers) => {
    const { status, text } = await gateway.send('GET', '/', { headers: { ...browser, ...headers } });
    expect(status).toBe(200);
    expect(text).not.toContain(demo.apiKey);
    expect(text).not.toContain(demo.legacyApiKey);
  });
});

describe('signing in', () => {
  const signIn = (key: string, headers: Record<string, string> = {}) =>
    gateway.send('POST', '/portal/sign-in', {
      headers: {
        ...browser,
        origin: gateway.url,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body: new URLSearchParams({ key }).toString(),
    });

  test('sets a cookie that scripts cannot read, that other sites do not send, and that is not the key', async () => {
    const answer = await signIn(account.apiKey);
    expect(answer.status).toBe(303);
    const [cookie] = answer.headers['set-cookie'] as string[];
    expect(cookie).toMatch(/^perennial_session=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=28800$/);
    expect(cookie).not.toContain(account.apiKey.slice(10));
    expect(cookie).not.toContain(hashApiKey(account.apiKey));
    const secure = await signIn(account.apiKey, { 'x-forwarded-proto': 'https' });
    expect(String(secure.headers['set-cookie'])).toContain('; Secure');
  });

  test('a wrong key is refused without being repeated', async () => {
    const wrong = `${account.apiKey.slice(0, -1)}${account.apiKey.endsWith('0') ? '1' : '0'}`;
    const answer = await signIn(wrong);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined]);
    expect(answer.text).not.toContain(wrong);
    expect(gateway.log.join('\n')).not.toContain(wrong);
  });

  test('a form of another site is refused', async () => {
    const foreign = await signIn(account.apiKey, { origin: 'https://elsewhere.example.org' });
    expect([foreign.status, foreign.headers['set-cookie']]).toEqual([400, undefined]);
    const told = await signIn(account.apiKey, { 'sec-fetch-site': 'cross-site' });
    expect([told.status, told.headers['set-cookie']]).toEqual([400, undefined]);
  });

  test('a session ends with its key, and is nothing without the token of its forms', async () => {
    const fresh = await createAccount(database.db);
    const answer = await signIn(fresh.apiKey);
    const cookie = (answer.headers['set-cookie'] as string[])[0]?.split(';')[0] as string;
    const page = () => gateway.send('GET', '/', { headers: { ...browser, cookie } });
    expect((await page()).text).toContain('Sign out');

    const call = (headers: Record<string, string>) =>
      gateway.send('GET', '/portal/call/v2023-10-15/patients/pat_8fJ2kQ0aZrT5mWxY7bLc', {
        headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
      });
    const token = / name="token" value="([\w-]+)"/.exec((await page()).text)?.[1] as string;
    expect((await call({})).status).toBe(400);
    expect((await call({ 'x-portal-token': `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}` })).status).toBe(
      400,
    );
    expect((await call({ 'x-portal-token': token, 'sec-fetch-site': 'cross-site' })).status).toBe(400);
    const called = await call({ 'x-portal-token': token });
    expect([called.status, called.data['id']]).toEqual([200, 'pat_8fJ2kQ0aZrT5mWxY7bLc']);

    await database.db.apiKey.updateMany({
      where: { hash: hashApiKey(fresh.apiKey) },
      data: { revokedAt: new Date() },
    });
    await expectSoon(async () => (await page()).text.includes('href="/portal/sign-in"'));
    expect((await call({ 'x-portal-token': token })).status).toBe(401);
  });
});

/** Asks again until it is so. */
async function expectSoon(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('it did not become so');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
