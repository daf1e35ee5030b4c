import type { ChatModel } from './chat-models.js';

const langchain = '@n8n/n8n-nodes-langchain';

const model = (value: string) => ({ __rl: true, mode: 'id', value });

const messages = { values: [{ content: 'Do what is to be done.', role: 'user' }] };

/** n8n's nodes that send a model one message and run its calls themselves, without an agent. */
export const messageNodes: Omit<ChatModel, 'deviation'>[] = [
  {
    name: 'OpenAI 2.1 "Message a model"',
    node: { type: `${langchain}.openAi`, typeVersion: 2.1 },
    parameters: () => ({
      resource: 'text',
      operation: 'response',
      modelId: model('gpt-4.1-mini'),
      responses: messages,
      builtInTools: {},
      options: {},
    }),
    credential: { type: 'openAiApi', data: (origin) => ({ apiKey: 'none', url: `${origin}/v1` }) },
  },
  {
    name: 'OpenAI 1.8 "Message a model"',
    node: { type: `${langchain}.openAi`, typeVersion: 1.8 },
    parameters: () => ({
      resource: 'text',
      operation: 'message',
      modelId: model('gpt-4.1-mini'),
      messages,
      options: {},
    }),
    credential: { type: 'openAiApi', data: (origin) => ({ apiKey: 'none', url: `${origin}/v1` }) },
  },
  {
    name: 'Anthropic "Message a model"',
    node: { type: `${langchain}.anthropic`, typeVersion: 1 },
    parameters: () => ({
      resource: 'text',
      operation: 'message',
      modelId: model('claude-sonnet-4-5'),
      messages,
      options: {},
    }),
    credential: { type: 'anthropicApi', data: (origin) => ({ apiKey: 'none', url: origin }) },
  },
  {
    name: 'Google Gemini "Message a model"',
    node: { type: `${langchain}.googleGemini`, typeVersion: 1.1 },
    parameters: () => ({
      resource: 'text',
      operation: 'message',
      modelId: model('models/gemini-2.5-flash'),
      messages,
      options: {},
    }),
    credential: { type: 'googlePalmApi', data: (origin) => ({ apiKey: 'none', host: origin }) },
  },
  {
    name: 'Ollama "Message a model"',
    node: { type: `${langchain}.ollama`, typeVersion: 1 },
    parameters: () => ({ resource: 'text', operation: 'message', modelId: model('llama3.2'), messages, options: {} }),
    credential: { type: 'ollamaApi', data: (origin) => ({ baseUrl: origin, apiKey: '' }) },
  },
];
