import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startDemoServer } from '../../test-support/demo-server/http.js';
import type { NodeUnderTest } from './context.js';
import { asJson, atUrl, callOf, choicesOf, execution, repaired, slips } from './context.js';
import { unpackedPackage } from './packed.js';

const packed = unpackedPackage();
let server: Awaited<ReturnType<typeof startDemoServer>>;

beforeEach(async () => {
  server = await startDemoServer();
  onTestFinished(() => server.stop());
});

describe('the package', () => {
  const files = ['nodes/McpVerbatim/McpVerbatim.node.js', 'nodes/McpVerbatimTool/McpVerbatimTool.node.js'];

  test.each(files)('Requiring %s does not load the library or LangChain', (file) => {
    const script = `require(${JSON.stringify(join(packed.folder, 'dist', file))});
      console.log(JSON.stringify(Object.keys(require.cache)))`;
    const loaded = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })) as string[];
    const own = loaded.filter((path) => path.startsWith(realpathSync(packed.folder)));
    expect(own.some((path) => path.endsWith(file))).toBe(true);
    // The library alone has more than three times as many.
    expect(own.reduce((bytes, path) => bytes + statSync(path).size, 0)).toBeLessThan(120_000);
    expect(loaded.filter((path) => path.includes('langchain'))).toEqual([]);
  });

  test('The package has every file that package.json names, with icons and codex beside the nodes', () => {
    const manifest = JSON.parse(readFileSync(join(packed.folder, 'package.json'), 'utf8')) as {
      n8n: { nodes: string[]; credentials: string[] };
    };
    const named = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
    const icons = (['McpVerbatim', 'McpVerbatimTool'] as const).flatMap((name) => {
      const { light, dark } = packed.node(name).description.icon as { light: string; dark: string };
      return [light, dark].map((icon) => join('dist', 'nodes', name, icon.replace('file:', '')));
    });
    const codex = named.filter((file) => file.endsWith('.node.js')).map((file) => file.replace(/\.js$/, '.json'));
    for (const file of [...named, ...icons, ...codex])
      expect(() => readFileSync(join(packed.folder, file)), file).not.toThrow();
  });
});

describe('MCP Verbatim: Call Tool', () => {
  test('Call Tool converts the text of a form to the types of the schema, and leaves out empty fields', async () => {
    const value = { queries: JSON.stringify(slips.queries), limit: '100', tags: null, filter: '' };
    const form = { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] };
    await runMain({ ...callOf('find_relatives'), argumentsMode: 'form', form });
    expect(server.calls).toMatchObject([{ arguments: { queries: repaired.queries, limit: 100 } }]);
  });

  test('Arguments that are no JSON are an error of their item', async () => {
    const error = await failure(main({ ...callOf('find_relatives'), jsonArguments: asJson('{') }));
    expect(error.message).toContain('not valid JSON');
    expect(error.context?.['itemIndex']).toBe(0);
  });
});

const secret = 'token-that-nobody-may-see';
const bearer = { authentication: 'bearer', token: secret };

test.each([
  ['nobody listens', 'mcpVerbatimHttpApi', { url: 'http://127.0.0.1:9/mcp', ...bearer }, /127\.0\.0\.1:9/],
  [
    'the URL is none',
    'mcpVerbatimHttpApi',
    { url: 'no url', ...bearer },
    /valid http or https address\.\sGive the whole endpoint/,
  ],
  [
    'the command is none',
    'mcpVerbatimStdioApi',
    { command: '/no/such/command', environment: { values: [{ name: 'KEY', value: secret }] } },
    /\/no\/such\/command/,
  ],
])(
  'A server that cannot be reached because %s gives an error without secrets or stack',
  async (_why, type, data, says) => {
    const node = main({ operation: 'list', server: type === 'mcpVerbatimHttpApi' ? 'http' : 'stdio' });
    const error = await failure({ ...node, credentials: { [type]: data } });
    const text = `${error.message}\n${error.description ?? ''}`;
    expect(text).toMatch(says);
    expect(JSON.stringify(error) + text).not.toMatch(new RegExp(`\\n\\s+at |${secret}`));
  },
);

test('The editor lists tools with title, name and description, and searches in all of them', async () => {
  const search = (filter?: string) => choicesOf(main(callOf('')), 'searchTools', filter);
  const all = await search();
  const name = expect.stringMatching(/^Find persons \(find_relatives\) · Finds persons/);
  expect(all[0]).toMatchObject({ name, value: 'find_relatives' });
  expect(all[0]?.description).toContain('Finds persons');
  expect((await search('TABLE book')).map(({ value }) => value)).toEqual(['book_table']);
});

function main(parameters: INodeParameters): NodeUnderTest {
  return { type: packed.node('McpVerbatim'), parameters, credentials: atUrl(server.url) };
}

async function runMain(parameters: INodeParameters): Promise<INodeExecutionData[]> {
  return await execution(main(parameters)).output();
}

async function failure(
  node: NodeUnderTest,
): Promise<Error & { description?: string; context?: Record<string, unknown> }> {
  return await execution(node)
    .output()
    .then(
      (items) => expect.fail(`gave ${JSON.stringify(items)} instead of an error`),
      (error: unknown) => error as Error,
    );
}
