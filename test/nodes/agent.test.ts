import { createRequire } from 'node:module';
import type * as langchainFunctions from '@langchain/core/utils/function_calling';
import { type INode, type INodeParameters, nodeNameToToolName } from 'n8n-workflow';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startDemoServer } from '../../test-support/demo-server/http.js';
import { tools as demoTools } from '../../test-support/demo-server/tools.js';
import { atUrl, execution, type Execution, type NodeUnderTest, repaired, slips, toolsOf } from './context.js';
import { startRawServer, working } from '../../test-support/servers/raw-server.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { built } from './packed.js';

// The same copy whose classes the packed nodes use, as in n8n.
const require = createRequire(import.meta.url);
const { convertToOpenAITool } = require('@langchain/core/utils/function_calling') as typeof langchainFunctions;

const find = { toolName: 'find_relatives' };
const received = () => server.calls.map(({ arguments: args }) => JSON.stringify(args));
let server: Awaited<ReturnType<typeof startDemoServer>>;

beforeEach(async () => {
  server = await startDemoServer();
  onTestFinished(() => server.stop());
});

describe('the tools for an agent', () => {
  test('The tools for an agent have every schema character for character', async () => {
    const told = (await toolsOf(start())).map((tool) => JSON.stringify(convertToOpenAITool(tool).function.parameters));
    expect(told).toEqual(demoTools.map(({ inputSchema }) => JSON.stringify(inputSchema)));
  });

  test.each([
    [{ include: 'selected', tools: ['book_table'] }, ['book_table']],
    [{ include: 'except', leaveOut: ['book_table'] }, ['find_relatives', 'paint_canvas']],
    // An expression may give the names as one string.
    [{ include: 'except', leaveOut: 'book_table, paint_canvas' }, ['find_relatives']],
  ])('The choice %j includes the tools %j', async (parameters, names) => {
    expect((await toolsOf(start(parameters))).map(({ name }) => name)).toEqual(names);
  });

  // An expression without names must not expose more tools.
  test.each<[INodeParameters, string]>([
    [{ include: null }, '"Tools to Include" has no value'],
    [{ include: 'selected' }, 'No tool is selected'],
    [{ include: 'selected', tools: ['gone'] }, '"gone"'],
    [{ include: 'except', leaveOut: {} }, '"Tools to Leave Out" chooses nothing'],
    [{ include: 'except', leaveOut: [7] }, '"Tools to Leave Out" chooses nothing'],
    [{ include: 'selected', tools: { name: 'book_table' } }, '"Tools" chooses nothing'],
    // An expression without a value gives null, which the types of parameters lack.
    [
      { options: { approvedTools: { values: { approved: null as unknown as string } } } },
      '"Approved Tools" holds no approval',
    ],
  ])('The choice %j is an error: %s', async (parameters, message) => {
    await expect(toolsOf(start(parameters))).rejects.toThrow(message);
  });

  test('A call by an agent that runs tools itself fails if the server is gone, also in the view of the execution', async () => {
    const run = start();
    const [find] = await toolsOf(run);
    await server.stop();
    await expect(find?.invoke(repaired)).rejects.toThrow(/refused|reached|connect/i);
    expect(run.recorded.at(-1)).toMatchObject({ functionality: 'configuration-node' });
  });
});

describe("a call by n8n's engine", () => {
  test("A call by n8n's engine has the arguments as the model sent them, without the routing key, the call id and the item", async () => {
    const run = start();
    const item = run.request({ ...slips, tool: 'find_relatives' }, find, { chatInput: 'Hello' });
    const [answer] = await run.output([item]);
    expect(received()).toEqual([JSON.stringify(repaired)]);
    expect(answer).toEqual({ json: { response: expect.stringContaining('done') }, pairedItem: { item: 0 } });
  });

  test("A call by n8n's engine arrives wherever it names the tool, and even if its request cannot be found", async () => {
    const run = start();
    await run.output([run.request({ ...repaired, tool: 'find_relatives' }, {})]);
    await run.output([run.request(repaired, find)]);
    await run.output([{ json: { ...repaired, tool: 'find_relatives', toolCallId: 'unheard_of' } }]);
    expect(received()).toEqual(Array(3).fill(JSON.stringify(repaired)));
  });

  test("A call by n8n's engine arrives under the longer name that it got because of another node, in a new process", async () => {
    const run = start();
    const name = `${nodeNameToToolName(run.run().getNode().name)}_find_relatives`;
    await run.output([run.request({ ...repaired, tool: name }, { toolName: name })]);
    expect(server.calls).toMatchObject([{ tool: 'find_relatives', arguments: repaired }]);
  });

  test.each<[kinds: unknown, calls: number]>([
    [['integers', 'names', 'booleans', 'json'], 1],
    ['safe,-nulls', 1],
    [['safe', '-integers'], 0],
    [[], 0],
  ])("A call by n8n's engine gets the repairs that the words %j choose", async (kinds, calls) => {
    const run = start({ options: { repairs: { values: { repair: 'choose', kinds: kinds as string[] } } } });
    await run.output([run.request({ ...slips, tool: 'find_relatives' }, find)]);
    expect(server.calls).toHaveLength(calls);
  });

  test('With "fail" for invalid arguments, a call by the engine fails the agent when it continues', async () => {
    const run = start({ options: { checks: { values: { invalidArguments: 'fail' } } } });
    const item = run.request({ tool: 'find_relatives' }, find);
    await expect(run.output([item])).rejects.toThrow('Invalid arguments for tool "find_relatives"');
    // With this mark, n8n shows the error with its description.
    const [message, description] = ['do not fit', 'queries'].map((text) => expect.stringContaining(text) as string);
    const failed = { message, description, functionality: 'configuration-node' };
    // The agent asks for each of its items, and again for each retry of n8n.
    for (let asked = 0; asked < 2; asked++) await expect(toolsOf(run)).rejects.toMatchObject(failed);
  });

  test('A failed call does not stop the agent if the node continues on errors, even with "fail"', async () => {
    const run = start(
      { options: { checks: { values: { invalidArguments: 'fail' } } } },
      { settings: { onError: 'continueRegularOutput' } },
    );
    const item = run.request({ tool: 'find_relatives' }, find);
    expect((await run.output([item]))[0]?.json).toMatchObject({ error: expect.stringContaining('do not fit') });
    await expect(toolsOf(run)).resolves.toBeDefined();
  });

  test.each<[context: object, isWarned: boolean]>([
    [{ getWorkflowSettings: () => ({ executionOrder: 'v1' }) }, false],
    [{ getWorkflowSettings: () => ({}) }, true],
    [{ workflow: { settings: {} } }, true], // n8n 2.0
  ])('A call in the context %j warns of the legacy execution order: %j', async (context, isWarned) => {
    const run = start();
    await run.node.type.execute?.call(Object.assign(run.run([]), context));
    expect(run.hints).toHaveLength(isWarned ? 1 : 0);
  });
});

describe('the session', () => {
  const asked = (method: string) => server.methods.filter((sent) => sent === method).length;

  test('The session is not shared with another execution', async () => {
    for (const run of [start(), start()]) await toolsOf(run);
    expect(asked('initialize')).toBe(2);
  });

  test('The session tells the server that its call is cancelled, before it is closed', async () => {
    await using stubborn = await startRawServer(working('never'));
    const sent = () => stubborn.received.map(({ method }) => method);
    const run = start({}, { url: stubborn.url });
    const calling = run.output([run.request({ tool: 'work' }, { toolName: 'work' })]);
    await expect.poll(sent).toContain('tools/call');
    run.cancel();
    await expect(calling).rejects.toThrow(/cancel/i);
    await expect.poll(sent).toContain('notifications/cancelled');
  });

  test('The option to keep the connection keeps the session for the next execution, until the option is removed or the idle time is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const using = async () => {
      const run = start({ options: { keepConnection: 60 } });
      await toolsOf(run);
      await toolsOf(run);
      return run;
    };
    const closed = (by: Execution) => expect.poll(() => by.logged.join()).toContain('closed the session');
    const [first, second] = [await using(), await using()];
    await first.finish();
    await vi.advanceTimersByTimeAsync(500_000);
    await using(); // n8n does not report the end of every execution
    // Servers may have changed their tools between executions.
    expect([asked('initialize'), asked('tools/list')]).toEqual([1, 3]);
    await second.finish();
    await vi.advanceTimersByTimeAsync(600_000);
    await closed(first);
    const third = await using();
    await third.finish();
    await vi.advanceTimersByTimeAsync(60_000);
    await closed(third);
    const last = await using();
    await last.finish();
    await toolsOf(start());
    await closed(last);
  });

  test('A kept session stays open for other executions when one that waits for it is cancelled', async () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    await using slow = await startHttpServer({ initialize: ({ introduce }) => opened.then(() => introduce()) });
    const [first, second] = [1, 2].map(() => start({ options: { keepConnection: 60 } }, { url: slow.url }));
    const listed = [toolsOf(first!), toolsOf(second!)] as const;
    await expect.poll(() => slow.methods()).toContain('initialize');
    first!.cancel();
    open();
    await expect(listed[0]).rejects.toThrow(/cancel/i);
    expect((await listed[1]).map(({ name }) => name)).toEqual(['echo']);
    expect(slow.methods().filter((method) => method === 'initialize')).toHaveLength(1);
  });

  test.each([
    ['finishes', (run: Execution) => run.finish()],
    ['is cancelled', async (run: Execution) => run.cancel()],
  ])('The session is closed when the execution %s', async (_end, end) => {
    const run = start();
    const closeFunctions: Array<() => void> = [];
    const asking = { ...run, supply: () => Object.assign(run.supply(), { closeFunctions }) };
    // After each request for tools, n8n calls the closing functions. The execution goes on.
    for (let times = 0; times < 2; times++) {
      await toolsOf(asking);
      for (const close of closeFunctions) close();
    }
    expect([asked('initialize'), server.openSessions()]).toEqual([1, 1]);
    await end(run);
    await expect.poll(() => server.openSessions()).toBe(0);
  });
});

function start(
  parameters: INodeParameters = {},
  { url = server.url, settings = {} }: { url?: string; settings?: Partial<INode> } = {},
): Execution & { node: NodeUnderTest } {
  const node = { type: built.node('McpVerbatimTool'), parameters, credentials: atUrl(url), settings };
  return { ...execution(node), node };
}
