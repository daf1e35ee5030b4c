import { beforeEach, describe, expect, test } from 'vitest';
import type { Execution, Workflow, WorkflowNode } from '../../../../test-support/n8n/api.js';
import { agentWorkflow, callTool, verbatimTool, asJson } from '../../../../test-support/n8n/workflows.js';
import { useBench, used, usedCredential } from '../harness.js';
import { extended, joined, node } from './assemble.js';
import { startToolServer, type WireTool } from './tool-server.js';

const work: WireTool = {
  name: 'work',
  inputSchema: { type: 'object', properties: { tenant: { type: 'string' }, about: {} }, required: ['tenant'] },
};
const input = ['first', 'second', 'third'].map((tenant, index) => ({ json: { tenant, isSkipped: index === 0 } }));
const tenants = input.map(({ json }) => json.tenant);

/**
 * A value that is fixed for each item reaches the server, in any position of the agent and for any arguments of the
 * model.
 */
describe('expressions of MCP Verbatim Tool', () => {
  const bench = useBench();
  const server = used(() => startToolServer([work]));
  const credential = usedCredential(bench, () => server.url);

  beforeEach(() => {
    server.offer([work]);
    // The same model serves all agents: the outer one calls the helper, and adds an argument that nobody asked for.
    bench.model.play(({ messages, tools = [] }) => {
      if (messages.some(({ role }) => role === 'tool')) return { text: 'Done.' };
      const name = tools[0]?.function.name ?? '';
      const about = messages.findLast(({ role }) => role === 'user')?.content;
      return {
        calls: [{ name, arguments: name === 'Helper' ? { Prompt: about, tenant: 'of the model' } : { about } }],
      };
    });
  });

  const fixed = (value: string) =>
    verbatimTool(credential, {
      options: { fixedArguments: { values: [{ tool: 'work', argument: 'tenant', value }] } },
    });
  /** The fixed values in the calls, in the order of the items; n8n 1 runs the last item first. */
  const received = () => {
    const calls = server.calls().map(({ arguments: args }) => args as { about: string; tenant: string });
    return tenants.flatMap((about) => calls.filter((call) => call.about === about).map(({ tenant }) => tenant));
  };

  async function run(workflow: Workflow): Promise<Execution> {
    const execution = await bench.run({ ...workflow, ...{ pinData: { Input: input } } });
    expect(execution.error).toBeUndefined();
    expect(execution.status).toBe('success');
    return execution;
  }

  function ask(toolNodes: WorkflowNode[], agent: Partial<WorkflowNode> = {}): Workflow {
    const parameters = { promptType: 'define', text: '={{ $json.tenant }}', options: {} };
    return agentWorkflow(bench.modelNode, toolNodes, { agent: { parameters, ...agent } });
  }

  function behind(between: WorkflowNode, tool: WorkflowNode, isLoop = false): Workflow {
    const workflow = ask([tool]);
    delete workflow.connections['Input'];
    const back = { from: 'AI Agent', to: between.name, type: 'main' };
    return extended(
      workflow,
      [between],
      [
        { from: 'Input', to: between.name, type: 'main' },
        { from: between.name, to: 'AI Agent', type: 'main', output: 1 },
        ...(isLoop ? [back] : []),
      ],
    );
  }

  const ofItem = ['={{ $json.tenant }}', "={{ $('Input').item.json.tenant }}"];

  test.for(ofItem)('An expression is evaluated for each of several items: %s', async (value) => {
    await run(ask([fixed(value)]));
    expect(received()).toEqual(tenants);
  });

  test.for([1.9, 2.3])(
    'AI Agent %d, which uses the first of several items for all, fails only if the values differ',
    async (typeVersion) => {
      const ended = async (value: string) =>
        await bench.run({ ...ask([fixed(value)], { typeVersion }), ...{ pinData: { Input: input } } });
      const { error } = await ended(ofItem[0]!);
      expect(`${error?.message} ${error?.description}`).toMatch(/another value for each item.*AI Agent 3 or later/);
      expect(server.calls()).toEqual([]);
      expect((await ended("={{ $json.tenant ? 'all' : '' }}")).error).toBeUndefined();
      expect(received()).toEqual(tenants.map(() => 'all'));
    },
  );

  test('MCP Verbatim as a tool reads the item of other nodes', async () => {
    const tool = callTool(credential, 'work', {}, { name: 'Work', type: 'n8n-nodes-mcp-verbatim.mcpVerbatimTool' });
    Object.assign(tool.parameters, {
      jsonArguments: asJson("={{ { tenant: $('Input').item.json.tenant, about: $fromAI('about') } }}"),
      descriptionType: 'manual',
      toolDescription: 'Works',
    });
    await run(ask([tool]));
    expect(received()).toEqual(tenants);
  });

  test.for([...ofItem, "={{ $('Loop').item.json.tenant }}"])(
    'An expression is evaluated for the item in a loop: %s',
    async (value) => {
      const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
      await run(behind(loop, fixed(value), true));
      expect(received()).toEqual(tenants);
    },
  );

  test.for([...ofItem, "={{ $('If').item.json.tenant }}"])(
    'An expression is evaluated for the item at the second output of a node: %s',
    async (value) => {
      const isSkipped = {
        id: 'a',
        leftValue: '={{ $json.isSkipped }}',
        operator: { type: 'boolean', operation: 'true', singleValue: true },
      };
      const conditions = {
        options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
        conditions: [isSkipped],
        combinator: 'and',
      };
      await run(behind(node('If', 'n8n-nodes-base.if', 2.2, { conditions, options: {} }), fixed(value)));
      expect(received()).toEqual(tenants.slice(1));
    },
  );

  const nested = [2.2, 3].flatMap((version) => ofItem.map((value) => ({ version, value })));

  test.for(nested)(
    'An expression is evaluated for the item with AI Agent Tool $version: $value',
    async ({ version, value }) => {
      const text = "={{ $fromAI('Prompt', 'What to do', 'string') }}";
      const helper = node('Helper', 'agentTool', version, { toolDescription: 'Works', text, options: {} });
      const tool = fixed(value);
      await run(extended(ask([helper]), [tool], joined('Helper', bench.modelNode, tool)));
      expect(received()).toEqual(tenants);
    },
  );
});
