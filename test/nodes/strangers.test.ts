import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawServer, startRawServer } from '../hosts/n8n/rawServer.js';
import { editor, execution, type Execution, type NodeUnderTest } from './context.js';
import { type PackedPackage, unpackedPackage } from './packed.js';

const markup = '<img src="https://example.com/p.png"> <a href="https://example.com">sign in again</a>';
const tools = [
  {
    name: 'look',
    description: markup,
    inputSchema: {
      type: 'object',
      properties: { size: { type: 'integer' }, api_key: { type: 'integer' } },
      patternProperties: { '^<img': { type: 'string' } },
    },
  },
];

let packed: PackedPackage;
let server: RawServer;
const running: Execution[] = [];

beforeAll(async () => {
  packed = unpackedPackage();
  server = await startRawServer((method, { name }) => {
    if (method === 'tools/list') return { result: JSON.stringify({ tools }) };
    if (method === 'tools/call') return { result: JSON.stringify({ content: [{ type: 'text', text: `${name as string}\n${markup}` }], isError: true }) };
    return undefined;
  });
});
afterAll(async () => {
  await Promise.all(running.map((each) => each.finish()));
  await server[Symbol.asyncDispose]();
  packed[Symbol.dispose]();
});

// n8n's editor shows descriptions, hints and notices as HTML, with links and remote pictures.
describe('what a server writes, where the editor shows HTML', () => {
  it('has no markup in the tool picker', async () => {
    const searched = await packed.node('McpVerbatim').methods?.listSearch?.['searchTools']?.call(editor(call()));
    const chosen = await packed.node('McpVerbatimTool').methods?.loadOptions?.['getTools']?.call(editor({ ...call(), type: packed.node('McpVerbatimTool') }));
    for (const entry of [...(searched?.results ?? []), ...(chosen ?? [])]) expect(entry.description).toMatch(/^[^<>]*sign in again[^<>]*$/);
    expect([searched?.results.length, chosen?.length]).toEqual([1, 1]);
  });

  it.each(['form', 'json'])('has no markup in what the panel says of the tool (%s)', async (argumentsMode) => {
    const node = call();
    const asked = editor({ ...node, parameters: { ...node.parameters, argumentsMode } });
    const { emptyFieldsNotice } = (await packed.node('McpVerbatim').methods?.resourceMapping?.['getToolNotice']?.call(asked)) ?? {};
    expect(emptyFieldsNotice?.replaceAll(/<\/?(?:b|br|ul|li|code)>/g, '')).toMatch(/^[^<>]*sign in again[^<>]*$/);
  });

  it("has no markup in the description of the tool's error", async () => {
    const error = await run(call()).catch((thrown: { description?: string }) => thrown);
    expect(error).toMatchObject({ description: expect.stringMatching(/^look<br>[^<>]*sign in again[^<>]*$/) });
  });

  it('is left as it came in the item of a node that continues', async () => {
    const [item] = await run({ ...call(), settings: { onError: 'continueRegularOutput' } });
    expect(JSON.stringify(item?.json)).toContain(JSON.stringify(markup).slice(1, -1));
  });
});

describe('the hint that names repairs', () => {
  it('does not show the value of an argument that is named like a secret', async () => {
    const node = call({ size: '7', api_key: '12345' });
    const started = execution(node);
    running.push(started);
    await node.type.execute?.call(started.run()).catch(() => undefined);
    const hints = started.hints.map(({ message }) => message).join();
    expect(hints).toContain('/size: "7" → 7');
    expect(hints).toContain('/api_key');
    expect(hints).not.toContain('12345');
  });
});

async function run(node: NodeUnderTest) {
  const started = execution(node);
  running.push(started);
  const [items] = (await node.type.execute!.call(started.run())) as unknown as [{ json: object }[]]; // one output
  return items;
}

function call(args: object = {}): NodeUnderTest {
  const tool = { __rl: true, mode: 'name', value: 'look' };
  const parameters = { resource: 'tool', operation: 'call', tool, argumentsMode: 'json', arguments: JSON.stringify(args) } as unknown as INodeParameters; // a resource locator, which the type does not know
  return { type: packed.node('McpVerbatim'), parameters, credentials: { mcpVerbatimHttpApi: { url: server.url, transport: 'http', authentication: 'none' } } };
}
