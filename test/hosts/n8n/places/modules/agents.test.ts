import { describe, expect, test } from 'vitest';
import { isAtLeast } from '../../../../../test-support/n8n/install.js';
import { expectArrival } from '../agent-run.js';
import type { Deviation } from '../deviations.js';
import { expectSchemas } from '../expected-schemas.js';
import { useStage } from '../stage.js';
import { findByModel, richTools, slips, type WireTool } from '../tool-server.js';
import { createAgent, type Agent, type ChatEvent } from './agents.js';

/** n8n's Agents exist beside workflows. Each node is one tool for them, and they have their own packages for models. */
describe.skipIf(!isAtLeast(2, 41))("n8n's Agents", () => {
  const stage = useStage();

  test.for([
    { model: 'openai/gpt-4.1-mini', type: 'openAiApi' },
    { model: 'deepseek/deepseek-chat', type: 'deepSeekApi' },
  ])("n8n's Agents run one MCP Verbatim Tool node per tool: $model", async (provider) => {
    const events = await chat({ tools: richTools.map(({ name }) => nodeTool(name)) }, provider);
    expect(said(events)).toBe('Done.');
    expectSchemas(offersOf(richTools), richTools, behindDescription);
    expectArrival(stage.server, stage.endpoint.results());
  });

  test("Keywords that the AI SDK's OpenAI package removes from a schema are still checked", async () => {
    const labels = { type: 'object', propertyNames: { type: 'string', pattern: '^[a-z]+$' } };
    const properties = { labels, code: { type: 'string', pattern: '^(?!x)' } };
    const label: WireTool = { name: 'label', description: 'Labels', inputSchema: { type: 'object', properties } };
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

  test("Arguments with the names of the engine's routing keys arrive in n8n's Agents", async () => {
    stage.server.offer([{ name: 'tricky', inputSchema: { type: 'object', properties: { tool: {}, toolCallId: {} } } }]);
    const call = { name: 'tricky', arguments: { tool: 'hammer', toolCallId: 7 } };
    stage.endpoint.play({ calls: [call] }, { text: 'Done.' });
    await chat({ tools: [nodeTool('tricky')] });
    expect(stage.server.calls()).toEqual([call]);
  });

  test.for([true, false])("A call in n8n's Agents is made if a person approves it: %s", async (approved) => {
    const agent = await create({ tools: [{ ...nodeTool('find_relatives'), requireApproval: true }] });
    const asked = (await agent.chat('Do what is to be done.')).find(({ type }) => type === 'tool-call-suspended');
    expect(stage.server.calls()).toEqual([]);
    expect(said(await agent.review(asked!, approved))).toBe('Done.');
    expectSchemas(offersOf(richTools), [richTools[0]!], behindDescription);
    if (approved) expectArrival(stage.server, stage.endpoint.results());
    else expect(stage.server.calls()).toEqual([]);
  });

  test("MCP Verbatim as a tool of n8n's Agents takes the arguments that the model gives as JSON", async () => {
    stage.endpoint.play({ calls: [{ name: 'find', arguments: { Arguments: slips } }] }, { text: 'Done.' });
    const nodeParameters = { server: 'http', resource: 'tool', ...findByModel };
    const nodeType = 'n8n-nodes-mcp-verbatim.mcpVerbatim';
    const node = { nodeType, nodeTypeVersion: 1, nodeParameters, credentials: stage.credential };
    await chat({ tools: [{ type: 'node', name: 'find', description: 'Finds persons', node }] });
    const told = stage.endpoint.offers().find(({ name }) => name === 'find');
    expect(JSON.parse(told?.schema ?? '{}')).toHaveProperty('properties.Arguments.description', 'What to search for');
    expectArrival(stage.server, stage.endpoint.results());
  });

  async function chat(config: object, provider?: Parameters<typeof create>[1]): Promise<ChatEvent[]> {
    const agent = await create(config, provider);
    return await agent.chat('Do what is to be done.');
  }

  async function create(
    config: object,
    { model, type } = { model: 'openai/gpt-4.1-mini', type: 'openAiApi' },
  ): Promise<Agent> {
    const { api } = stage.bench;
    const data = { apiKey: 'none', url: `${stage.endpoint.origin}/v1` };
    const { id } = await api.createCredential('Model', type, data);
    return await createAgent(api, { model, credential: id, ...config });
  }

  function nodeTool(name: string) {
    const nodeParameters = { server: 'http', include: 'selected', tools: [name] };
    const nodeType = 'n8n-nodes-mcp-verbatim.mcpVerbatimAi';
    return {
      type: 'node',
      name,
      node: { nodeType, nodeTypeVersion: 1, nodeParameters, credentials: stage.credential },
    };
  }

  /** These tools as the model was sent them; agents bring some of their own. */
  function offersOf(tools: WireTool[]) {
    return stage.endpoint.offers().filter(({ name }) => tools.some((tool) => tool.name === name));
  }
});

/** n8n's Agents have no field for the description of a server's tool. */
const behindDescription: Deviation = { told: ({ description, inputSchema }) => ({ description, ...inputSchema }) };

function said(events: ChatEvent[]): string {
  return events.map(({ type, delta }) => (type === 'text-delta' ? String(delta) : '')).join('');
}
