import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { isAtLeast } from '../../../../test-support/n8n/install.js';
import { lacks, used } from '../harness.js';
import { expectCall, modelNode } from './agent-run.js';
import { node } from './assemble.js';
import { alibabaCloud, byId, chatModel, type ChatModel, keyed } from './chat-models.js';
import { expectMeaning, expectSchemas, matrix } from './matrix.js';
import { messageWorkflow, moreMessageNodes, withTool } from './message-nodes.js';
import { startAssistants } from './models/assistants.js';
import { setStage } from './stage.js';
import { richTools, slips } from './tool-server.js';

const once = { options: { maxRetries: 0 } };

/** Providers that n8n has added of late; to most of them it speaks as to OpenAI. */
const chatModels: ChatModel[] = [
  chatModel('Alibaba Cloud', ['lmChatAlibabaCloud', 1.1], { model: 'qwen-plus', ...once }, alibabaCloud),
  ...(
    [
      ['MiniMax', ['lmChatMinimax', 1.2], byId('MiniMax-M3'), 'minimaxApi'],
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

  test.for(moreMessageNodes)('$name "Message a model"', async (messageNode) => {
    const { bench, endpoint, credential } = stage;
    const workflow = await messageWorkflow(bench.api, endpoint, messageNode, verbatimTool(credential));
    const call = expectCall(await bench.run(workflow), stage.server, endpoint.results());
    table.row(`"Message a model": ${messageNode.name}`, expectMeaning(endpoint.offers(), richTools), call);
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
    const data = { apiKey: 'none', url: assistants.url };
    const credentials = { openAiApi: await stage.bench.api.createCredential('Assistants', 'openAiApi', data) };
    const assistantId = type === 'openAi' ? byId('asst_1') : 'asst_1';
    const options = { baseURL: assistants.url, preserveOriginalTools: false };
    const parameters = { resource: 'assistant', operation: 'message', assistantId, ...text, options };
    const root = node('Message', type, version, parameters, { credentials });
    const execution = await stage.bench.run(withTool(root, verbatimTool(stage.credential)));
    expect(execution.output('Message')[0]?.json['output']).toBe('Done.');
    const call = expectCall(execution, stage.server, assistants.results());
    table.row(name, expectMeaning(assistants.offers(), richTools), call);
  });
});
