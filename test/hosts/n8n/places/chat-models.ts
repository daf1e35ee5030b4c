import { isAtLeast } from '../../../../test-support/n8n/install.js';
import type { WorkflowNode } from '../../../../test-support/n8n/api.js';
import { anthropicDrops, cohereRebuilds, geminiStrips, groqIndents, type Deviation } from './deviations.js';

/** A chat model node of n8n, how it is pointed at an endpoint on loopback, and what its provider's code changes. */
export interface ChatModel {
  readonly name: string;
  readonly node: Pick<WorkflowNode, 'type' | 'typeVersion'>;
  parameters(origin: string): Record<string, unknown>;
  readonly credential: { readonly type: string; data(origin: string): Record<string, unknown> };
  readonly deviation?: Deviation;
  /** The n8n from which on the model can be tried, and why not before. */
  readonly since?: readonly [major: number, minor: number, why: string];
  /** Whether n8n's own client leaves the results of tools out of the conversation. */
  readonly losesResults?: boolean;
}

const langchain = '@n8n/n8n-nodes-langchain';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

export const chatModels: ChatModel[] = [
  {
    name: 'OpenAI, chat completions',
    node: { type: `${langchain}.lmChatOpenAi`, typeVersion: 1.3 },
    parameters: () => ({ model: byId('gpt-4.1-mini'), responsesApiEnabled: false, options: { maxRetries: 0 } }),
    credential: { type: 'openAiApi', data: (origin) => ({ apiKey: 'none', url: `${origin}/v1` }) },
  },
  {
    name: 'OpenAI, responses API',
    node: { type: `${langchain}.lmChatOpenAi`, typeVersion: 1.3 },
    parameters: () => ({ model: byId('gpt-4.1-mini'), responsesApiEnabled: true, options: { maxRetries: 0 } }),
    credential: { type: 'openAiApi', data: (origin) => ({ apiKey: 'none', url: `${origin}/v1` }) },
  },
  {
    name: 'Anthropic',
    node: { type: `${langchain}.lmChatAnthropic`, typeVersion: 1.3 },
    // Before, its client sends them, and Anthropic's API refuses the whole request.
    ...(isAtLeast(2, 41) ? { deviation: anthropicDrops } : {}),
    parameters: () => ({ model: byId('claude-sonnet-4-5'), options: {} }),
    credential: { type: 'anthropicApi', data: (origin) => ({ apiKey: 'none', url: origin }) },
  },
  {
    name: 'Google Gemini',
    node: { type: `${langchain}.lmChatGoogleGemini`, typeVersion: 1 },
    deviation: geminiStrips,
    parameters: () => ({ modelName: 'models/gemini-2.5-flash', options: {} }),
    credential: { type: 'googlePalmApi', data: (origin) => ({ apiKey: 'none', host: origin }) },
  },
  {
    name: 'Ollama',
    node: { type: `${langchain}.lmChatOllama`, typeVersion: 1 },
    parameters: () => ({ model: 'llama3.2', options: {} }),
    credential: { type: 'ollamaApi', data: (origin) => ({ baseUrl: origin, apiKey: '' }) },
  },
  {
    name: 'DeepSeek',
    node: { type: `${langchain}.lmChatDeepSeek`, typeVersion: 1 },
    parameters: () => ({ model: 'deepseek-chat', options: { maxRetries: 0 } }),
    credential: { type: 'deepSeekApi', data: (origin) => ({ apiKey: 'none', url: origin }) },
  },
  {
    name: 'OpenRouter',
    node: { type: `${langchain}.lmChatOpenRouter`, typeVersion: 1 },
    parameters: () => ({ model: 'openai/gpt-4.1-mini', options: { maxRetries: 0 } }),
    credential: { type: 'openRouterApi', data: (origin) => ({ apiKey: 'none', url: `${origin}/v1` }) },
  },
  {
    name: 'xAI Grok',
    node: { type: `${langchain}.lmChatXAiGrok`, typeVersion: 1 },
    parameters: () => ({ model: 'grok-4', options: { maxRetries: 0 } }),
    credential: { type: 'xAiApi', data: (origin) => ({ apiKey: 'none', url: `${origin}/v1` }) },
  },
  {
    name: 'Azure OpenAI',
    node: { type: `${langchain}.lmChatAzureOpenAi`, typeVersion: 1 },
    parameters: () => ({ authentication: 'azureOpenAiApi', model: 'deployed', options: { maxRetries: 0 } }),
    credential: {
      type: 'azureOpenAiApi',
      data: (origin) => ({
        endpointType: 'classic',
        apiKey: 'none',
        resourceName: 'res',
        apiVersion: '2025-03-01-preview',
        endpoint: origin,
      }),
    },
  },
  {
    name: 'Amazon Bedrock',
    since: [2, 41, 'endpoint of Bedrock to be chosen'],
    node: { type: `${langchain}.lmChatAwsBedrock`, typeVersion: 1.1 },
    parameters: () => ({ modelSource: 'onDemand', model: 'anthropic.claude-3-5-sonnet-20240620-v1:0', options: {} }),
    credential: {
      type: 'aws',
      data: (origin) => ({
        region: 'us-east-1',
        accessKeyId: 'none',
        secretAccessKey: 'none',
        temporaryCredentials: false,
        customEndpoints: true,
        bedrockRuntimeEndpoint: origin,
      }),
    },
  },
];

/** Those whose credentials hold a key only. */
export const fixedChatModels: ChatModel[] = [
  {
    name: 'Mistral',
    node: { type: `${langchain}.lmChatMistralCloud`, typeVersion: 1 },
    parameters: () => ({ model: 'mistral-small', options: { maxRetries: 0 } }),
    credential: { type: 'mistralCloudApi', data: () => ({ apiKey: 'none' }) },
  },
  {
    name: 'Groq',
    since: [2, 41, 'Groq behind a proxy'],
    deviation: groqIndents,
    node: { type: `${langchain}.lmChatGroq`, typeVersion: 1 },
    parameters: () => ({ model: 'llama-3.3-70b-versatile', options: {} }),
    credential: { type: 'groqApi', data: () => ({ apiKey: 'none' }) },
  },
  {
    name: 'Cohere',
    since: [2, 41, 'Cohere for schemas with lists of types'],
    deviation: cohereRebuilds,
    // cohereV2Client.js of n8n 2.41, toV2Messages: `case 'TOOL': break`.
    losesResults: true,
    node: { type: `${langchain}.lmChatCohere`, typeVersion: 1 },
    parameters: () => ({ model: 'command-a-03-2025', options: { maxRetries: 0 } }),
    credential: { type: 'cohereApi', data: () => ({ apiKey: 'none' }) },
  },
];
