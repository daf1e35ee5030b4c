import { beforeEach, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../test-support/demo-server/http.js';
import { tools as demoTools } from '../../../test-support/demo-server/tools.js';
import { call, steps } from '../../../test-support/model/script.js';
import { startHttpServer } from '../../../test-support/servers/http.js';
import type { Execution } from '../../../test-support/n8n/api.js';
import { agentWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';
import { useBench, usedEach, type CredentialReference } from './harness.js';

const booking = { date: '2026-12-24', guests: 4 };

describe('what an AI Agent is sent', () => {
  const bench = useBench();
  const server = usedEach(startDemoServer);
  let credential: CredentialReference;

  beforeEach(async () => {
    credential = await bench.httpCredential(server.url);
  });

  const run = (parameters: Record<string, unknown>, agent: { typeVersion?: number } = {}) =>
    bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential, parameters)], { agent }));
  const told = () => bench.model.requests[0]?.json.tools?.map((tool) => tool.function.name);
  const received = () => server.calls.map(({ tool, arguments: args }) => [tool, args]);

  test('on demand: it searches, reads the schema word for word, and calls', async () => {
    bench.model.play(
      steps(
        call('search_tools', { query: 'reserve a table' }),
        call('describe_tools', { names: ['book_table'] }),
        call('call_tool', { name: 'book_table', arguments: { ...booking, guests: '4' } }),
        { text: 'Done.' },
      ),
    );
    const execution = await run({ options: { toolSearch: { values: { mode: 'on', alwaysExpose: ['was_pinned'] } } } });
    expect(execution.error).toBeUndefined();
    expect(hints(execution)).toContain('There is no tool "was_pinned", which is to be exposed always.');
    expect(told()).toEqual(['search_tools', 'describe_tools', 'call_tool']);
    expect(JSON.stringify(bench.model.requests[0]?.json.tools).length / 4).toBeLessThan(1_500);
    const [found, described] = bench.answers();
    expect(found).toContain('book_table(');
    const schema = JSON.stringify(demoTools.find(({ name }) => name === 'book_table')?.inputSchema);
    expect((JSON.parse(described ?? '') as { response: string }[])[0]?.response).toContain(schema);
    expect(received()).toEqual([['book_table', booking]]);
  });

  test.each([{}, { typeVersion: 2.2 }])(
    'an image is a file on the item of the node, and the model reads that there is one: agent %j',
    async (agent) => {
      const data = Buffer.from('an image').toString('base64');
      const image = { type: 'image', data, mimeType: 'image/png' };
      await using photos = await startHttpServer(({ message, result, plain }) => {
        if (message.method === 'tools/call') result({ content: [{ type: 'text', text: 'Here it is.' }, image] });
        else plain();
      });
      credential = await bench.httpCredential(photos.url);
      bench.model.play(steps(call('echo', {}), { text: 'Done.' }));
      const execution = await run({}, agent);
      expect(execution.error).toBeUndefined();
      expect(bench.answers()[0]).toContain('[image: image/png, 8 bytes]');
      expect(JSON.stringify(bench.model.requests)).not.toContain(data);
      const [item] = execution.runs['MCP Verbatim Tool']?.at(-1)?.data?.['ai_tool']?.[0] ?? [];
      expect(item?.binary).toMatchObject({ data: { mimeType: 'image/png', fileName: expect.any(String) } });
    },
  );

  test.each([
    [{ include: 'except', leaveOut: '={{ $json.nothing }}' }, '"Tools to Leave Out" chooses nothing'],
    [
      { options: { fixedArguments: { values: [{ tool: '={{ $json.nothing }}', argument: 'a' }] } } },
      'There is no tool',
    ],
    [
      { include: 'selected', tools: ['gone', 'lost'], options: { ifUnreachable: 'goOn' } },
      'There is no tool "gone", which was selected',
    ],
  ])('an expression without a value, and tools that are gone, open nothing: %j', async (parameters, message) => {
    bench.model.play(steps({ text: 'Done.' }));
    expect((await run(parameters)).error?.message).toContain(message);
    expect(bench.model.requests).toEqual([]);
  });

  test('a selected tool that the server no longer has is warned of, and the others are called', async () => {
    bench.model.play(steps(call('book_table', booking), { text: 'Done.' }));
    const options = { ifUnreachable: 'goOn' };
    const execution = await run({ include: 'selected', tools: ['book_table', 'gone'], options });
    expect(execution.error).toBeUndefined();
    expect(told()).toEqual(['book_table']);
    expect(received()).toEqual([['book_table', booking]]);
    expect(hints(execution)).toContain('There is no tool "gone", which was selected.');
  });
});

function hints(execution: Execution): string {
  const runs = execution.runs['MCP Verbatim Tool'] ?? [];
  return runs.flatMap(({ hints = [] }) => hints.map(({ message }) => message)).join('\n');
}
