import type { N8nApi, Workflow, WorkflowNode } from '../../../../test-support/n8n/api.js';
import { assembled, manualTrigger, node } from './assemble.js';
import { alibabaCloud, byId, chatModel, type ChatModel, keyed } from './chat-models.js';
import type { Endpoint } from './models/endpoint.js';

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
    'OpenAI 2.1 "Message a model"',
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
  ),
  chatModel(
    'OpenAI 1.8 "Message a model"',
    ['openAi', 1.8],
    messageTo(byId('gpt-4.1-mini')),
    keyed('openAiApi', 'url', '/v1'),
  ),
  chatModel(
    'Anthropic "Message a model"',
    ['anthropic', 1],
    messageTo(byId('claude-sonnet-4-5')),
    keyed('anthropicApi'),
  ),
  chatModel(
    'Google Gemini "Message a model"',
    ['googleGemini', 1.1],
    messageTo(byId('models/gemini-2.5-flash')),
    keyed('googlePalmApi', 'host'),
  ),
  chatModel('Ollama "Message a model"', ['ollama', 1], messageTo(byId('llama3.2')), keyed('ollamaApi', 'baseUrl')),
];

/** Those that n8n has added of late. */
export const moreMessageNodes: ChatModel[] = [
  chatModel(
    'Alibaba Cloud',
    ['alibabaCloud', 1.1],
    messageTo(byId('qwen3-max'), { messages: { messageValues: [message] } }),
    alibabaCloud,
  ),
  chatModel('MiniMax', ['minimax', 1.2], messageTo(byId('MiniMax-M3')), keyed('minimaxApi', 'url', '/v1')),
  chatModel('Moonshot', ['moonshot', 1.1], messageTo(byId('kimi-k2.5')), keyed('moonshotApi', 'url', '/v1')),
];

/** Such a node with a tool. */
export async function messageWorkflow(
  api: N8nApi,
  { origin }: Endpoint,
  { name, node: { type, typeVersion }, parameters, credential }: ChatModel,
  tool: WorkflowNode,
): Promise<Workflow> {
  const credentials = {
    [credential.type]: await api.createCredential(name, credential.type, credential.data(origin)),
  };
  return withTool(node('Message', type, typeVersion, parameters, { credentials }), tool);
}

/** A node that takes a tool, without an agent. */
export function withTool(root: WorkflowNode, tool: WorkflowNode): Workflow {
  return assembled(
    root.name,
    [manualTrigger, root, tool],
    [
      { from: 'Start', to: root.name, type: 'main' },
      { from: tool.name, to: root.name, type: 'ai_tool' },
    ],
  );
}
