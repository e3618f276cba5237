import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Where Debian puts it. */
const CHROMIUM = '/usr/bin/chromium';

/** Widths and themes that every page is looked at in. */
export const looks = [
  { name: 'wide and light', width: 1280, height: 900, theme: 'light' },
  { name: 'wide and dark', width: 1280, height: 900, theme: 'dark' },
  { name: 'a phone and light', width: 390, height: 844, theme: 'light' },
  { name: 'a phone and dark', width: 390, height: 844, theme: 'dark' },
] as const;

export type Look = (typeof looks)[number];

/** A page of a browser that notes what must not happen. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the console and of scripts, and requests that went elsewhere. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** A real browser without a screen. */
export function startBrowser(): Promise<Browser> {
  // As root there is no sandbox to be had; it opens nothing but what is tested.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'], timeout: 120_000 });
}

/** Opens a page that looks as it is told. @param origin the only one that it may ask. */
export async function openPage(browser: Browser, origin: string, look: Look): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height },
    colorScheme: look.theme,
    baseURL: origin,
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:') && !url.startsWith('blob:'))
      complaints.push(`request elsewhere: ${url}`);
  });
  return { page, context, complaints, close: () => context.close() };
}

/** What axe finds wrong with a page for people who do not see it, or use no mouse. Each with the places. */
export async function accessibilityFaults(page: Page, exclude: readonly string[] = []): Promise<readonly string[]> {
  await page.evaluate(`${axe.source};0`);
  return page.evaluate(async (left) => {
    const runner = (globalThis as unknown as { axe: { run(context: unknown): Promise<AxeResults> } }).axe;
    const { violations } = await runner.run({ include: [['html']], exclude: left.map((each) => [each]) });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  }, exclude);
}

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: string[] }[] }[];
}
