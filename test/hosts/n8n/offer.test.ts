import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startDemoServer } from '../../../test-support/demo-server/http.js';
import { tools as demoTools } from '../../../test-support/demo-server/tools.js';
import { call, steps } from '../../../test-support/model/script.js';
import { startHttpServer } from '../../../test-support/servers/http.js';
import { agentWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';
import { digestsOnly, approveTools, readCatalogue } from '../../../src/internal.js';
import type { Execution } from '../../../test-support/n8n/api.js';
import { useBench, type CredentialReference } from './harness.js';

const date = '2026-12-24';

describe('what an AI Agent is sent', () => {
  const bench = useBench();
  let server: Awaited<ReturnType<typeof startDemoServer>>;
  let credential: CredentialReference;

  beforeEach(async () => {
    server = await startDemoServer();
    credential = await bench.httpCredential(server.url);
  });
  afterEach(() => server.stop());

  const run = (options: object, { agent, input }: RunOptions = {}) =>
    bench.run(
      agentWorkflow(bench.modelNode, [verbatimTool(credential, { options })], {
        ...(agent !== undefined && { agent: { typeVersion: agent } }),
        ...(input && { input }),
      }),
    );
  const told = (turn: number) => bench.model.requests[turn]?.json.tools?.map((tool) => tool.function) ?? [];
  const received = () => server.calls.map(({ tool, arguments: args }) => [tool, args]);

  test('on demand: it searches, reads the schema word for word, and calls', async () => {
    bench.model.play(
      steps(
        call('search_tools', { query: 'reserve a table' }),
        call('describe_tools', { names: ['book_table'] }),
        call('call_tool', { name: 'book_table', arguments: { date, guests: '4' } }),
        { text: 'Done.' },
      ),
    );
    const execution = await run({ discovery: 'on-demand' });
    expect(execution.error).toBeUndefined();
    expect(told(0).map(({ name }) => name)).toEqual(['search_tools', 'describe_tools', 'call_tool']);
    expect(JSON.stringify(told(0)).length / 4).toBeLessThan(1_500);
    const [found, described] = bench.answers();
    expect(found).toContain('book_table(');
    const schema = JSON.stringify(demoTools.find(({ name }) => name === 'book_table')?.inputSchema);
    expect((JSON.parse(described ?? '') as { response: string }[])[0]?.response).toContain(schema);
    expect(received()).toEqual([['book_table', { date, guests: 4 }]]);
  });

  test.each([[undefined], [2.2]])(
    "fixed arguments come from the agent's item, whatever the model sends: agent %s",
    async (agent) => {
      bench.model.play(steps(call('book_table', { date, guests: 11 }), { text: 'Done.' }));
      const fixedArguments = { values: [{ tool: 'book_table', argument: 'guests', value: '={{ $json.guests }}' }] };
      const headers = { values: [{ name: 'X-Guests', value: '={{ $json.guests }}' }] };
      const execution = await run({ fixedArguments, headers }, { agent, input: { guests: 4 } });
      expect(execution.error).toBeUndefined();
      const tool = told(0).find(({ name }) => name === 'book_table');
      expect(JSON.stringify(tool?.parameters)).not.toContain('guests');
      expect(received()).toEqual([['book_table', { date, guests: 4 }]]);
    },
  );

  test('tools that were not approved as they are now are not exposed, and the others are called', async () => {
    const before = digestsOnly(
      approveTools(readCatalogue(demoTools.map((tool) => ({ ...tool }))), { url: server.url }),
    );
    const [first, second, ...others] = Object.entries(before.tools).filter(([name]) => name !== 'book_table');
    if (!first || !second) throw new Error('The demo has too few tools.');
    const tools = Object.fromEntries([
      ...others,
      ['book_table', before.tools['book_table']],
      [first[0], { digest: 'sha256-another' }],
    ]);
    bench.model.play(steps(call('book_table', { date, guests: 4 }), { text: 'Done.' }));
    const execution = await run({ approved: JSON.stringify({ ...before, tools }) });
    expect(execution.error).toBeUndefined();
    const offered = told(0).map(({ name }) => name);
    expect(offered).toContain('book_table');
    expect(offered).not.toContain(first[0]);
    expect(offered).not.toContain(second[0]);
    expect(received()).toEqual([['book_table', { date, guests: 4 }]]);
  });

  test('an unreachable server is reported to the model, and the agent goes on', async () => {
    await server.stop();
    bench.model.play(steps({ text: 'I could not book.' }));
    const execution = await run({ whenAway: 'goOn' });
    expect(execution.error).toBeUndefined();
    expect(told(0)).toMatchObject([
      { name: 'server_unavailable', description: expect.stringContaining('not available') },
    ]);
    expect(execution.output('AI Agent')[0]?.json['output']).toBe('I could not book.');
  });

  test.each([[undefined], [2.2]])(
    'an image is a file on the item of the node, and the model reads that there is one: agent %s',
    async (agent) => {
      const data = Buffer.from('an image').toString('base64');
      const image = { type: 'image', data, mimeType: 'image/png' };
      const photos = await startHttpServer(({ message, result, plain }) => {
        if (message.method === 'tools/list') result({ tools: [{ name: 'photo', inputSchema: { type: 'object' } }] });
        else if (message.method === 'tools/call') result({ content: [{ type: 'text', text: 'Here it is.' }, image] });
        else plain();
      });
      onTestFinished(() => photos.close());
      credential = await bench.httpCredential(photos.url);
      bench.model.play(steps(call('photo', {}), { text: 'Done.' }));
      const execution = await run({}, { agent });
      expect(execution.error).toBeUndefined();
      expect(bench.answers()[0]).toContain('[image: image/png, 8 bytes]');
      expect(JSON.stringify(bench.model.requests)).not.toContain(data);
      const [item] = execution.runs['MCP Verbatim Tool']?.at(-1)?.data?.['ai_tool']?.[0] ?? [];
      expect(item?.binary).toMatchObject({ data: { mimeType: 'image/png', fileName: expect.any(String) } });
    },
  );

  test.each([
    [{ include: 'except', excludeTools: '={{ $json.nothing }}' }, '"Tools to Leave Out" chooses nothing'],
    [
      { options: { fixedArguments: { values: [{ tool: '={{ $json.nothing }}', argument: 'a' }] } } },
      'There is no tool',
    ],
  ])('an expression without a value opens nothing: %j', async (parameters, message) => {
    bench.model.play(steps({ text: 'Done.' }));
    const execution = await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential, parameters)]));
    expect(execution.error?.message).toContain(message);
    expect(bench.model.requests).toEqual([]);
  });

  test.each([undefined, 2.2])(
    'a selected tool that the server no longer has is warned of, and the others are called: agent %s',
    async (typeVersion) => {
      bench.model.play(steps(call('book_table', { date, guests: 4 }), { text: 'Done.' }));
      const fixedArguments = { values: [{ tool: 'gone', argument: 'tenant', value: 'us' }] };
      const tool = verbatimTool(credential, {
        include: 'selected',
        includeTools: ['book_table', 'gone'],
        options: { fixedArguments, whenAway: 'goOn' },
      });
      const agent = typeVersion === undefined ? {} : { agent: { typeVersion } };
      const execution = await bench.run(agentWorkflow(bench.modelNode, [tool], agent));
      expect(execution.error).toBeUndefined();
      expect(told(0).map(({ name }) => name)).toEqual(['book_table']);
      expect(received()).toEqual([['book_table', { date, guests: 4 }]]);
      if (typeVersion === undefined)
        expect(hints(execution)).toContain('Selected, but not a tool of the server: "gone"');
    },
  );

  test('names to leave out and to expose always that the server does not have are warned of', async () => {
    bench.model.play(steps(call('search_tools', { query: 'table' }), { text: 'Done.' }));
    const options = { discovery: 'on-demand', pinned: ['was_pinned'] };
    const parameters = { include: 'except', excludeTools: ['was_left_out'], options };
    const execution = await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential, parameters)]));
    expect(execution.error).toBeUndefined();
    expect(hints(execution)).toContain('To be left out, but not a tool of the server: "was_left_out"');
    expect(hints(execution)).toContain('Always exposed, but not a tool of the server: "was_pinned"');
  });

  test('where the server has none of the selected tools, there is an error', async () => {
    bench.model.play(steps({ text: 'Done.' }));
    const parameters = { include: 'selected', includeTools: ['gone', 'lost'], options: { whenAway: 'goOn' } };
    const execution = await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential, parameters)]));
    expect(execution.error?.message).toBe('The server does not have "gone", "lost"');
    expect(bench.model.requests).toEqual([]);
  });
});

interface RunOptions {
  agent?: number | undefined;
  input?: Record<string, unknown>;
}

function hints(execution: Execution): string {
  const runs = execution.runs['MCP Verbatim Tool'] ?? [];
  return runs.flatMap(({ hints = [] }) => hints.map(({ message }) => message)).join('\n');
}
