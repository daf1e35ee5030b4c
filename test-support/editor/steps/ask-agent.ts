import type { Page } from 'playwright-core';
import { question } from '../../model/conversation.js';
import {
  drag,
  newWorkflow,
  nodeOnCanvas,
  openNodePanel,
  plusBehind,
  plusBelow,
  searchNodes,
  takeNode,
} from '../canvas.js';
import { closedByItself, fillCredential, newCredential, saveCredential } from '../credential.js';
import { choose, closeNode, offeredIn, openNode, outputHint, parameter } from '../node-panel.js';
import { credentialName } from './list-tools.js';
import type { Scene } from './scene.js';

/**
 * In a second workflow: a chat, an agent, a model, MCP Verbatim Tool, and a question.
 *
 * @returns the texts that were visible
 */
export async function askAgent({ editor: { page }, stage, look }: Scene) {
  await newWorkflow(page, 'Ask about persons');
  await openNodePanel(page);
  await searchNodes(page, 'chat', 'Chat');
  await takeNode(page, 'Chat', 'On new Chat event');
  await closeNode(page);
  await plusBehind(page, 'When chat message received');
  await searchNodes(page, 'agent', 'AI Agent');
  await takeNode(page, 'AI Agent');
  await closeNode(page);
  await addModel(page, stage.model.url);

  await plusBelow(page, 'AI Agent', 'ai_tool');
  const found = await searchNodes(page, 'mcp', 'MCP Verbatim Tool');
  await takeNode(page, 'MCP Verbatim Tool');
  await choose(page, page.getByTestId('node-credentials-select'), credentialName);
  const includes = await offeredIn(page, parameter(page, 'include'), 'tokens');
  await page.keyboard.press('Tab');
  const warnings = await page.getByTestId('empty-fields-notice').count();
  await choose(page, parameter(page, 'include'), /^Selected/);
  const choices = await offeredIn(page, parameter(page, 'tools'), 'book_table');
  await look('tools', page.getByTestId('node-parameters'), 385);
  await page.keyboard.press('Tab');
  await choose(page, parameter(page, 'include'), /^All(?! Except| but)/);
  await closeNode(page);
  // Moves away from the plus, which hides the number of items.
  await drag(page, nodeOnCanvas(page, 'MCP Verbatim Tool'), 80, 0);
  await page.getByTestId('zoom-to-fit').click();

  await page.getByTestId('workflow-chat-button').click();
  await drag(page, page.getByTestId('logs-panel').getByTestId('resize-handle').first(), 0, -60);
  await page.getByTestId('chat-input').click();
  await page.keyboard.type(question);
  await page.keyboard.press('Enter');
  await page.getByTestId('logs-overview-status').getByText('Success').waitFor();
  const answer = await page
    .getByTestId('canvas-chat-body')
    .locator('.chat-message-from-bot', { hasText: /\w/ })
    .innerText();
  await nodeOnCanvas(page, 'MCP Verbatim Tool').click();
  await page.getByTestId('log-details-header').getByText('MCP Verbatim Tool').waitFor();
  await page.getByTestId('zoom-to-fit').click();

  await openNode(page, 'MCP Verbatim Tool');
  const hint = await outputHint(page);
  return { found, includes, warnings, choices, answer, hint };
}

async function addModel(page: Page, url: string): Promise<void> {
  await plusBelow(page, 'AI Agent', 'ai_languageModel');
  await searchNodes(page, 'openai', 'OpenAI Chat Model');
  await takeNode(page, 'OpenAI Chat Model');
  await newCredential(page, 'Scripted model');
  await fillCredential(page, { apiKey: 'none', url });
  await saveCredential(page);
  await closedByItself(page);
  // The scripted model speaks the chat completions API.
  await parameter(page, 'responsesApiEnabled').locator('.el-switch').click();
  await closeNode(page);
}
