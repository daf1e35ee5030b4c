import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { isAtLeast } from '../../../../test-support/n8n/install.js';
import { lacks, used } from '../harness.js';
import { expectCall, modelNode } from './agent-run.js';
import { assembled, manualTrigger, node } from './assemble.js';
import type { ChatModel } from './chat-models.js';
import { expectMeaning, expectSchemas, matrix } from './matrix.js';
import { startAssistants } from './models/assistants.js';
import { setStage } from './stage.js';
import { richTools, slips } from './tool-server.js';

const langchain = '@n8n/n8n-nodes-langchain';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const keyAndUrl = (type: string) => ({ type, data: (origin: string) => ({ apiKey: 'none', url: `${origin}/v1` }) });

/** Providers that n8n has added of late; to most of them it speaks as to OpenAI. */
const chatModels: ChatModel[] = [
  {
    name: 'Alibaba Cloud',
    node: { type: `${langchain}.lmChatAlibabaCloud`, typeVersion: 1.1 },
    parameters: () => ({ model: 'qwen-plus', options: { maxRetries: 0 } }),
    credential: {
      type: 'alibabaCloudApi',
      data: (origin) => ({ apiKey: 'none', region: 'ap-southeast-1', url: origin }),
    },
  },
  {
    name: 'MiniMax',
    node: { type: `${langchain}.lmChatMinimax`, typeVersion: 1.2 },
    parameters: () => ({ model: byId('MiniMax-M3'), options: { maxRetries: 0 } }),
    credential: keyAndUrl('minimaxApi'),
  },
  {
    name: 'Moonshot',
    node: { type: `${langchain}.lmChatMoonshot`, typeVersion: 1.1 },
    parameters: () => ({ model: 'kimi-k2.5', options: { maxRetries: 0 } }),
    credential: keyAndUrl('moonshotApi'),
  },
  {
    name: 'NVIDIA',
    node: { type: `${langchain}.lmChatNvidia`, typeVersion: 1 },
    parameters: () => ({ model: 'meta/llama-3.3-70b-instruct', options: { maxRetries: 0 } }),
    credential: keyAndUrl('nvidiaApi'),
  },
  {
    name: 'Vercel AI Gateway',
    node: { type: `${langchain}.lmChatVercelAiGateway`, typeVersion: 1 },
    parameters: () => ({ model: 'openai/gpt-4.1-mini', options: { maxRetries: 0 } }),
    credential: keyAndUrl('vercelAiGatewayApi'),
  },
  {
    name: 'Lemonade',
    node: { type: `${langchain}.lmChatLemonade`, typeVersion: 1 },
    parameters: () => ({ model: 'Qwen3-4B-GGUF', options: { maxRetries: 0 } }),
    credential: { type: 'lemonadeApi', data: (origin) => ({ baseUrl: `${origin}/api/v1`, apiKey: '' }) },
  },
];

const messages = { values: [{ content: 'Do what is to be done.', role: 'user' }] };

const messageNodes: ChatModel[] = [
  {
    name: 'Alibaba Cloud',
    node: { type: `${langchain}.alibabaCloud`, typeVersion: 1.1 },
    parameters: () => ({
      resource: 'text',
      operation: 'message',
      modelId: byId('qwen3-max'),
      messages: { messageValues: [{ content: 'Do what is to be done.', role: 'user' }] },
      options: {},
    }),
    credential: {
      type: 'alibabaCloudApi',
      data: (origin) => ({ apiKey: 'none', region: 'ap-southeast-1', url: origin }),
    },
  },
  {
    name: 'MiniMax',
    node: { type: `${langchain}.minimax`, typeVersion: 1.2 },
    parameters: () => ({ resource: 'text', operation: 'message', modelId: byId('MiniMax-M3'), messages, options: {} }),
    credential: keyAndUrl('minimaxApi'),
  },
  {
    name: 'Moonshot',
    node: { type: `${langchain}.moonshot`, typeVersion: 1.1 },
    parameters: () => ({ resource: 'text', operation: 'message', modelId: byId('kimi-k2.5'), messages, options: {} }),
    credential: keyAndUrl('moonshotApi'),
  },
];

describe('more providers', () => {
  const table = matrix('More providers');
  const stage = used(setStage);

  beforeEach(() => stage.reset());
  afterAll(async () => {
    table.print();
  });

  test.for(chatModels)('AI Agent 3.1 with $name', async (chatModel) => {
    if (chatModel.name === 'MiniMax' && !isAtLeast(2, 41)) lacks('MiniMax model to be chosen by its id');
    const model = await modelNode(stage.bench, stage.endpoint, chatModel);
    const execution = await stage.bench.run(agentWorkflow(model, [verbatimTool(stage.credential)]));
    const call = expectCall(execution, stage.server, stage.endpoint.results());
    table.row(chatModel.name, expectSchemas(stage.endpoint.offers(), richTools), call);
  });

  test.for(messageNodes)('$name "Message a model"', async (messageNode) => {
    const {
      name,
      node: { type, typeVersion },
      parameters,
      credential: { type: credentialType, data },
    } = messageNode;
    const credentials = {
      [credentialType]: await stage.bench.api.createCredential(name, credentialType, data(stage.endpoint.origin)),
    };
    const execution = await runWithTool(
      node('Message', type, typeVersion, parameters(stage.endpoint.origin), { credentials }),
    );
    const call = expectCall(execution, stage.server, stage.endpoint.results());
    table.row(`"Message a model": ${name}`, expectMeaning(stage.endpoint.offers(), richTools), call);
  });

  test.for([
    {
      name: 'OpenAI 1.8 "Message an assistant"',
      type: 'openAi',
      version: 1.8,
      text: { prompt: 'define', text: 'Go.', memory: 'threadId' },
    },
    { name: 'OpenAI Assistant 1.1', type: 'openAiAssistant', version: 1.1, text: { mode: 'existing', text: 'Go.' } },
  ])('$name', async ({ name, type, version, text }) => {
    await using assistants = await startAssistants();
    assistants.play('find_relatives', slips);
    const credentials = {
      openAiApi: await stage.bench.api.createCredential('Assistants', 'openAiApi', {
        apiKey: 'none',
        url: assistants.url,
      }),
    };
    const assistant = {
      resource: 'assistant',
      operation: 'message',
      assistantId: type === 'openAi' ? byId('asst_1') : 'asst_1',
    };
    const parameters = { ...assistant, ...text, options: { baseURL: assistants.url, preserveOriginalTools: false } };
    const execution = await runWithTool(node('Message', type, version, parameters, { credentials }));
    expect(execution.output('Message')[0]?.json['output']).toBe('Done.');
    const call = expectCall(execution, stage.server, assistants.results());
    table.row(name, expectMeaning(assistants.offers(), richTools), call);
  });

  async function runWithTool(root: ReturnType<typeof node>) {
    const tool = verbatimTool(stage.credential);
    return await stage.bench.run(
      assembled(
        root.name,
        [manualTrigger, root, tool],
        [
          { from: 'Start', to: root.name, type: 'main' },
          { from: tool.name, to: root.name, type: 'ai_tool' },
        ],
      ),
    );
  }
});
