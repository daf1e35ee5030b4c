import type { Provider } from '../../../../src/projections/index.js';
import { isAtLeast } from '../../../../test-support/n8n/install.js';
import type { WorkflowNode } from '../../../../test-support/n8n/api.js';
import { anthropicDrops, cohereRebuilds, geminiStrips, groqIndents, type Deviation } from './deviations.js';

/**
 * A chat model node of n8n, its settings for an endpoint on loopback, and the changes that its provider's code makes.
 */
export interface ChatModel {
  readonly name: string;
  readonly node: Pick<WorkflowNode, 'type' | 'typeVersion'>;
  readonly parameters: Record<string, unknown>;
  readonly credential: Credential;
  readonly deviation?: Deviation;
  /** The provider that answers, if its rules for schemas are known. */
  readonly provider?: Provider;
  /** The first version of n8n in which the model can be tested, and the reason. */
  readonly since?: readonly [major: number, minor: number, why: string];
  /** True if n8n's own client leaves results of tools out of the conversation. */
  readonly losesResults?: boolean;
}

interface Credential {
  readonly type: string;
  data(origin: string): Record<string, unknown>;
}

export function chatModel(
  name: string,
  [type, typeVersion]: [type: string, typeVersion: number],
  parameters: Record<string, unknown>,
  credential: Credential,
  more: Partial<ChatModel> = {},
): ChatModel {
  return { name, node: { type: `@n8n/n8n-nodes-langchain.${type}`, typeVersion }, parameters, credential, ...more };
}

export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** @param field the credential's field for the address, which ends in `path` */
export const keyed = (type: string, field = 'url', path = ''): Credential => ({
  type,
  data: (origin) => ({ apiKey: 'none', [field]: origin + path }),
});

export const alibabaCloud: Credential = {
  type: 'alibabaCloudApi',
  data: (origin) => ({ apiKey: 'none', region: 'ap-southeast-1', url: origin }),
};

const once = { options: { maxRetries: 0 } };

export const chatModels: ChatModel[] = [
  ...[false, true].map((responsesApiEnabled) =>
    chatModel(
      `OpenAI, ${responsesApiEnabled ? 'responses API' : 'chat completions'}`,
      ['lmChatOpenAi', 1.3],
      { model: byId('gpt-4.1-mini'), responsesApiEnabled, ...once },
      keyed('openAiApi', 'url', '/v1'),
    ),
  ),
  chatModel(
    'Anthropic',
    ['lmChatAnthropic', 1.3],
    { model: byId('claude-sonnet-4-5'), options: {} },
    keyed('anthropicApi'),
    // Older clients send them, and Anthropic's API rejects the whole request.
    isAtLeast(2, 41) ? { deviation: anthropicDrops } : {},
  ),
  chatModel(
    'Google Gemini',
    ['lmChatGoogleGemini', 1],
    { modelName: 'models/gemini-2.5-flash', options: {} },
    keyed('googlePalmApi', 'host'),
    { deviation: geminiStrips },
  ),
  chatModel('Ollama', ['lmChatOllama', 1], { model: 'llama3.2', options: {} }, keyed('ollamaApi', 'baseUrl')),
  chatModel('DeepSeek', ['lmChatDeepSeek', 1], { model: 'deepseek-chat', ...once }, keyed('deepSeekApi')),
  chatModel(
    'OpenRouter',
    ['lmChatOpenRouter', 1],
    { model: 'openai/gpt-4.1-mini', ...once },
    keyed('openRouterApi', 'url', '/v1'),
  ),
  chatModel('xAI Grok', ['lmChatXAiGrok', 1], { model: 'grok-4', ...once }, keyed('xAiApi', 'url', '/v1')),
  chatModel(
    'Azure OpenAI',
    ['lmChatAzureOpenAi', 1],
    { authentication: 'azureOpenAiApi', model: 'deployed', ...once },
    {
      type: 'azureOpenAiApi',
      data: (endpoint) => ({
        endpointType: 'classic',
        apiKey: 'none',
        resourceName: 'res',
        apiVersion: '2025-03-01-preview',
        endpoint,
      }),
    },
  ),
  chatModel(
    'Amazon Bedrock',
    ['lmChatAwsBedrock', 1.1],
    { modelSource: 'onDemand', model: 'anthropic.claude-3-5-sonnet-20240620-v1:0', options: {} },
    {
      type: 'aws',
      data: (bedrockRuntimeEndpoint) => ({
        region: 'us-east-1',
        accessKeyId: 'none',
        secretAccessKey: 'none',
        temporaryCredentials: false,
        customEndpoints: true,
        bedrockRuntimeEndpoint,
      }),
    },
    { since: [2, 41, 'endpoint of Bedrock to be chosen'] },
  ),
];

/** Providers that n8n has added lately; most of them speak OpenAI's API. */
export const lateChatModels: ChatModel[] = [
  chatModel('Alibaba Cloud', ['lmChatAlibabaCloud', 1.1], { model: 'qwen-plus', ...once }, alibabaCloud),
  chatModel(
    'MiniMax',
    ['lmChatMinimax', 1.2],
    { model: byId('MiniMax-M3'), ...once },
    keyed('minimaxApi', 'url', '/v1'),
    { since: [2, 41, 'MiniMax model to be chosen by its id'] },
  ),
  ...(
    [
      ['Moonshot', ['lmChatMoonshot', 1.1], 'kimi-k2.5', 'moonshotApi'],
      ['NVIDIA', ['lmChatNvidia', 1], 'meta/llama-3.3-70b-instruct', 'nvidiaApi'],
      ['Vercel AI Gateway', ['lmChatVercelAiGateway', 1], 'openai/gpt-4.1-mini', 'vercelAiGatewayApi'],
    ] as const
  ).map(([name, [type, version], model, credential]) =>
    chatModel(name, [type, version], { model, ...once }, keyed(credential, 'url', '/v1')),
  ),
  chatModel(
    'Lemonade',
    ['lmChatLemonade', 1],
    { model: 'Qwen3-4B-GGUF', ...once },
    keyed('lemonadeApi', 'baseUrl', '/api/v1'),
  ),
];

const onlyKey = (type: string): Credential => ({ type, data: () => ({ apiKey: 'none' }) });

/** Providers whose credentials hold only a key. */
export const fixedChatModels: ChatModel[] = [
  chatModel('Mistral', ['lmChatMistralCloud', 1], { model: 'mistral-small', ...once }, onlyKey('mistralCloudApi')),
  chatModel('Groq', ['lmChatGroq', 1], { model: 'llama-3.3-70b-versatile', options: {} }, onlyKey('groqApi'), {
    since: [2, 41, 'Groq behind a proxy'],
    deviation: groqIndents,
  }),
  chatModel('Cohere', ['lmChatCohere', 1], { model: 'command-a-03-2025', ...once }, onlyKey('cohereApi'), {
    since: [2, 41, 'Cohere for schemas with lists of types'],
    deviation: cohereRebuilds,
    // cohereV2Client.js of n8n 2.41, toV2Messages: `case 'TOOL': break`.
    losesResults: true,
  }),
];
