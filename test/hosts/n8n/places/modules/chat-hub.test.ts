import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { verbatim, verbatimTool } from '../../../../../test-support/n8n/workflows.js';
import type { WorkflowNode } from '../../../../../test-support/n8n/api.js';
import { isAtLeast } from '../../../../../test-support/n8n/install.js';
import { expectArrival } from '../agent-run.js';
import { expectSchemas } from '../expected-schemas.js';
import { useStage } from '../stage.js';
import { findByModel, richTools, slips } from '../tool-server.js';

/** n8n's chat for all users: it puts a user's tools into a hidden workflow with an AI Agent. */
describe.skipIf(!isAtLeast(2, 41))('Chat Hub', () => {
  const stage = useStage();

  beforeAll(async () => {
    await stage.bench.api.request('PUT', '/rest/chat/enabled', { enabled: true });
  });

  test('MCP Verbatim Tool works in Chat Hub', async () => {
    expect(await answerWith(verbatimTool(stage.credential))).toBe('Done.');
    expectSchemas(stage.endpoint.offers(), richTools);
    expectArrival(stage.server, stage.endpoint.results());
  });

  test('MCP Verbatim as a tool in Chat Hub takes the arguments that the model gives as JSON', async () => {
    stage.endpoint.play({ calls: [{ name: 'Find', arguments: { Arguments: slips } }] }, { text: 'Done.' });
    const type = 'n8n-nodes-mcp-verbatim.mcpVerbatimTool';
    expect(await answerWith(verbatim(stage.credential, findByModel, { name: 'Find', type }))).toBe('Done.');
    const [told] = stage.endpoint.offers();
    expect(JSON.parse(told?.schema ?? '{}')).toHaveProperty('properties.Arguments.description', 'What to search for');
    expectArrival(stage.server, stage.endpoint.results());
  });

  async function answerWith(tool: WorkflowNode): Promise<string> {
    const [toolId, sessionId, messageId] = [randomUUID(), randomUUID(), randomUUID()];
    const { api } = stage.bench;
    await api.request('POST', '/rest/chat/tools', { definition: { ...tool, id: toolId } });
    const message = { message: 'Do what is to be done.', previousMessageId: null, attachments: [] };
    const model = { model: { provider: 'openai', model: 'gpt-4.1-mini' }, credentials: stage.chatModel.credentials };
    await api.request('POST', '/rest/chat/conversations/send', { messageId, sessionId, ...message, ...model });
    const text = await settled(sessionId);
    await api.request('PATCH', `/rest/chat/tools/${toolId}`, { enabled: false });
    // The model is also asked for a title, in requests without tools, which continue in the background.
    const ofAgent = stage.endpoint.requests.filter(({ body }) => 'tools' in (JSON.parse(body) as object));
    stage.endpoint.requests.splice(0, Infinity, ...ofAgent);
    return text;
  }

  /** The last message: every turn of the model is a message, and those with calls have no text. */
  async function settled(sessionId: string): Promise<string> {
    for (;;) {
      const path = `/rest/chat/conversations/${sessionId}`;
      const { conversation } = await stage.bench.api.request<Conversation>('GET', path);
      const answers = Object.values(conversation.messages).filter(
        ({ type, status }) => type === 'ai' && status !== 'running',
      );
      const text = answers.flatMap(({ content }) => content.map((part) => part.content)).join('');
      if (text !== '') return text;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
});

interface Conversation {
  conversation: { messages: Record<string, { type: string; status: string; content: { content: string }[] }> };
}
