import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBench } from '../harness.js';
import type { Bench, CredentialReference } from '../harness.js';
import { agentWorkflow, verbatimTool } from '../workflows.js';
import { modelNode } from './agentRun.js';
import { startEndpoint } from './models/endpoint.js';
import type { Endpoint } from './models/endpoint.js';
import { startToolServer } from './toolServer.js';
import type { ToolServer, WireTool } from './toolServer.js';

const versions = [1.9, 2.2, 3.1];

/** The names that all providers take. */
const acceptable = /^[a-zA-Z0-9_-]{1,64}$/;

const tool = (name: string, properties: object = {}): WireTool => ({ name, inputSchema: { type: 'object', properties } });

const long = (end: string) => `${'search_every_archive_of_the_company_for_documents_that_mention_'.repeat(2)}${end}`;

describe.for(versions)('names in AI Agent %d', (typeVersion) => {
  let bench: Bench;
  let endpoint: Endpoint;
  let one: ToolServer;
  let other: ToolServer;
  let credentials: [CredentialReference, CredentialReference];

  beforeAll(async () => {
    bench = await openBench();
    endpoint = await startEndpoint();
    one = await startToolServer([]);
    other = await startToolServer([]);
    credentials = [await bench.httpCredential(one.url), await bench.httpCredential(other.url)];
  });
  beforeEach(() => {
    one.offer([]);
    other.offer([]);
  });
  afterAll(async () => {
    await one[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
    await endpoint[Symbol.asyncDispose]();
    await bench[Symbol.asyncDispose]();
  });

  async function run(second = false) {
    const tools = [verbatimTool(credentials[0], {}, { name: 'First' })];
    if (second) tools.push(verbatimTool(credentials[1], {}, { name: 'Second' }));
    return await bench.run(agentWorkflow(await modelNode(bench, endpoint), tools, { agent: { typeVersion } }));
  }

  /** What the model is told the tools are called. */
  async function namesTold(second = false): Promise<string[]> {
    endpoint.play({ text: 'Hello.' });
    const execution = await run(second);
    expect(execution.error).toBeUndefined();
    return endpoint.offers().map(({ name }) => name);
  }

  test('two nodes with equal tool names: each is called at its own server', async () => {
    one.offer([tool('search'), tool('only_here')]);
    other.offer([tool('search')]);
    const names = await namesTold(true);
    expect(new Set(names).size).toBe(3);
    expect(names).toContain('search');
    for (const name of names) expect(name).toMatch(acceptable);

    const [renamed] = names.filter((name) => !['search', 'only_here'].includes(name));
    expect(renamed).toMatch(/^search/);
    endpoint.play({ calls: [{ name: 'search', arguments: {} }, { name: renamed!, arguments: {} }] }, { text: 'Done.' });
    expect((await run(true)).error).toBeUndefined();
    expect(one.calls().map(({ name }) => name)).toEqual(['search']);
    expect(other.calls().map(({ name }) => name)).toEqual(['search']);
  });

  test.for([
    { what: 'names longer than 64 characters', names: [long('one'), long('two')] },
    { what: 'names with foreign characters', names: ['mail.send', 'mail/send', 'büro suchen', '検索', '搜索'] },
  ])('$what', async ({ names }) => {
    one.offer(names.map((name) => tool(name)));
    const told = await namesTold();
    expect(new Set(told).size).toBe(names.length);
    for (const name of told) expect(name).toMatch(acceptable);
    const calls = told.map((name) => ({ name, arguments: {} }));
    endpoint.play({ calls }, { text: 'Done.' });
    expect((await run()).error).toBeUndefined();
    expect(one.calls().map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  test.for([
    { argument: 'tool', args: { tool: 'hammer', force: 2 } },
    { argument: 'toolCallId', args: { toolCallId: 'mine', force: 2 } },
    { argument: 'id', args: { id: 'mine', name: 'mine', type: 'mine', force: 2 } },
  ])('an argument called $argument arrives as the model sent it', async ({ args }) => {
    const properties = Object.fromEntries(Object.keys(args).map((name) => [name, {}]));
    one.offer([tool('hit', properties), tool('miss')]);
    endpoint.play({ calls: [{ name: 'hit', arguments: args }] }, { text: 'Done.' });
    expect((await run()).error).toBeUndefined();
    expect(one.calls()).toEqual([{ name: 'hit', arguments: args }]);
  });
});
