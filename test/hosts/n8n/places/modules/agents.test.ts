import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { used } from '../../harness.js';
import { startDemoServer } from '../../../../../test-support/demo-server/http.js';
import { isAtLeast } from '../../../../../test-support/n8n/install.js';
import { expectArrival } from '../agent-run.js';
import type { Deviation } from '../deviations.js';
import { expectSchemas, matrix } from '../matrix.js';
import { setStage } from '../stage.js';
import { richTools, slips, type WireTool } from '../tool-server.js';
import { createAgent, type Agent, type ChatEvent } from './agents.js';
import { startWithModules } from './host.js';

/** n8n's Agents live beside workflows; a node is one tool to them. They speak to models by packages of their own. */
describe.skipIf(!isAtLeast(2, 41))("n8n's Agents", () => {
  const table = matrix("n8n's Agents");
  const host = used(() => startWithModules(['agents']));
  const stage = used(() => setStage(richTools, host.api));

  beforeEach(() => stage.reset());
  afterAll(async () => {
    table.print();
  });

  test.for([
    { provider: 'OpenAI', model: 'openai/gpt-4.1-mini', type: 'openAiApi' },
    { provider: 'DeepSeek', model: 'deepseek/deepseek-chat', type: 'deepSeekApi' },
  ])('MCP Verbatim Tool, one node per tool: $provider', async ({ provider, model, type }) => {
    const events = await chat({ tools: richTools.map(({ name }) => nodeTool(name)) }, { model, type });
    expect(said(events)).toBe('Done.');
    const row = `n8n's Agents, one MCP Verbatim Tool per tool: ${provider}`;
    table.row(
      row,
      expectSchemas(offersOf(richTools), richTools, behindDescription),
      expectArrival(stage.server, stage.endpoint.results()),
    );
  });

  test("what OpenAI's package of Vercel's AI SDK takes out of a schema still decides", async () => {
    const label: WireTool = {
      name: 'label',
      description: 'Labels',
      inputSchema: {
        type: 'object',
        properties: {
          labels: { type: 'object', propertyNames: { type: 'string', pattern: '^[a-z]+$' } },
          code: { type: 'string', pattern: '^(?!x)' },
        },
      },
    };
    stage.server.offer([label]);
    stage.endpoint.play({ calls: [{ name: 'label', arguments: { labels: { A: 1 }, code: 'xy' } }] }, { text: 'Done.' });
    await chat({ tools: [nodeTool('label')] });
    const told = { type: 'object', properties: { labels: { type: 'object' }, code: { type: 'string' } } };
    expect(offersOf([label]).map(({ schema }) => JSON.parse(schema) as unknown)).toEqual([
      { description: 'Labels', ...told },
    ]);
    expect(stage.endpoint.results()).toEqual([expect.stringMatching(/\/labels.*\/code/s)]);
    expect(stage.server.calls()).toEqual([]);
  });

  test('a call that does not fit, and its second try', async () => {
    const wrong = { name: 'find_relatives', arguments: { ...slips, limit: -1 } };
    const right = { name: 'find_relatives', arguments: slips };
    stage.endpoint.play({ calls: [wrong] }, { calls: [right] }, { text: 'Done.' });
    await chat({ tools: [nodeTool('find_relatives')] });
    const [refusal, ...more] = stage.endpoint.results();
    expect(refusal).toMatch(/\/limit.*-1/s);
    expectArrival(stage.server, more);
  });

  test('arguments called as the keys by which the engine of workflows routes calls', async () => {
    const tricky: WireTool = {
      name: 'tricky',
      inputSchema: { type: 'object', properties: { tool: {}, toolCallId: {} } },
    };
    stage.server.offer([tricky]);
    const args = { tool: 'hammer', toolCallId: 7 };
    stage.endpoint.play({ calls: [{ name: 'tricky', arguments: args }] }, { text: 'Done.' });
    await chat({ tools: [nodeTool('tricky')] });
    expect(stage.server.calls()).toEqual([{ name: 'tricky', arguments: args }]);
  });

  test.for([true, false])('a call that a person is to approve: %s', async (approved) => {
    const agent = await create({ tools: [{ ...nodeTool('find_relatives'), requireApproval: true }] });
    const asked = (await agent.chat('Do what is to be done.')).find(({ type }) => type === 'tool-call-suspended');
    expect(stage.server.calls()).toEqual([]);
    expect(said(await agent.review(asked!, approved))).toBe('Done.');
    const row = `n8n's Agents, ${approved ? 'approved' : 'declined'} by a person`;
    const schema = expectSchemas(offersOf(richTools), [richTools[0]!], behindDescription);
    if (!approved) expect(stage.server.calls()).toEqual([]);
    table.row(
      row,
      schema,
      approved ? expectArrival(stage.server, stage.endpoint.results()) : 'does not reach the server',
    );
  });

  test('a node that offers several tools says what to do', async () => {
    await chat({ tools: [nodeTool('find_relatives', { include: 'all' })] });
    expect(stage.endpoint.results()).toEqual([expect.stringContaining('"Selected", select exactly one tool')]);
  });

  test('no session outlives its call', async () => {
    await using demo = await startDemoServer();
    await chat({ tools: [nodeTool('find_relatives', {}, await stage.bench.httpCredential(demo.url))] });
    expect(stage.endpoint.results()).toEqual([expect.stringContaining('done')]);
    await expect.poll(() => demo.openSessions(), { timeout: 60_000 }).toBe(0);
  });

  test('MCP Verbatim as a tool, whose arguments the model gives as JSON', async () => {
    stage.endpoint.play({ calls: [{ name: 'find', arguments: { Arguments: slips } }] }, { text: 'Done.' });
    const nodeParameters = {
      transport: 'http',
      resource: 'tool',
      operation: 'call',
      tool: { __rl: true, mode: 'name', value: 'find_relatives' },
      argumentsMode: 'json',
      arguments: "={{ $fromAI('Arguments', 'What to search for', 'json') }}",
    };
    const node = {
      nodeType: 'n8n-nodes-mcp-verbatim.mcpVerbatim',
      nodeTypeVersion: 1,
      nodeParameters,
      credentials: stage.credential,
    };
    await chat({ tools: [{ type: 'node', name: 'find', description: 'Finds persons', node }] });
    const told = stage.endpoint.offers().find(({ name }) => name === 'find');
    expect(JSON.parse(told?.schema ?? '{}')).toHaveProperty('properties.Arguments.description', 'What to search for');
    const row = "n8n's Agents, MCP Verbatim with `$fromAI`";
    table.row(
      row,
      'the parameters that the model is to fill in',
      expectArrival(stage.server, stage.endpoint.results()),
    );
  });

  test("for comparison, the Agents' own MCP servers", async () => {
    stage.endpoint.play({ calls: [{ name: 'Server_find_relatives', arguments: slips }] }, { text: 'Done.' });
    await chat({
      mcpServers: [{ name: 'Server', url: stage.server.url, transport: 'streamableHttp', authentication: 'none' }],
    });
    const own = richTools.map((tool) => ({ ...tool, name: `Server_${tool.name}` }));
    const told = offersOf(own);
    expect(told.map(({ schema }) => JSON.parse(schema) as unknown)).toEqual(own.map(({ inputSchema }) => inputSchema));
    expect(stage.server.calls()).toEqual([]);
    expect(stage.endpoint.results()).toEqual([expect.stringContaining('data/limit must be integer,null')]);
    const call = 'integers as strings are refused, which the model is told';
    table.row("n8n's Agents, their own MCP servers", 'equal as JSON, keywords in another order', call);
  });

  async function chat(config: object, provider?: Parameters<typeof create>[1]): Promise<ChatEvent[]> {
    const agent = await create(config, provider);
    return await agent.chat('Do what is to be done.');
  }

  async function create(
    config: object,
    { model, type } = { model: 'openai/gpt-4.1-mini', type: 'openAiApi' },
  ): Promise<Agent> {
    const { id } = await host.api.createCredential('Model', type, {
      apiKey: 'none',
      url: `${stage.endpoint.origin}/v1`,
    });
    return await createAgent(host, { model, credential: id, ...config });
  }

  function nodeTool(name: string, parameters: object = {}, credentials = stage.credential) {
    const nodeParameters = { transport: 'http', include: 'selected', includeTools: [name], ...parameters };
    const node = { nodeType: 'n8n-nodes-mcp-verbatim.mcpVerbatimAi', nodeTypeVersion: 1, nodeParameters, credentials };
    return { type: 'node', name, node };
  }

  /** What the model was told of these tools; agents bring some of their own. */
  function offersOf(tools: WireTool[]) {
    return stage.endpoint.offers().filter(({ name }) => tools.some((tool) => tool.name === name));
  }
});

const behindDescription: Deviation = {
  what: "byte-identical behind the tool's description",
  reason: "n8n's Agents have no place of their own for what a server says of its tool.",
  told: ({ description, inputSchema }) => ({ description, ...inputSchema }),
};

function said(events: ChatEvent[]): string {
  return events.map(({ type, delta }) => (type === 'text-delta' ? String(delta) : '')).join('');
}
