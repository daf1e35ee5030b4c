import { beforeEach, describe, expect, test } from 'vitest';
import { used } from '../harness.js';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { extended, node } from './assemble.js';
import { expectSchemas } from './matrix.js';
import { setStage } from './stage.js';
import { correct, richTools, slips, startToolServer, type WireTool } from './tool-server.js';

const versions = [1.9, 2.2, 3.1];

/** The names that all providers take. */
const acceptable = /^[a-zA-Z0-9_-]{1,64}$/;

const tool = (name: string, properties: object = {}): WireTool => ({
  name,
  inputSchema: { type: 'object', properties },
});

const long = (end: string) => `${'search_every_archive_of_the_company_for_documents_that_mention_'.repeat(2)}${end}`;

describe.for(versions)('names in AI Agent %d', (typeVersion) => {
  const stage = used(() => setStage([]));
  const other = used(() => startToolServer([]));

  beforeEach(() => {
    stage.reset();
    other.offer([]);
  });

  /** @param second whether the agent has a node for the other server, too */
  async function run(second = false, prefix = '') {
    const { bench, chatModel, credential } = stage;
    const tools = [verbatimTool(credential, { options: { prefix } }, { name: 'First' })];
    if (second) tools.push(verbatimTool(await bench.httpCredential(other.url), {}, { name: 'Second' }));
    return await bench.run(agentWorkflow(chatModel, tools, { agent: { typeVersion } }));
  }

  async function namesTold(second = false): Promise<string[]> {
    stage.endpoint.play({ text: 'Hello.' });
    const execution = await run(second);
    expect(execution.error).toBeUndefined();
    return stage.endpoint.offers().map(({ name }) => name);
  }

  /** Has the model call tools all at once: they are called in any order. */
  async function calledAtOnce(names: readonly string[], held: () => ReturnType<typeof run>, last: string) {
    stage.endpoint.play({ calls: names.map((name) => ({ name, arguments: {} })) }, { text: last });
    expect((await held()).error).toBeUndefined();
    return stage.server
      .calls()
      .map(({ name }) => name)
      .sort();
  }

  test('two nodes with equal tool names: each is called at its own server', async () => {
    stage.server.offer([tool('search'), tool('only_here')]);
    other.offer([tool('search')]);
    const names = await namesTold(true);
    expect(new Set(names).size).toBe(3);
    expect(names).toContain('search');
    for (const name of names) expect(name).toMatch(acceptable);

    const [renamed] = names.filter((name) => !['search', 'only_here'].includes(name));
    const [, owner = ''] = /^(First|Second)_search$/.exec(renamed ?? '') ?? [];
    expect(owner).not.toBe('');
    stage.endpoint.play(
      {
        calls: [
          { name: 'search', arguments: {} },
          { name: renamed!, arguments: {} },
        ],
      },
      { text: 'Done.' },
    );
    const execution = await run(true);
    expect(execution.error).toBeUndefined();
    expect(stage.server.calls().map(({ name }) => name)).toEqual(['search']);
    expect(other.calls().map(({ name }) => name)).toEqual(['search']);
    // In 2.x the agent runs the tool itself, and has no place for hints.
    if (typeVersion >= 3)
      expect(JSON.stringify(execution.runs[owner]?.map(({ hints }) => hints))).toContain(
        String.raw`\"search\" is \"${renamed}\"`,
      );
  });

  test('two nodes with equal tool names: a prefix tells them apart, and the schemas stay as they are', async () => {
    stage.server.offer(richTools);
    other.offer(richTools);
    stage.endpoint.play(
      { calls: ['first_find_relatives', 'find_relatives'].map((name) => ({ name, arguments: slips })) },
      { text: 'Done.' },
    );
    expect((await run(true, 'first')).error).toBeUndefined();
    const prefixed = richTools.map((offered) => ({ ...offered, name: `first_${offered.name}` }));
    const [first, second] = [true, false].map((isFirst) =>
      stage.endpoint.offers().filter(({ name }) => name.startsWith('first_') === isFirst),
    );
    expectSchemas(first!, prefixed);
    expectSchemas(second!, richTools);
    const call = { name: 'find_relatives', arguments: correct };
    expect([stage.server.calls(), other.calls()]).toEqual([[call], [call]]);
  });

  test('a tool that is called like another node, or like what the agent adds: both are told, and each is called', async () => {
    const names = ['Work_hard', 'named', 'format_final_json_response'];
    stage.server.offer(names.map((name) => tool(name)));
    const answered = (text: string) => ({ description: 'Answers', jsCode: `return '${text}'` });
    const nodes = [
      node('Work hard', 'toolCode', 1.3, answered('of the node')),
      node('Other', 'toolCode', 1.1, { name: 'named', ...answered('of the other') }),
      node('Parser', 'outputParserStructured', 1.3, { schemaType: 'manual', inputSchema: '{"type":"object"}' }),
    ];
    const agent = {
      typeVersion,
      parameters: { promptType: 'define', text: 'Go.', hasOutputParser: true, options: {} },
    };
    const workflow = extended(agentWorkflow(stage.chatModel, [verbatimTool(stage.credential)], { agent }), nodes, [
      { from: 'Work hard', to: 'AI Agent', type: 'ai_tool' },
      { from: 'Other', to: 'AI Agent', type: 'ai_tool' },
      { from: 'Parser', to: 'AI Agent', type: 'ai_outputParser' },
    ]);
    stage.endpoint.play({ calls: [{ name: 'Work_hard', arguments: { query: 'a' } }] }, { text: '{"output":{}}' });
    expect((await stage.bench.run(workflow)).error).toBeUndefined();
    expect(stage.endpoint.results()).toEqual([expect.stringContaining('of the node')]);
    expect(stage.server.calls()).toEqual([]);

    const told = stage.endpoint.offers().map(({ name }) => name);
    expect(new Set(told).size).toBe(2 * names.length);
    const renamed = told.filter((name) => !names.includes(name));
    const called = await calledAtOnce(renamed, () => stage.bench.run(workflow), '{"output":{}}');
    expect(called).toEqual([...names].sort());
  });

  test.for([
    { what: 'names longer than 64 characters', names: [long('one'), long('two')] },
    { what: 'names with foreign characters', names: ['mail.send', 'mail/send', 'büro suchen', '検索', '搜索'] },
  ])('$what', async ({ names }) => {
    stage.server.offer(names.map((name) => tool(name)));
    const told = await namesTold();
    expect(new Set(told).size).toBe(names.length);
    for (const name of told) expect(name).toMatch(acceptable);
    expect(await calledAtOnce(told, run, 'Done.')).toEqual([...names].sort());
  });

  test.for([
    { argument: 'tool', args: { tool: 'hammer', force: 2 } },
    { argument: 'toolCallId', args: { toolCallId: 'mine', force: 2 } },
    { argument: 'id', args: { id: 'mine', name: 'mine', type: 'mine', force: 2 } },
  ])('an argument called $argument arrives as the model sent it', async ({ args }) => {
    const properties = Object.fromEntries(Object.keys(args).map((name) => [name, {}]));
    stage.server.offer([tool('hit', properties), tool('miss')]);
    stage.endpoint.play({ calls: [{ name: 'hit', arguments: args }] }, { text: 'Done.' });
    expect((await run()).error).toBeUndefined();
    expect(stage.server.calls()).toEqual([{ name: 'hit', arguments: args }]);
  });
});
