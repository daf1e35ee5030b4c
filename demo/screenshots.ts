// npm run screenshots: drives the editor of a real n8n and takes the pictures of the documentation.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEditor } from './editor/editor.js';
import type { Editor } from './editor/editor.js';
import { importWorkflows } from './n8n/importWorkflows.js';
import { raiseStage } from './stage.js';
import { showProgress } from './terminal/progress.js';

const folder = fileURLToPath(new URL('../docs/images', import.meta.url));

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);

async function main(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const progress = showProgress();
  await using stage = await raiseStage(progress);
  for (const theme of ['light', 'dark'] as const) {
    progress(`Taking the pictures, ${theme}`);
    // What a picture changes, n8n saves: each theme begins with workflows of its own.
    const workflows = await importWorkflows(stage.api, stage.server.url, stage.model.url);
    await using editor = await openEditor(stage.n8n.url, theme);
    for (const [name, picture] of Object.entries(pictures)) {
      await picture(editor, (file) => editor.openWorkflow(workflows.get(file) ?? ''));
      await editor.screenshot(join(folder, `${name}-${theme}.png`));
    }
  }
  progress.done();
}

/** Each brings the editor to what its picture shows. */
const pictures: Record<string, (editor: Editor, open: (workflow: string) => Promise<void>) => Promise<void>> = {
  async panel(editor, open) {
    await open('list-tools');
    await editor.searchNodes('mcp');
  },
  async 'list-tools'(editor, open) {
    await open('list-tools');
    await editor.openNode('List Tools');
    await editor.runNode();
  },
  async 'call-tool'(editor, open) {
    await open('call-tool');
    await editor.openNode('Call Tool');
    await editor.runNode();
  },
  async picker({ page }) {
    await page.locator('[data-test-id="resource-locator-tool"] [data-test-id="rlc-input"]').click();
    await page.getByText('Book a table').waitFor();
  },
  async form({ page }) {
    await page.getByText('Find persons').last().click();
    await page.locator('[data-test-id="parameter-input-argumentsMode"]').click();
    await page.locator('.el-select-dropdown__item:visible').filter({ hasText: 'Form' }).first().click();
    const second = page.locator('[data-test-id="node-parameters"]').getByText(/^limit/).first();
    await second.evaluate((label) => label.scrollIntoView({ block: 'center' }));
  },
  async credential({ page }) {
    await page.locator('[data-test-id="credential-edit-button"]').click();
    await page.getByText('Connection tested successfully').waitFor();
  },
  async agents(editor, open) {
    await open('agents-side-by-side');
    await editor.runWorkflow();
    // The button to run covers the lowest node's name otherwise.
    await editor.page.locator('[data-test-id="zoom-out-button"]').click();
  },
  async 'agent-tools'(editor) {
    await editor.searchTools('Agent with MCP Verbatim', 'mcp');
  },
  async 'tool-node'(editor) {
    await editor.page.keyboard.press('Escape');
    await editor.openNode('MCP Verbatim Tool');
  },
};
