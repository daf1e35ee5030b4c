import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startHttpServer } from '../../test-support/servers/http.js';
import { closeAfterEach } from '../mcp/serving.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { listing, recording } from '../serve/as-process.js';
import { built, start } from './built.js';

closeAfterEach();

const preload = pathToFileURL(fileURLToPath(new URL('./watch-sockets.mjs', import.meta.url))).href;

/** The addresses to which the processes of a command connected, servers that it started included. */
async function watched(run: (env: Record<string, string>) => Promise<unknown>): Promise<string[]> {
  const file = join(temporaryFolder(), 'sockets');
  await writeFile(file, '');
  await run({ NODE_OPTIONS: `--import ${preload}`, SOCKETS: file });
  return [...new Set((await readFile(file, 'utf8')).split('\n').filter(Boolean))];
}

const results = "'tools/call': { content: [] }, 'resources/list': { resources: [] }, 'prompts/list': { prompts: [] },";

test.each(['list', 'show echo', 'call echo message=hello', 'check', 'resources', 'prompts'])(
  'The command %s opens no connection if the server is a process',
  async (command) => {
    const server = recording(listing('echo') + results, '', 'tools: {}, resources: {}, prompts: {}');
    expect(await watched((env) => built([...command.split(' '), ...server.command], { env }))).toEqual([]);
    expect(server.got(command.startsWith('call') ? 'tools/call' : 'initialize')).not.toEqual([]);
  },
);

test.each(['list', 'show echo', 'call echo', 'check'])(
  'The command %s connects only to the server of the address',
  async (command) => {
    await using server = await startHttpServer({});
    const sockets = await watched((env) => built([...command.split(' '), '--url', server.url], { env }));
    expect(sockets).toEqual([new URL(server.url).host]);
  },
);

test('The command serve connects only to the server of the address', async () => {
  await using server = await startHttpServer({});
  const sockets = await watched(async (env) => {
    const serve = start(['serve', '--url', server.url], { env, isTyped: true });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    serve.type(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    serve.type(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
    await expect.poll(() => serve.written.stdout, { timeout: 20_000 }).toContain('"tools"');
    serve.kill('SIGTERM');
    await serve.ended;
  });
  expect(sockets).toEqual([new URL(server.url).host]);
});

test('The watcher of this test sees a connection if there is one', async () => {
  const sockets = await watched((env) => built(['list', '--url', 'http://127.0.0.1:9/mcp'], { env }));
  expect(sockets).toEqual(['127.0.0.1:9']);
});
