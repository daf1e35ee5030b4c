import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Execution, Item } from '../../../test-support/n8n/api.js';
import { startDemoServer } from '../../../test-support/demo-server/http.js';
import { tools } from '../../../test-support/demo-server/tools.js';
import { useBench, stepOf } from './harness.js';
import { agentWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';

describe('"Execute step" on MCP Verbatim Tool', () => {
  const bench = useBench();
  let server: Awaited<ReturnType<typeof startDemoServer>>;
  let workflow: string;

  beforeAll(async () => {
    server = await startDemoServer();
    const node = verbatimTool(await bench.httpCredential(server.url));
    workflow = await bench.api.createWorkflow(agentWorkflow(bench.modelNode, [node]));
  });
  afterAll(async () => {
    await server.stop();
  });

  /** What the editor asks for. n8n then puts its Tool Executor in the place of the agent. */
  async function executeStep(more: object = {}): Promise<Execution> {
    const destinationNode = { nodeName: 'MCP Verbatim Tool', mode: 'inclusive' };
    return await bench.api.finished(await bench.begin(workflow, { destinationNode, ...more }));
  }

  const runs = ({ runs }: Execution) => runs['MCP Verbatim Tool'] ?? [];
  const items = (execution: Execution): Item[] => runs(execution).at(-1)?.data?.['ai_tool']?.[0] ?? [];

  test('shows what an agent is sent, because the editor names no tool', async () => {
    const execution = await executeStep();
    expect(execution.status).toBe('success');
    const shown = items(execution).map(({ json }) => [json['name'], JSON.stringify(json['inputSchema'])]);
    expect(shown).toEqual(tools.map(({ name, inputSchema }) => [name, JSON.stringify(inputSchema)]));
    expect(runs(execution)).toHaveLength(1);
    expect(
      runs(execution)[0]
        ?.hints?.map(({ message }) => message)
        .join(),
    ).toContain('use the MCP Verbatim node');
    expect(server.calls).toEqual([]);
  });

  test('says what is wrong with the arguments', async () => {
    const execution = await executeStep({ agentRequest: stepOf('book_table', { guests: 'two' }) });
    expect(runs(execution).at(-1)).toMatchObject({
      executionStatus: 'error',
      error: { message: expect.stringContaining('/guests') as unknown },
    });
  });
});
