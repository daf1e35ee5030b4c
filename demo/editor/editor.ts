import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { owner } from '../n8n/userFolder.js';

/** The editor of a running n8n in a browser without a window, in a person's words. */
export interface Editor extends AsyncDisposable {
  readonly page: Page;
  openWorkflow(id: string): Promise<void>;
  /** Runs the open workflow and waits until it has ended. */
  runWorkflow(): Promise<void>;
  /** Opens a node's panel. */
  openNode(name: string): Promise<void>;
  /** Runs the open node and shows its output as JSON. */
  runNode(): Promise<void>;
  /** Opens the node panel at the canvas and searches. */
  searchNodes(words: string): Promise<void>;
  /** Opens the tool panel at an agent and searches. */
  searchTools(agent: string, words: string): Promise<void>;
  screenshot(path: string): Promise<void>;
}

/**
 * Opens the editor and logs in.
 *
 * @param theme light or dark, as a person's system would ask for
 * @throws where no Chromium is found: set CHROMIUM to its path
 */
export async function openEditor(url: string, theme: 'light' | 'dark'): Promise<Editor> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  const page = await logIn(browser, url, theme);
  const part = (id: string) => page.locator(`[data-test-id="${id}"]`);
  const node = (name: string) => page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

  return {
    page,
    async openWorkflow(id) {
      await page.goto(`${url}/workflow/${id}`);
      await part('canvas-node').first().waitFor();
      await settled(page);
    },
    async runWorkflow() {
      await part('execute-workflow-button').click();
      await page.getByText('Workflow executed successfully').waitFor();
      await dismissNotice(page);
    },
    async openNode(name) {
      await node(name).dblclick();
      await part('ndv').waitFor();
      await settled(page);
    },
    async runNode() {
      await part('node-execute-button').click();
      await part('node-run-status-success').waitFor();
      await dismissNotice(page);
      await showJson(part('output-panel'));
      await settled(page);
    },
    async searchNodes(words) {
      await page.keyboard.press('n');
      await part('node-creator-search-bar').waitFor();
      await page.keyboard.type(words);
      await settled(page);
    },
    async searchTools(agent, words) {
      const handle = `[data-test-id="canvas-node-input-handle"][data-node-name="${agent}"][data-connection-type="ai_tool"]`;
      await page.locator(`${handle} [data-test-id="canvas-handle-plus"]`).first().click();
      await part('node-creator-search-bar').waitFor();
      await page.keyboard.type(words);
      await settled(page);
    },
    async screenshot(path) {
      await settled(page);
      await page.mouse.move(2, 2);
      await page.screenshot({ path });
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

function findChromium(): string {
  const known = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = known.find((path) => path !== undefined && existsSync(path));
  if (found === undefined) throw new Error('No Chromium was found. Install one, or set CHROMIUM to its path.');
  return found;
}

async function logIn(browser: Browser, url: string, theme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: theme });
  const page = await context.newPage();
  await page.goto(`${url}/signin`);
  await page.locator('input[type="email"]').fill(owner.email);
  await page.locator('input[type="password"]').fill(owner.password);
  await page.keyboard.press('Enter');
  await page.waitForURL((address) => !address.pathname.startsWith('/signin'));
  return page;
}

async function showJson(panel: Locator): Promise<void> {
  await panel.locator('[data-test-id="radio-button-json"]').click();
}

/** Notices come with an animation; they cover what is to be shown. */
async function dismissNotice(page: Page): Promise<void> {
  for (const close of await page.locator('.el-notification__closeBtn').all()) await close.click().catch(() => {});
  await page.locator('.el-notification').first().waitFor({ state: 'hidden' });
}

/** Waits until nothing is asked of the server and animations have come to rest. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.waitForTimeout(700);
}
