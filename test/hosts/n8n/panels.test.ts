import type { INodePropertyOptions, ResourceMapperFields } from 'n8n-workflow';
import { beforeEach, describe, expect, test } from 'vitest';
import { useBench, usedEach, usedCredential } from './harness.js';
import { startRawServer } from '../../../test-support/servers/raw-server.js';
import { call, steps } from '../../../test-support/model/script.js';
import { agentWorkflow, behindInput, verbatim, verbatimTool, asJson } from '../../../test-support/n8n/workflows.js';

const tools = [
  {
    name: 'search',
    description: 'Finds issues.',
    inputSchema: {
      type: 'object',
      properties: {
        projectKey: { type: 'string', title: 'Project', description: 'Such as ABC' },
        where: { $ref: '#/components/Where' },
      },
      required: ['projectKey'],
    },
  },
  { name: 'by_id_or_name', inputSchema: { type: 'object', anyOf: [{ required: ['id'] }, { required: ['name'] }] } },
];

const nobody = 'http://127.0.0.1:9/mcp';

/** The requests that n8n's editor makes while a node's panel is open. */
describe('the panels of the nodes, in a real n8n', () => {
  const bench = useBench();
  const server = usedEach(() =>
    startRawServer((method) => {
      if (method === 'tools/list') return { result: JSON.stringify({ tools }) };
      return method === 'tools/call' ? { result: '{"content":[{"type":"text","text":"found"}]}' } : undefined;
    }),
  );
  const credential = usedCredential(bench, () => server.url, beforeEach);

  const noticeOf = async (node: ReturnType<typeof verbatim>, method = 'getToolsNotice') =>
    (await bench.ask<ResourceMapperFields>('resource-mapper-fields', node, method)).emptyFieldsNotice ?? '';

  const callOf = (tool: string, more: object = {}) =>
    verbatim(credential, {
      operation: 'call',
      tool: { __rl: true, mode: 'list', value: tool },
      argumentsMode: 'form',
      ...more,
    });

  test('The test of a credential says what it connected to, or why it could not', async () => {
    const { id, name } = credential['mcpVerbatimHttpApi']!;
    const tested = async (url: string) =>
      await bench.api.testCredential(id, name, 'mcpVerbatimHttpApi', {
        url,
        server: 'http',
        authentication: 'none',
      });
    expect(await tested(server.url)).toMatchObject({
      status: 'OK',
      message: expect.stringContaining('raw 1.0.0, 2 tools'),
    });
    expect(await tested(nobody)).toMatchObject({ status: 'Error', message: expect.stringContaining(nobody) });
  });

  test("A call's panel shows the schema's errors, explains the tool and its arguments, and has the form below", async () => {
    const about = await bench.ask<ResourceMapperFields>('resource-mapper-fields', callOf('search'), 'getToolNotice');
    expect(about.fields).toEqual([]);
    expect(about.emptyFieldsNotice).toMatch(/^<b>This tool's schema has errors<\/b>/);
    expect(about.emptyFieldsNotice).toContain('#/properties/where/$ref');
    expect(await noticeOf(callOf('search'), 'getToolHelp')).toMatch(
      /^Finds issues\.<ul>.*Such as ABC.*<code>search\(projectKey: string, where\?: any\)<\/code>$/,
    );
    const { fields } = await bench.ask<ResourceMapperFields>(
      'resource-mapper-fields',
      callOf('search'),
      'getToolFields',
    );
    expect(fields.map(({ displayName }) => displayName)).toEqual(['Project *', 'where']);
  });

  const offer = (offered: object[]) => {
    server.play((method) => (method === 'tools/list' ? { result: JSON.stringify({ tools: offered }) } : undefined));
  };

  test("A call's form shows all of ten arguments, and of eleven the required ones", async () => {
    const takes = (count: number) => {
      const properties = Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, { type: 'object' }]));
      return { name: `of_${count}`, inputSchema: { type: 'object', properties, required: ['f0'] } };
    };
    offer([takes(10), takes(11)]);
    const shown = async (tool: string) => {
      const form = await bench.ask<ResourceMapperFields>('resource-mapper-fields', callOf(tool), 'getToolFields');
      return form.fields.filter(({ removed }) => !removed).length;
    };
    expect([await shown('of_10'), await shown('of_11')]).toEqual([10, 1]);
  });

  const choicesIn = async (node: ReturnType<typeof verbatim>) =>
    (await bench.ask<INodePropertyOptions[]>('options', node, 'getIncludes')).map(({ name }) => name);

  test('MCP Verbatim Tool says before any run how many tools each choice includes, and which providers reject some', async () => {
    expect((await choicesIn(verbatimTool(credential)))[0]).toMatch(/^All \(2 tools, about \d+ tokens\)$/);
    expect(await noticeOf(verbatimTool(credential))).toBe('');
    const node = verbatimTool(credential, { options: { adaptSchemas: false } });
    const [about, ...warnings] = (await noticeOf(node)).split('<li>');
    expect(about).toBe('<ul>');
    expect(warnings).toEqual([
      expect.stringMatching(/^Anthropic rejects by_id_or_name\./),
      expect.stringMatching(/^Google Gemini rejects search/),
      expect.stringMatching(/^OpenAI rejects by_id_or_name\./),
    ]);
    expect(server.received.filter(({ method }) => method === 'initialize')).toHaveLength(1);
  });

  test('MCP Verbatim Tool names OpenAI and Tool Search above 128 tools, unless the tools are searched', async () => {
    offer(Array.from({ length: 129 }, (_, n) => ({ name: `work_${n}`, inputSchema: { type: 'object' } })));
    expect(await noticeOf(verbatimTool(credential))).toMatch(/OpenAI takes at most 128 tools.*Tool Search/);
    const withSearch = (mode: string) => verbatimTool(credential, { options: { toolSearch: { values: { mode } } } });
    expect(await noticeOf(withSearch('on'))).not.toContain('128');
    // The tools take fewer than 5,000 tokens, so the model is sent all of them.
    expect(await noticeOf(withSearch('auto'))).toContain('128');
  });

  test('With nothing chosen in Approved Tools, MCP Verbatim Tool says that nothing is approved and what to choose', async () => {
    const node = verbatimTool(credential, { options: { approvedTools: { values: { approved: '' } } } });
    expect(await noticeOf(node)).toMatch(/No tools are approved yet.*Approve What the Server Has Now/);
    const { error } = await bench.run(agentWorkflow(bench.modelNode, [node]));
    expect(`${error?.message} ${error?.description}`).toMatch(/No tools are approved yet.*Approve What the Server/);
  });

  test('After a credential was edited, every list is at once that of the new server', async () => {
    const { id, name } = credential['mcpVerbatimHttpApi']!;
    const edit = async (url: string) => {
      const data = { url, transport: 'http', authentication: 'none' };
      await bench.api.request('PATCH', `/rest/credentials/${id}`, { name, type: 'mcpVerbatimHttpApi', data });
    };
    const node = verbatimTool(credential);
    const all = () => noticeOf(node);
    await edit(nobody);
    expect(await all()).toContain('cannot be reached');
    expect((await choicesIn(node))[0]).toBe('All');
    await edit(server.url);
    expect(await all()).toBe('');
    expect((await choicesIn(node))[0]).toMatch(/^All \(2 tools, /);
    expect(await bench.ask('options', node, 'getTools')).toHaveLength(2);
    expect(await bench.ask('resource-locator-results', callOf(''), 'searchTools')).toMatchObject({
      results: [{ value: 'search' }, { value: 'by_id_or_name' }],
    });
    await edit(nobody);
    expect(await all()).toContain('cannot be reached');
  });

  describe('of a credential whose token an expression gives for each item', () => {
    const says = /^The credential "Server .*" gets its values only when the node runs/;
    const secret = { authentication: 'bearer', token: '={{ $json.token }}' };
    const perItem = usedCredential(bench, () => server.url, beforeEach, secret);
    const byName = (more: object = {}) =>
      verbatim(perItem, {
        operation: 'call',
        tool: { __rl: true, mode: 'name', value: 'search' },
        argumentsMode: 'form',
        ...more,
      });

    test('The panels of a credential whose token an expression gives for each item say so', async () => {
      expect(await noticeOf(verbatimTool(perItem))).toMatch(says);
      expect(await noticeOf(byName(), 'getToolNotice')).toMatch(says);
      await expect(bench.ask('resource-locator-results', byName(), 'searchTools')).rejects.toThrow(
        'when the node runs',
      );
      expect(server.received).toEqual([]);
    });

    test('The panels of a credential whose token is an expression let the tool be named without a list, and the call has it', async () => {
      expect(await bench.ask('resource-mapper-fields', byName(), 'getToolFields')).toMatchObject({ fields: [] });
      const node = byName({ argumentsMode: 'json', jsonArguments: asJson('{"projectKey":"ABC"}') });
      node.parameters['options'] = { checks: { values: { uncheckableArguments: 'allow' } } };
      const execution = await bench.run(behindInput({ token: 'of-the-item' }, node));
      expect(execution.error).toBeUndefined();
      const call = server.received.find(({ method }) => method === 'tools/call');
      expect(call?.headers.authorization).toBe('Bearer of-the-item');
    });
  });

  test('A call of MCP Verbatim Tool warns of the legacy execution order', async () => {
    const workflow = agentWorkflow(bench.modelNode, [verbatimTool(credential)]);
    bench.model.play(steps(call('search', { projectKey: 'ABC' }), { text: 'Done.' }));
    const { runs } = await bench.run({ ...workflow, settings: {} });
    expect(JSON.stringify(runs['MCP Verbatim Tool']?.map(({ hints }) => hints))).toContain('legacy execution order');
  });
});
