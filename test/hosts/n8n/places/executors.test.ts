import { describe, expect, test } from 'vitest';
import type { Execution } from '../../../../test-support/n8n/api.js';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { expectCall } from './agent-run.js';
import { expectSchemas } from './expected-schemas.js';
import { useStage } from './stage.js';
import { richTools } from './tool-server.js';

describe('AI Agent 1.x', () => {
  const stage = useStage();

  async function run(agent: string, typeVersion: number): Promise<Execution> {
    const prompt = typeVersion < 1.3 ? {} : { promptType: 'define' };
    const parameters = { agent, ...prompt, text: 'Do what is to be done.', options: {} };
    return await stage.bench.run(
      agentWorkflow(stage.chatModel, [verbatimTool(stage.credential)], { agent: { typeVersion, parameters } }),
    );
  }

  test.for([1, 1.5, 1.9])('%d, OpenAI Functions Agent', async (version) => {
    const execution = await run('openAiFunctionsAgent', version);
    expectCall(execution, stage.server, stage.endpoint.results());
    expectSchemas(stage.endpoint.offers(), richTools);
  });

  // Their model writes calls as text, so n8n accepts no tools with a schema.
  test.for(['conversationalAgent', 'reActAgent', 'planAndExecuteAgent'])('%s: n8n says what to use', async (agent) => {
    const { error } = await run(agent, 1.9);
    expect(`${error?.message} ${error?.description}`).toMatch(/not supported|Tools Agent/i);
  });
});
