import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Execution, WorkflowNode } from '../../../../test-support/n8n/api.js';
import { resultText } from '../../../../src/internal.js';
import { agentWorkflow, verbatim, verbatimTool, asJson } from '../../../../test-support/n8n/workflows.js';
import { isAtLeast } from '../../../../test-support/n8n/install.js';
import { sourceAt } from '../../../../test-support/n8n/source.js';
import { lacks } from '../harness.js';
import { expectArrival, expectCall } from './agent-run.js';
import { assembled, joined, node } from './assemble.js';
import { expectSchemas } from './expected-schemas.js';
import { openGateway, publish } from './publish.js';
import { useStage } from './stage.js';
import { answer, correct, findByModel, findStep, richTools, slips } from './tool-server.js';

describe('tools among the features of workflows', () => {
  const stage = useStage();
  const asTool = { name: 'Find', type: 'n8n-nodes-mcp-verbatim.mcpVerbatimTool' };

  const formFields = {
    mappingMode: 'defineBelow',
    value: {
      queries: "={{ $fromAI('queries', 'Queries', 'json') }}",
      limit: "={{ $fromAI('limit', 'At most so many', 'string') }}",
    },
    matchingColumns: [],
    schema: [],
  };

  test.for([2.3, 3.1])('MCP Verbatim as a tool takes arguments as JSON from AI Agent %d', async (version) => {
    stage.endpoint.play({ calls: [{ name: 'Find', arguments: { Arguments: slips } }] }, { text: 'Done.' });
    const execution = await runWith(verbatim(stage.credential, findByModel, asTool), version);
    expectCall(execution, stage.server, stage.endpoint.results());
  });

  test.for([2.3, 3.1])('MCP Verbatim as a tool takes arguments by a form from AI Agent %d', async (version) => {
    const { queries, limit } = slips;
    stage.endpoint.play({ calls: [{ name: 'Find', arguments: { queries, limit } }] }, { text: 'Done.' });
    const parameters = { ...findByModel, argumentsMode: 'form', form: formFields };
    const execution = await runWith(verbatim(stage.credential, parameters, asTool), version);
    expect(execution.error).toBeUndefined();
    expect(stage.server.calls().map(({ arguments: args }) => args)).toEqual([
      { queries: correct.queries, limit: correct.limit },
    ]);
    expect(stage.endpoint.results()).toEqual([expect.stringContaining(answer)]);
  });

  test('MCP Verbatim as a tool has the description of the tool', async () => {
    const [first] = richTools;
    const parameters = { ...findStep, jsonArguments: asJson('{}') };
    const node = verbatim(stage.credential, parameters, asTool);
    const { fields } = await stage.bench.ask<{ fields: { id: string; defaultValue: string }[] }>(
      'resource-mapper-fields',
      node,
      'getToolDescription',
    );
    // The editor's value as soon as a tool is chosen.
    const value = Object.fromEntries(fields.map(({ id, defaultValue }) => [id, defaultValue]));
    const ownDescription = { mappingMode: 'defineBelow', value };
    const told = async (more: object) => {
      stage.endpoint.play({ text: 'Done.' });
      const execution = await runWith({ ...node, parameters: { ...parameters, ...more } }, 3.1);
      expect(execution.error).toBeUndefined();
      return sourceAt(stage.endpoint.requests[0]!.body, 'tools', 0, 'function', 'description');
    };
    expect(await told({ ownDescription })).toBe(JSON.stringify(first!.description));
    expect(await told({})).toBe(`"Call the tool ${first!.name} of an MCP server"`);
    expect(await told({ descriptionType: 'manual', toolDescription: 'By hand' })).toBe('"By hand"');
  });

  test('Call n8n Sub-Workflow Tool calls a workflow as a tool', async () => {
    stage.endpoint.play(
      { calls: [{ name: 'Search', arguments: { query: JSON.stringify(slips) } }] },
      { text: 'Done.' },
    );
    const step = verbatim(stage.credential, { ...findStep, jsonArguments: asJson('={{ $json.query }}') });
    const execution = await runWith(await workflowTool([step]), 3.1);
    expectCall(execution, stage.server, stage.endpoint.results());
  });

  test('A workflow with an agent works behind an MCP Server Trigger', async () => {
    const agent = node('AI Agent', 'agent', 3.1, { promptType: 'define', text: 'Go.', options: {} });
    const inner = verbatimTool(stage.credential);
    const tool = await workflowTool([agent, stage.chatModel, inner], joined(agent.name, stage.chatModel, inner));
    await using session = await openGateway(stage.bench.api, [tool]);
    const { tools } = await session.listTools();
    const result = await session.callTool(tools[0]!, { query: 'Find them.' });
    expect(resultText(result)).toContain('Done.');
    expectSchemas(stage.endpoint.offers(), richTools);
    expectArrival(stage.server, stage.endpoint.results());
  });

  test('A partial execution runs the agent alone again', async () => {
    const workflow = agentWorkflow(stage.chatModel, [verbatimTool(stage.credential)]);
    const id = await stage.bench.api.createWorkflow({ ...workflow, ...{ pinData: {} } });
    const first = await stage.bench.api.run(id, 'Start');
    stage.server.offer(richTools);
    const again = await stage.bench.api.begin(id, {
      runData: { Start: first.runs['Start'], Input: first.runs['Input'] },
      destinationNode: { nodeName: 'AI Agent', mode: 'inclusive' },
      dirtyNodeNames: ['AI Agent'],
    });
    expectCall(await stage.bench.api.finished(again), stage.server, stage.endpoint.results());
    expectSchemas(stage.endpoint.offers(), richTools);
  });

  test('An evaluation runs each row of the dataset, and the tool counts as used', async () => {
    if (!isAtLeast(2, 41)) lacks('evaluation that tells its id');
    const { id: projectId } = await stage.bench.api.request<{ id: string }>('GET', '/rest/projects/personal');
    const tables = `/rest/projects/${projectId}/data-tables`;
    const table = { name: randomUUID(), columns: [{ name: 'question', type: 'string' }] };
    const { id: dataset } = await stage.bench.api.request<{ id: string }>('POST', tables, table);
    const data = [{ question: 'Who is 30?' }, { question: 'Who is 31?' }];
    await stage.bench.api.request('POST', `${tables}/${dataset}/insert`, { data, returnType: 'count' });
    const trigger = node('Dataset', 'n8n-nodes-base.evaluationTrigger', 4.7, {
      source: 'dataTable',
      dataTableId: { __rl: true, mode: 'id', value: dataset },
    });
    const metric = node('Metric', 'n8n-nodes-base.evaluation', 4.8, {
      operation: 'setMetrics',
      metric: 'toolsUsed',
      expectedTools: 'find_relatives',
      intermediateSteps: '={{ $json.intermediateSteps }}',
      options: { metricName: 'Tools Used' },
    });
    const agent = node('AI Agent', 'agent', 3.1, {
      promptType: 'define',
      text: '={{ $json.question }}',
      options: { returnIntermediateSteps: true },
    });
    const tool = verbatimTool(stage.credential);
    const id = await stage.bench.api.createWorkflow(
      assembled(
        'Evaluation',
        [trigger, agent, stage.chatModel, tool, metric],
        [
          { from: 'Dataset', to: 'AI Agent', type: 'main' },
          { from: 'AI Agent', to: 'Metric', type: 'main' },
          ...joined('AI Agent', stage.chatModel, tool),
        ],
      ),
    );
    const { status, metrics } = await evaluated(id);
    expect({ status, used: metrics['Tools Used'] }).toEqual({ status: 'completed', used: 1 });
    expect(stage.server.calls().map(({ arguments: args }) => args)).toEqual(data.map(() => correct));
    expectSchemas(stage.endpoint.offers(), richTools);
  });

  async function evaluated(id: string): Promise<TestRun> {
    const path = `${stage.bench.api.url}/rest/workflows/${id}/test-runs`;
    const headers = { ...stage.bench.api.headers, 'content-type': 'application/json' };
    const started = await fetch(`${path}/new`, { method: 'POST', headers, body: '{}' });
    expect(started.ok).toBe(true);
    const { testRunId } = (await started.json()) as { testRunId: string };
    for (;;) {
      const run = await stage.bench.api.request<TestRun>('GET', `/rest/workflows/${id}/test-runs/${testRunId}`);
      if (run.status !== 'new' && run.status !== 'running') return run;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  interface TestRun {
    status: string;
    metrics: Record<string, number>;
  }

  /** A tool that runs a workflow of these nodes, beginning with the first. */
  async function workflowTool(
    nodes: WorkflowNode[],
    connections: Parameters<typeof assembled>[2] = [],
  ): Promise<WorkflowNode> {
    const called = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
      workflowInputs: { values: [{ name: 'query' }] },
    });
    const first = { from: 'Called', to: nodes[0]!.name, type: 'main' };
    const id = await publish(stage.bench.api, assembled('Sub-workflow', [called, ...nodes], [first, ...connections]));
    return node('Search', 'toolWorkflow', 2.2, {
      description: 'Searches',
      workflowId: { __rl: true, mode: 'id', value: id },
      workflowInputs: {
        mappingMode: 'defineBelow',
        value: { query: "={{ $fromAI('query', 'The query', 'string') }}" },
        matchingColumns: [],
        schema: [{ id: 'query', displayName: 'query', required: false, display: true, type: 'string' }],
      },
    });
  }

  async function runWith(tool: WorkflowNode, version: number): Promise<Execution> {
    return await stage.bench.run(agentWorkflow(stage.chatModel, [tool], { agent: { typeVersion: version } }));
  }
});
