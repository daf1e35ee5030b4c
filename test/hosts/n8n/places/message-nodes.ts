import { expect } from 'vitest';
import { sentSchema } from '../../../../src/internal.js';
import { bare } from '../../../../test-support/schemas/same-meaning.js';
import type { N8nApi, Workflow, WorkflowNode } from '../../../../test-support/n8n/api.js';
import type { Offer } from '../../../../test-support/n8n/offers.js';
import { assembled, manualTrigger, node } from './assemble.js';
import { alibabaCloud, byId, chatModel, type ChatModel, keyed } from './chat-models.js';
import type { Endpoint } from './models/endpoint.js';
import type { WireTool } from './tool-server.js';

const message = { content: 'Do what is to be done.', role: 'user' };

const messageTo = (modelId: unknown, more: object = {}) => ({
  resource: 'text',
  operation: 'message',
  modelId,
  messages: { values: [message] },
  options: {},
  ...more,
});

/** n8n's nodes that send a model one message and run its calls themselves, without an agent. */
export const messageNodes: ChatModel[] = [
  chatModel(
    'OpenAI 2.1',
    ['openAi', 2.1],
    {
      resource: 'text',
      operation: 'response',
      modelId: byId('gpt-4.1-mini'),
      responses: { values: [message] },
      builtInTools: {},
      options: {},
    },
    keyed('openAiApi', 'url', '/v1'),
    { provider: 'openai' },
  ),
  chatModel('OpenAI 1.8', ['openAi', 1.8], messageTo(byId('gpt-4.1-mini')), keyed('openAiApi', 'url', '/v1'), {
    provider: 'openai',
  }),
  chatModel('Anthropic', ['anthropic', 1], messageTo(byId('claude-sonnet-4-5')), keyed('anthropicApi'), {
    provider: 'anthropic',
  }),
  chatModel(
    'Google Gemini',
    ['googleGemini', 1.1],
    messageTo(byId('models/gemini-2.5-flash')),
    keyed('googlePalmApi', 'host'),
  ),
  chatModel('Ollama', ['ollama', 1], messageTo(byId('llama3.2')), keyed('ollamaApi', 'baseUrl')),
  chatModel(
    'Alibaba Cloud',
    ['alibabaCloud', 1.1],
    messageTo(byId('qwen3-max'), { messages: { messageValues: [message] } }),
    alibabaCloud,
  ),
  chatModel('MiniMax', ['minimax', 1.2], messageTo(byId('MiniMax-M3')), keyed('minimaxApi', 'url', '/v1')),
  chatModel('Moonshot', ['moonshot', 1.1], messageTo(byId('kimi-k2.5')), keyed('moonshotApi', 'url', '/v1'), {
    provider: 'moonshot',
  }),
];

/** A workflow with such a node and a tool. */
export async function messageWorkflow(
  api: N8nApi,
  { origin }: Endpoint,
  { name, node: { type, typeVersion }, parameters, credential }: ChatModel,
  tool: WorkflowNode,
): Promise<Workflow> {
  const credentials = {
    [credential.type]: await api.createCredential(name, credential.type, credential.data(origin)),
  };
  const message = node('Message', type, typeVersion, parameters, { credentials });
  return assembled(
    name,
    [manualTrigger, message, tool],
    [
      { from: 'Start', to: 'Message', type: 'main' },
      { from: tool.name, to: 'Message', type: 'ai_tool' },
    ],
  );
}

/** Checks the schemas of Gemini's node: the projection for Gemini, with a plain object at the root. */
export function expectSubset(told: Offer[], wire: WireTool[]): void {
  const projection = (schema: WireTool['inputSchema']) => sentSchema(schema, 'google').schema;
  expect(told.map(({ name, schema }) => ({ name, schema: bare(JSON.parse(schema)) }))).toEqual(
    wire.map(({ name, inputSchema }) => ({ name, schema: bare(projection(inputSchema)) })),
  );
}
