import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { accessibilityFaults, looks, openPage, startBrowser } from '../../support/browser.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { type SeededDatabase, seededDatabase } from '../../support/database.ts';
import { describeWith } from '../../support/debian.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

/** Pages, by their addresses. */
const pages = [
  '/',
  '/portal/changelog',
  '/portal/translation',
  '/portal/translation?version=2022-11-15&operation=patients.create',
  '/portal/sign-in',
  '/portal/nothing',
];

describeWith(['chromium'], 'the portal in a browser', () => {
  let database: SeededDatabase;
  let core: TestCore;
  let gateway: TestGateway;
  let browser: Browser;

  beforeAll(async () => {
    database = await seededDatabase();
    core = await startCore(database.url);
    gateway = await startTestGateway(core.url, database.url);
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
    await core?.stop();
    await database?.close();
  });

  describe.each(looks)('$name', (look) => {
    test.each(pages)('%s can be read by everybody, complains of nothing and asks nobody else', async (path) => {
      const watched = await openPage(browser, gateway.url, look);
      try {
        const answer = await watched.page.goto(path, { waitUntil: 'networkidle' });
        const width = await watched.page.evaluate('document.documentElement.scrollWidth');
        expect(width).toBe(look.width);
        expect(await accessibilityFaults(watched.page)).toEqual([]);
        // The browser itself says so of an answer that is an error.
        const expected = (answer?.status() ?? 0) >= 400 ? [expect.stringContaining('Failed to load resource')] : [];
        expect(watched.complaints).toEqual(expected);
      } finally {
        await watched.close();
      }
    });
  });

  test('the theme that a reader chooses stays', async () => {
    const watched = await openPage(browser, gateway.url, looks[0]);
    try {
      await watched.page.goto('/');
      await watched.page.getByRole('button', { name: 'Switch between light and dark' }).click();
      await watched.page.goto('/portal/sign-in');
      expect(await watched.page.locator('html').getAttribute('data-theme')).toBe('dark');
      expect(watched.complaints).toEqual([]);
    } finally {
      await watched.close();
    }
  });
});
