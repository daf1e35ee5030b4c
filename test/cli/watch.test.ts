import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { startHttpServer } from '../../test-support/servers/http.js';
import { until } from '../../test-support/waiting.js';
import { built, start } from './built.js';
import { containing, matching } from './run.js';

async function changingServer() {
  const server = new McpServer({ name: 'changing', version: '1' });
  const answer = () => ({ content: [] });
  const first = server.registerTool('first', { description: 'One.' }, answer);
  const gone = server.registerTool('passing', {}, answer);
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await server.connect(transport);
  let listening = false;
  const http = createServer((request, response) => {
    listening ||= request.method === 'GET';
    void transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    listening: () => listening,
    change: () => {
      first.update({ description: 'Two.' });
      gone.remove();
      server.registerTool('later', {}, answer);
    },
  };
}

test('list --watch lists again when the server says so, and ends by Ctrl-C', async () => {
  const server = await changingServer();
  const running = start(['list', '--watch', '--url', server.url]);
  await until(() => running.written.stdout.includes('passing') && server.listening());
  expect(running.written).toMatchObject({ stdout: 'first\t\t\npassing\t\t\n', stderr: '' });
  server.change();
  await until(() => /later\t\t\n$/.test(running.written.stdout));
  expect(running.written.stderr).toMatch(/^new: later$/m);
  expect(running.written.stderr).toMatch(/^gone: passing$/m);
  running.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: 130, stdout: matching(/first\t\t\nlater\t\t\n$/) });
});

test('list --watch ends when the server does', async () => {
  const script = `
    const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');
    const { StdioServerTransport } = require('@modelcontextprotocol/sdk/server/stdio.js');
    const server = new McpServer({ name: 'short', version: '1' });
    server.registerTool('only', {}, () => ({ content: [] }));
    void server.connect(new StdioServerTransport());
    process.stdin.on('data', (text) => String(text).includes('tools/list') && setTimeout(() => process.exit(), 50));`;
  const cwd = new URL('../..', import.meta.url).pathname;
  const ended = await built(['list', '--watch', '--', process.execPath, '-e', script], { cwd });
  expect(ended).toMatchObject({ code: 4, stdout: 'only\t\t\n', stderr: containing('The server has ended') });
});

test('list --watch is refused if a server does not say when its tools change', async () => {
  const server = await startHttpServer({});
  onTestFinished(() => server.close());
  expect(await built(['list', '--watch', '--url', server.url])).toMatchObject({
    code: 2,
    stderr: containing('does not announce changes'),
  });
});
