import { afterAll, beforeEach, describe, test } from 'vitest';
import { isAtLeast } from '../../../../test-support/n8n/install.js';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { lacks, used } from '../harness.js';
import { expectCall, modelNode } from './agent-run.js';
import { chatModels } from './chat-models.js';
import { expectSchemas, matrix } from './matrix.js';
import { setStage } from './stage.js';
import { richTools, rootAlternatives } from './tool-server.js';

const offered = [...richTools, rootAlternatives];

describe('AI Agent 3.1 with the chat model', () => {
  const table = matrix('AI Agent 3.1 with the chat model');
  const stage = used(() => setStage(offered));

  beforeEach(() => stage.reset());
  afterAll(async () => {
    table.print();
  });

  test.for(chatModels)('$name', async (chatModel) => {
    const [major, minor, what] = chatModel.since ?? [0, 0, ''];
    if (!isAtLeast(major, minor)) lacks(what);
    const { bench, endpoint, server, credential } = stage;
    const execution = await bench.run(
      agentWorkflow(await modelNode(bench, endpoint, chatModel), [
        verbatimTool(credential, { options: { providerSafe: false } }),
      ]),
    );
    const call = expectCall(execution, server, endpoint.results());
    table.row(chatModel.name, expectSchemas(endpoint.offers(), offered, chatModel.deviation), call);
  });
});
