import { beforeEach, describe, expect, test } from 'vitest';
import { used } from '../harness.js';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { extended, node } from './assemble.js';
import { setStage } from './stage.js';
import { startToolServer, type WireTool } from './tool-server.js';

/** Names that all providers accept. */
const acceptable = /^[a-zA-Z0-9_-]{1,64}$/;

const tool = (name: string, properties: object = {}): WireTool => ({
  name,
  inputSchema: { type: 'object', properties },
});

const callsOf = (names: readonly string[], args: Record<string, unknown> = {}) => ({
  calls: names.map((name) => ({ name, arguments: args })),
});

/** 2.x calls the tool's function, in 3.x the engine runs the node. */
describe.for([2.2, 3.1])('names in AI Agent %d', (typeVersion) => {
  const stage = used(() => setStage([]));
  const other = used(() => startToolServer([]));

  beforeEach(() => {
    stage.reset();
    other.offer([]);
  });

  /** @param second true if the agent also has a node for the other server */
  async function run(second = false) {
    const { bench, chatModel, credential } = stage;
    const tools = [verbatimTool(credential, {}, { name: 'First' })];
    if (second) tools.push(verbatimTool(await bench.httpCredential(other.url), {}, { name: 'Second' }));
    const execution = await bench.run(agentWorkflow(chatModel, tools, { agent: { typeVersion } }));
    expect(execution.error).toBeUndefined();
    return execution;
  }

  async function namesTold(second = false): Promise<string[]> {
    stage.endpoint.play({ text: 'Hello.' });
    await run(second);
    return stage.endpoint.offers().map(({ name }) => name);
  }

  const called = (server: typeof other) => server.calls().map(({ name }) => String(name));

  test('Each tool of two nodes with equal tool names is called at its own server', async () => {
    stage.server.offer([tool('search'), tool('only_here')]);
    other.offer([tool('search')]);
    const names = await namesTold(true);
    expect(new Set(names).size).toBe(3);
    expect(names).toContain('search');
    for (const name of names) expect(name).toMatch(acceptable);

    const [renamed = ''] = names.filter((name) => !['search', 'only_here'].includes(name));
    // The node that was connected first is renamed, in every execution.
    const owner = 'First';
    expect(renamed).toBe(`${owner}_search`);
    stage.endpoint.play(callsOf(['search', renamed]), { text: 'Done.' });
    const execution = await run(true);
    expect([called(stage.server), called(other)]).toEqual([['search'], ['search']]);
    // In 2.x the agent runs the tool itself, and shows no hints.
    if (typeVersion >= 3)
      expect(JSON.stringify(execution.runs[owner]?.map(({ hints }) => hints))).toContain(
        String.raw`\"search\" is \"${renamed}\"`,
      );
  });

  test('A tool with the name of another node, or of a tool that the agent adds, is sent and called beside it', async () => {
    const names = ['Work_hard', 'named', 'format_final_json_response'];
    stage.server.offer(names.map((name) => tool(name)));
    const answered = (text: string) => ({ description: 'Answers', jsCode: `return '${text}'` });
    const nodes = [
      node('Work hard', 'toolCode', 1.3, answered('of the node')),
      node('Other', 'toolCode', 1.1, { name: 'named', ...answered('of the other') }),
      node('Parser', 'outputParserStructured', 1.3, { schemaType: 'manual', inputSchema: '{"type":"object"}' }),
    ];
    const parameters = { promptType: 'define', text: 'Go.', hasOutputParser: true, options: {} };
    const agent = agentWorkflow(stage.chatModel, [verbatimTool(stage.credential)], {
      agent: { typeVersion, parameters },
    });
    const workflow = extended(agent, nodes, [
      { from: 'Work hard', to: 'AI Agent', type: 'ai_tool' },
      { from: 'Other', to: 'AI Agent', type: 'ai_tool' },
      { from: 'Parser', to: 'AI Agent', type: 'ai_outputParser' },
    ]);
    stage.endpoint.play(callsOf(['Work_hard'], { query: 'a' }), { text: '{"output":{}}' });
    expect((await stage.bench.run(workflow)).error).toBeUndefined();
    expect(stage.endpoint.results()).toEqual([expect.stringContaining('of the node')]);
    expect(stage.server.calls()).toEqual([]);

    const told = stage.endpoint.offers().map(({ name }) => name);
    expect(new Set(told).size).toBe(2 * names.length);
    const renamed = told.filter((name) => !names.includes(name));
    stage.endpoint.play(callsOf(renamed), { text: '{"output":{}}' });
    expect((await stage.bench.run(workflow)).error).toBeUndefined();
    expect(called(stage.server).sort()).toEqual([...names].sort());
  });

  test.for([
    { tool: 'hammer', force: 2 },
    { toolCallId: 'mine', id: 'mine', name: 'mine', type: 'mine', force: 2 },
  ])("Arguments with the names of n8n's own arrive as the model sent them: %j", async (args) => {
    const properties = Object.fromEntries(Object.keys(args).map((name) => [name, {}]));
    stage.server.offer([tool('hit', properties), tool('miss')]);
    stage.endpoint.play(callsOf(['hit'], args), { text: 'Done.' });
    await run();
    expect(stage.server.calls()).toEqual([{ name: 'hit', arguments: args }]);
  });
});
