import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client as ClientOfV2, StreamableHTTPClientTransport as HttpOfV2 } from '@modelcontextprotocol/client';
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpOfV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type McpTools, mcpTools, toolSearch, verbatimTools } from '../../src/langchain/index.js';
import type { SdkClient } from '../../src/internal.js';
import { freePort } from '../../test-support/free-port.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { until } from '../../test-support/waiting.js';
import { closeAfterEach, forgetful } from '../mcp/serving.js';
import { serverForAll } from './server.js';
import { findPersons, received, sent, tool, toolCall } from './tools.js';

closeAfterEach();

const run = promisify(execFile);
const info = { name: 'somebody', version: '1' };

const server = serverForAll([
  { definition: findPersons },
  tool('fail', {}, () => ({ content: [{ type: 'text', text: 'no such file' }], isError: true })),
  tool('endless', {}, () => new Promise(() => {})),
  { definition: { name: 'broken', inputSchema: null } },
]);

describe.each(['1', '2'])('a client of the MCP SDK, version %s, that somebody else connected', (version) => {
  /** The clients of both versions have the members that a source needs; their types differ. */
  async function connected(): Promise<SdkClient & { close(): Promise<void> }> {
    const [v1, v2] = [new ClientOfV1(info), new ClientOfV2(info)];
    const url = new URL(server.url);
    await (version === '1' ? v1.connect(new HttpOfV1(url)) : v2.connect(new HttpOfV2(url)));
    return version === '1' ? v1 : v2;
  }

  test('A client of the SDK gives its tools with the original schemas, skips a bad tool, and stays open', async () => {
    const client = await connected();
    const tools = await mcpTools(client);
    expect(JSON.stringify(tools[0]?.schema)).toBe(JSON.stringify(findPersons.inputSchema));
    expect(tools.report).toMatchObject([{ server: 'test', status: 'connected', skipped: [{ name: 'broken' }] }]);
    server.calls.length = 0;
    const artifact = { arguments: received, repairs: [{}, {}] };
    expect(await tools[0]?.invoke(toolCall('find_relatives', sent))).toMatchObject({ status: 'success', artifact });
    expect(server.calls).toEqual([{ name: 'find_relatives', arguments: received }]);
    await tools.close();
    expect(await tools[0]?.invoke(toolCall('find_relatives', sent))).toMatchObject({ status: 'success' });
    await client.close();
  });

  test('A client of the SDK has errors of the kind that fits', async () => {
    const client = await connected();
    const tools = await mcpTools({ mcpServers: { one: client } }, { prefix: false });
    const named = (name: string) => tools.find((each) => each.name === name);
    const failed = { status: 'error', content: 'no such file' };
    expect(await named('fail')?.invoke(toolCall('fail', {}))).toMatchObject(failed);
    const late = { code: 'TIMEOUT', outcomeUnknown: true };
    await expect(named('endless')?.invoke({}, { timeout: 100 })).rejects.toMatchObject(late);
    await client.close();
    const lost = { code: 'CONNECTION_LOST', hint: 'Connect the client again.' };
    await expect(named('fail')?.invoke({})).rejects.toMatchObject(lost);
  });
});

describe('tools that change', () => {
  test('Changed tools of a process are listed again without a refresh', async () => {
    const program = fileURLToPath(new URL('growing.mjs', import.meta.url));
    await using tools = await mcpTools({ command: process.execPath, args: [program] });
    expect(tools.map(({ name }) => name)).toEqual(['grow']);
    await tools[0]?.invoke({});
    await until(() => tools.length === 2);
    expect(tools.map(({ name }) => name)).toEqual(['grow', 'grown']);
    await expect(tools[1]?.invoke({})).resolves.toBe('grown');
  });
});

describe('a server that cannot be reached', () => {
  const servers = () => ({ mcpServers: { up: { url: server.url }, down: { url: 'http://127.0.0.1:1/mcp' } } });

  test('A server that cannot be reached is reported to a handler, and the others work unless it throws', async () => {
    const heard: unknown[] = [];
    const onServerError = (error: unknown, name: string) => void heard.push([name, (error as { code: string }).code]);
    await using tools = await mcpTools(servers(), { onServerError });
    expect(heard).toEqual([['down', 'CONNECTION_FAILED']]);
    expect(tools).toHaveLength(3);
    const refusing = (_error: unknown, name: string) => expect.fail(`no ${name}`);
    await expect(mcpTools(servers(), { onServerError: refusing })).rejects.toThrow('no down');
  });

  const ways: [string, (tools: McpTools) => unknown][] = [
    ['refresh', (tools) => tools.refresh()],
    ['session', (tools) => tools.session('late')],
    [
      'a model call of a middleware',
      (tools) => verbatimTools(tools).wrapModelCall({ messages: [], tools: [] }, () => {}),
    ],
  ];

  test.each(ways)('A server that cannot be reached is tried again by %s, and the report follows', async (_, again) => {
    const port = await freePort();
    const mcpServers = { up: { url: server.url }, late: { url: `http://127.0.0.1:${port}/mcp` } };
    await using tools = await mcpTools({ mcpServers });
    expect(tools.report.map(({ status }) => status)).toEqual(['connected', 'failed']);
    const late = await startHttpServer({}, port);
    onTestFinished(() => late.close());
    const { tools: bound } = toolSearch(tools);
    await again(tools);
    await until(() => tools.report[1]?.status === 'connected');
    expect(tools.map(({ name }) => name)).toContain('late__echo');
    // An agent that was made before does not have it.
    const search = bound.find(({ name }) => name === 'search_tools');
    expect(await search?.invoke({ query: 'late echo' })).not.toContain('late__echo');
  });
});

test.each([
  [true, ['POST', 'GET']],
  [false, ['POST']],
])('automaticSSEFallback: %s decides whether SSE is tried', async (automaticSSEFallback, methods) => {
  const missing = await startHttpServer(({ status }) => status(404));
  const tools = mcpTools({ url: missing.url, transport: 'streamable-http', automaticSSEFallback });
  await expect(tools).rejects.toMatchObject({ status: 404 });
  expect([...new Set(missing.seen.map(({ verb }) => verb))]).toEqual(methods);
  await missing.close();
});

describe('the texts of servers that a program sees', () => {
  const { command, args: [script, ...args] = [] } = stdioServer('plain');
  const library = fileURLToPath(new URL('../../packages/mcp-verbatim/dist/cjs/langchain.js', import.meta.url));

  /** The stderr of a program with a server for each value of `stderr`; each server writes its value. */
  async function stderrOf(env: NodeJS.ProcessEnv = {}): Promise<string> {
    const saying = (stderr: string) => [
      ...['-e', `console.error('of ${stderr}'); import(${JSON.stringify(script)})`],
      ...args,
    ];
    const servers = ['inherit', 'pipe', 'ignore'].map((stderr) => [
      stderr,
      { command, args: saying(stderr), stderr, env: { TOKEN: 'secret-of-the-environment' } },
    ]);
    const code = `
      void (async () => {
        const { mcpTools } = require(${JSON.stringify(library)});
        const tools = await mcpTools({ mcpServers: ${JSON.stringify(Object.fromEntries(servers))} });
        await tools[0].invoke({ text: 'hello', password: 'hunter2-hunter2' }).catch(() => {});
        await tools.close();
      })();`;
    const { stderr } = await run(process.execPath, ['-e', code], { env: { ...process.env, ...env } });
    return stderr;
  }

  test('A program sees the stderr of servers if it is inherited, and nothing else', async () => {
    expect(await stderrOf()).toBe('of inherit\n');
  });

  test('A program with NODE_DEBUG=mcp-verbatim sees requests and answers with masked secrets', async () => {
    const shown = await stderrOf({ NODE_DEBUG: 'mcp-verbatim' });
    expect(shown).toMatch(/^MCP-VERBATIM > tools\/list /m);
    expect(shown).toMatch(/^MCP-VERBATIM < tools\/list .*"echo"/m);
    expect(shown).toMatch(/^MCP-VERBATIM > tools\/call .*"hello"/m);
    expect(shown).not.toContain('hunter2');
    expect(shown).not.toContain('secret-of-the-environment');
  });

  test('A program with NODE_DEBUG=mcp-verbatim sees that a server has lost its session, without the secrets of its address', async () => {
    const { server: forgetting, forget } = await forgetful({
      'tools/list': ({ result }) => result({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
      'tools/call': ({ result }) => {
        result({ content: [] });
        forget();
      },
    });
    const secret = 'token-0123456789abcdef';
    const { stderr } = await run(
      process.execPath,
      [
        '-e',
        `void (async () => {
          const { mcpTools } = require(${JSON.stringify(library)});
          const tools = await mcpTools({ url: ${JSON.stringify(forgetting.url)} + '?key=${secret}', headers: { 'x-key': '${secret}' } });
          for (let calls = 0; calls < 2; calls++) await tools[0].invoke({});
          await tools.close();
        })();`,
      ],
      { env: { ...process.env, NODE_DEBUG: 'mcp-verbatim' } },
    );
    const told = stderr.split('\n').filter((line) => line.includes('has forgotten its session; a new one is open'));
    expect(told).toEqual([expect.stringMatching(/^MCP-VERBATIM http:\/\/127\.0\.0\.1:/)]);
    expect(stderr).not.toContain(secret);
  });
});
