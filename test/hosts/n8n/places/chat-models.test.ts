import { beforeEach, describe, test } from 'vitest';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { isAtLeast } from '../../../../test-support/n8n/install.js';
import { lacks, used } from '../harness.js';
import { expectCall, modelNode } from './agent-run.js';
import { chatModels, lateChatModels } from './chat-models.js';
import { expectMeaning, expectSchemas } from './expected-schemas.js';
import { expectSubset, messageNodes, messageWorkflow } from './message-nodes.js';
import { setStage } from './stage.js';
import { richTools, rootAlternatives } from './tool-server.js';
import { trickyTools } from './tricky-tools.js';

const offered = [...richTools, rootAlternatives];
const manyTools = [...richTools, ...trickyTools];

describe('each provider', () => {
  const stage = used(() => setStage(offered));

  beforeEach(() => stage.reset());

  test.for([...chatModels, ...lateChatModels])('AI Agent with $name', async (chatModel) => {
    const [major, minor, what] = chatModel.since ?? [0, 0, ''];
    if (!isAtLeast(major, minor)) lacks(what);
    const { bench, endpoint, server, credential } = stage;
    const tool = verbatimTool(credential, { options: { adaptSchemas: false } });
    const model = await modelNode(bench, endpoint, chatModel);
    expectCall(await bench.run(agentWorkflow(model, [tool])), server, endpoint.results());
    expectSchemas(endpoint.offers(), offered, chatModel.deviation);
  });

  test.for(messageNodes)('"Message a model" of $name', async (messageNode) => {
    const { bench, endpoint, server, credential } = stage;
    server.offer(manyTools);
    const workflow = await messageWorkflow(bench.api, endpoint, messageNode, verbatimTool(credential));
    expectCall(await bench.run(workflow), server, endpoint.results());
    const expectTold = messageNode.name === 'Google Gemini' ? expectSubset : expectMeaning;
    expectTold(endpoint.offers(), manyTools);
  });
});
