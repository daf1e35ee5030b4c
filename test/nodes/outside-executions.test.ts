import type { IExecuteFunctions, INodeParameters, ISupplyDataFunctions } from 'n8n-workflow';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startDemoServer } from '../../test-support/demo-server/http.js';
import { tools as demoTools } from '../../test-support/demo-server/tools.js';
import { atUrl, callOf, execution, type NodeUnderTest, repaired, slips } from './context.js';
import { built } from './packed.js';

const one = { include: 'selected', tools: ['find_relatives'] };

/** The node as n8n's Agents use it: a schema, and a function to call. */
interface AgentTool {
  readonly schema: { readonly jsonSchema: object };
  invoke(args: unknown): Promise<string>;
}

/** n8n's Agents run a node outside executions: there is no id, and no end is reported. */
const outside = {
  getMode: { value: () => 'internal' },
  getExecutionId: { value: () => undefined },
  getExecutionCancelSignal: { value: () => undefined },
  onExecutionFinish: { value: () => {} },
  onExecutionCancellation: { value: () => {} },
};

describe("a node that one of n8n's Agents runs", () => {
  let server: Awaited<ReturnType<typeof startDemoServer>>;
  beforeEach(async () => {
    server = await startDemoServer();
    onTestFinished(() => server.stop());
  });

  const closed = () => expect.poll(() => server.openSessions()).toBe(0);
  const received = () => server.calls.map((call) => call.arguments);

  test.each<[when: string, end: (close: () => void) => void]>([
    ['when n8n calls its closing functions', (close) => close()],
    ['after 20 seconds if n8n calls none', () => vi.advanceTimersByTime(20_000)],
  ])(
    "A node that one of n8n's Agents runs repairs the arguments of a call, and ends the session %s",
    async (_when, end) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { tool, close } = await supply({ ...one, options: { keepConnection: 60 } });
      const { description, inputSchema } = demoTools.find(({ name }) => name === 'find_relatives')!;
      expect(tool.schema.jsonSchema).toEqual({ description, ...inputSchema });
      expect(await tool.invoke(slips)).toContain('done');
      expect(received()).toEqual([repaired]);
      expect(server.openSessions()).toBe(1);
      end(close);
      await closed();
    },
  );

  test('A node that one of n8n\'s Agents runs tells the model which arguments do not fit, even with "fail"', async () => {
    const { tool, close } = await supply({
      ...one,
      options: { repairs: { values: { repair: 'off' } }, checks: { values: { invalidArguments: 'fail' } } },
    });
    await expect(tool.invoke(slips)).rejects.toThrow(/^(?!.*<br>).*\n.*\/limit.*"100"/s);
    close();
  });

  test("A node that one of n8n's Agents runs explains a failed connection and the remedy", async () => {
    const { tool, close } = await supply(one);
    await server.stop();
    const message = expect.stringMatching(/refused|reach|connect/i) as string;
    await expect(tool.invoke(repaired)).rejects.toMatchObject({ message, description: 'A tool could not be used.' });
    close();
  });

  test.each<[INodeParameters, count: string]>([
    [{}, '3'],
    [{ include: 'except', leaveOut: 'find_relatives, book_table, paint_canvas' }, 'none'],
  ])("A node that one of n8n's Agents runs says on a call that it must be a single tool: %j", async (given, count) => {
    const { tool, close } = await supply(given);
    await expect(tool.invoke({})).rejects.toThrow(
      `has ${count}. Set "Tools to Include" to "Selected", select exactly one`,
    );
    close();
  });

  test.each(['internal', 'webhook'])(
    'MCP Verbatim also ends its session outside executions in the mode %s',
    async (mode) => {
      const options = { keepConnection: mode === 'internal' ? 60 : 0 };
      const node = nodeUnderTest('McpVerbatim', { ...callOf('find_relatives', slips), options });
      const closeFunctions: Array<() => void> = [];
      const more = { ...outside, getMode: { value: () => mode }, closeFunctions: { value: closeFunctions } };
      await node.type.execute?.call(Object.create(execution(node).run(), more) as IExecuteFunctions);
      expect(received()).toEqual([repaired]);
      // An MCP Server Trigger calls them, and n8n's Agents do not.
      if (mode === 'webhook') for (const close of closeFunctions) close();
      await closed();
    },
  );

  async function supply(parameters: INodeParameters): Promise<{ tool: AgentTool; close: () => void }> {
    const node = nodeUnderTest('McpVerbatimTool', parameters);
    const closeFunctions: Array<() => void> = [];
    const context: ISupplyDataFunctions = Object.create(execution(node).supply(), {
      ...outside,
      closeFunctions: { value: closeFunctions },
    });
    const supplied = await node.type.supplyData?.call(context, 0);
    return { tool: supplied?.response as AgentTool, close: () => closeFunctions.forEach((close) => close()) };
  }

  function nodeUnderTest(name: 'McpVerbatim' | 'McpVerbatimTool', parameters: INodeParameters): NodeUnderTest {
    return { type: built.node(name), parameters, credentials: atUrl(server.url) };
  }
});
