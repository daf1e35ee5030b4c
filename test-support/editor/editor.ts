import { existsSync } from 'node:fs';
import { chromium, selectors } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { owner } from '../n8n/user-folder.js';

/** The editor of a running n8n in a headless browser. */
export interface Editor extends AsyncDisposable {
  readonly page: Page;
  /** The URL of its n8n. */
  readonly url: string;
}

/**
 * Opens the editor and logs in.
 *
 * @param deviceScaleFactor 2 for pictures with twice as many pixels
 * @throws if no Chromium is found: set CHROMIUM to its path
 */
export async function openEditor(url: string, deviceScaleFactor = 1): Promise<Editor> {
  // n8n's own marks for its browser tests: the most stable names of the editor's parts.
  selectors.setTestIdAttribute('data-test-id');
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  const page = await openPage(browser, deviceScaleFactor);
  await logIn(page, url);
  return { page, url, [Symbol.asyncDispose]: () => browser.close() };
}

/** A page for another person, who is not logged in. */
export async function openPage(browser: Browser, deviceScaleFactor = 1): Promise<Page> {
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({
    viewport,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    deviceScaleFactor,
  });
  await context.addInitScript(withoutMotion);
  const page = await context.newPage();
  // Bounds a hang; it measures no speed.
  page.setDefaultTimeout(60_000);
  // Accepts n8n's question about leaving an unsaved workflow.
  page.on('dialog', (dialog) => void dialog.accept());
  return page;
}

/** Animations are redrawn sixty times a second. n8n keeps some even if a user prefers reduced motion. */
const withoutMotion = `
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`*, *::before, *::after {
    animation-duration: 0s !important; animation-delay: 0s !important; animation-iteration-count: 1 !important;
    transition-duration: 0s !important; transition-delay: 0s !important;
  }\`);
  document.adoptedStyleSheets.push(sheet);`;

const router = "document.querySelector('#app').__vue_app__.config.globalProperties.$router";

/** Goes to another page of the editor through its own links: everything stays loaded except the workflow. */
export async function visit(page: Page, path: string): Promise<void> {
  const leave = page.getByRole('button', { name: 'Leave without saving' });
  const hasLeftOrIsAsked =
    "!document.querySelector('.vue-flow') || document.body.innerText.includes('Leave without saving')";
  await push(page, '/home/workflows');
  await page.waitForFunction(hasLeftOrIsAsked);
  if (await leave.isVisible()) await leave.click();
  await page.locator('.vue-flow').waitFor({ state: 'detached' });
  await push(page, path);
  // The list of workflows writes its filters into the address after it is drawn, which may undo this.
  const hasLeft = `${router}.currentRoute.value.path !== '/home/workflows'`;
  await page.waitForFunction(hasLeft, undefined, { timeout: 10_000 }).catch(() => push(page, path));
}

async function push(page: Page, path: string): Promise<void> {
  await page.evaluate(`void ${router}.push(${JSON.stringify(path)})`);
}

/** @throws if there is none */
export function findChromium(): string {
  const known = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = known.find((path) => path !== undefined && existsSync(path));
  if (found === undefined) throw new Error('No Chromium was found. Install one, or set CHROMIUM to its path.');
  return found;
}

/**
 * Signs in beside the page, which then loads once. After a sign-in through its own form, n8n navigates some time later,
 * possibly away from a page that a test has opened.
 */
export async function logIn(
  page: Page,
  url: string,
  { email, password } = owner,
  path = '/home/workflows',
): Promise<void> {
  const data = { emailOrLdapLoginId: email, password };
  const answer = await page.context().request.post(`${url}/rest/login`, { data });
  if (!answer.ok()) throw new Error(`n8n refuses to log in ${email}: ${answer.status()} ${await answer.text()}`);
  await page.goto(url + path);
  await page.waitForFunction("document.querySelector('#app')?.__vue_app__ !== undefined");
  await page.evaluate(`${router}.isReady()`);
}
