import { beforeEach, describe, test } from 'vitest';
import { sentSchema } from '../../../../src/projections/index.js';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { isAtLeast } from '../../../../test-support/n8n/install.js';
import { lacks, used } from '../harness.js';
import { expectCall, modelNode } from './agent-run.js';
import { type ChatModel, chatModels, lateChatModels } from './chat-models.js';
import { expectMeaning, expectSchemas } from './expected-schemas.js';
import { expectSubset, messageNodes, messageWorkflow } from './message-nodes.js';
import { setStage } from './stage.js';
import { richTools, rootAlternatives, type WireTool } from './tool-server.js';
import { trickyTools } from './tricky-tools.js';

const offered = [...richTools, rootAlternatives];
const manyTools = [...richTools, ...trickyTools];

/** A tool in the form that the provider accepts, if its rules are known. */
const takenBy =
  ({ provider }: ChatModel) =>
  (tool: WireTool): WireTool =>
    provider ? { ...tool, inputSchema: sentSchema(tool.inputSchema, provider).schema } : tool;

describe('each provider', () => {
  const stage = used(() => setStage(offered));

  beforeEach(() => stage.reset());

  test.for([...chatModels, ...lateChatModels])(
    'AI Agent with $name sends every schema and calls a tool',
    async (chatModel) => {
      const [major, minor, what] = chatModel.since ?? [0, 0, ''];
      if (!isAtLeast(major, minor)) lacks(what);
      const { bench, endpoint, server, credential } = stage;
      const tool = verbatimTool(credential, { options: { adaptSchemas: false } });
      const model = await modelNode(bench, endpoint, chatModel);
      expectCall(await bench.run(agentWorkflow(model, [tool])), server, endpoint.results());
      expectSchemas(endpoint.offers(), offered, chatModel.deviation);
    },
  );

  test.for(messageNodes)('"Message a model" of $name sends every schema and calls a tool', async (messageNode) => {
    const { bench, endpoint, server, credential } = stage;
    server.offer(manyTools);
    const workflow = await messageWorkflow(bench.api, endpoint, messageNode, verbatimTool(credential));
    expectCall(await bench.run(workflow), server, endpoint.results());
    if (messageNode.name === 'Google Gemini') expectSubset(endpoint.offers(), manyTools);
    else expectMeaning(endpoint.offers(), manyTools.map(takenBy(messageNode)));
  });
});
