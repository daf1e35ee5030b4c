import { describe, expect, test } from 'vitest';
import { stepOf } from '../harness.js';
import type { Execution } from '../../../../test-support/n8n/api.js';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { expectCall } from './agent-run.js';
import { useStage } from './stage.js';
import { richTools, slips } from './tool-server.js';

describe('elsewhere in n8n', () => {
  const stage = useStage();

  describe('"Execute step" on MCP Verbatim Tool', () => {
    /** The editor's request. n8n then replaces the agent by its Tool Executor. */
    async function executeStep(more: object = {}): Promise<Execution> {
      const { bench, chatModel, credential } = stage;
      const id = await bench.api.createWorkflow(agentWorkflow(chatModel, [verbatimTool(credential)]));
      const destinationNode = { nodeName: 'MCP Verbatim Tool', mode: 'inclusive' };
      return await bench.api.finished(await bench.begin(id, { destinationNode, ...more }));
    }

    const lastRun = ({ runs }: Execution) => runs['MCP Verbatim Tool']?.at(-1);
    const items = (execution: Execution) => lastRun(execution)?.data?.['ai_tool']?.[0] ?? [];

    test('"Execute step" calls a tool, and says what is wrong with the arguments', async () => {
      const execution = await executeStep({ agentRequest: stepOf('find_relatives', slips) });
      expectCall(execution, stage.server, [String(items(execution)[0]?.json['response'])]);
      const wrong = await executeStep({ agentRequest: stepOf('book_table', { guests: 'two' }) });
      expect(JSON.stringify(lastRun(wrong))).toContain('/guests');
    });

    test('"Execute step" shows what an agent is sent if the editor names no tool', async () => {
      const execution = await executeStep();
      const shown = items(execution).map(({ json }) => [json['name'], JSON.stringify(json['inputSchema'])]);
      expect(shown).toEqual(richTools.map(({ name, inputSchema }) => [name, JSON.stringify(inputSchema)]));
      expect(JSON.stringify(lastRun(execution)?.hints)).toContain('add the option');
      expect(stage.server.calls()).toEqual([]);
    });
  });
});
