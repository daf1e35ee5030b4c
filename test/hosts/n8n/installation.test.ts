import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { call, steps } from '../../../test-support/model/script.js';
import { N8nApi } from '../../../test-support/n8n/api.js';
import { noTaskRunner } from '../../../test-support/n8n/environment.js';
import { installHost, isAtLeast } from '../../../test-support/n8n/install.js';
import { startN8n, type RunningN8n } from '../../../test-support/n8n/start.js';
import { createUserFolder, owner } from '../../../test-support/n8n/user-folder.js';
import { agentWorkflow, callTool, singleNodeWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';
import { openBench, type Bench, type CredentialReference } from './harness.js';
import { startRawServer, type RawServer } from './raw-server.js';

const name = 'n8n-nodes-mcp-verbatim';

const tools = [
  {
    name: 'book',
    inputSchema: {
      type: 'object',
      properties: { guests: { type: 'integer' }, who: { type: 'string' } },
      additionalProperties: false,
    },
  },
  { name: 'broken', inputSchema: 'none' },
];

test('a package that N8N_CUSTOM_EXTENSIONS names is loaded, with the prefix CUSTOM', async () => {
  const host = await installHost();
  const userFolder = await createUserFolder(host);
  execFileSync('tar', ['-xzf', inject('tarball'), '-C', userFolder]);
  const env = { ...noTaskRunner, N8N_CUSTOM_EXTENSIONS: join(userFolder, 'package') };
  await using n8n = await startN8n(host, { userFolder, env });
  expect(await typesOf(n8n)).toEqual(expect.arrayContaining(['CUSTOM.mcpVerbatim', 'CUSTOM.mcpVerbatimAi']));
});

/** Installs like a person: the name goes into "Install a community node", the rest is n8n's own. */
describe('an n8n without the package', () => {
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  let userFolder: string;
  let n8n: RunningN8n;
  let bench: Bench;
  let server: RawServer;
  let credential: CredentialReference;

  beforeAll(async () => {
    const host = await installHost();
    registry = await startRegistry(inject('tarball'));
    userFolder = await createUserFolder(host);
    const env = { ...noTaskRunner, ...throughRegistry(userFolder, registry.url), N8N_LOG_LEVEL: 'debug' };
    n8n = await startN8n(host, { userFolder, env });
    bench = await openBench(await N8nApi.login(n8n.url, owner));
    server = await startRawServer((method) => {
      if (method === 'tools/list') return { result: JSON.stringify({ tools }) };
      return method === 'tools/call' ? { result: '{"content":[{"type":"text","text":"secret answer"}]}' } : undefined;
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await bench[Symbol.asyncDispose]();
    await n8n.stop();
    await registry[Symbol.asyncDispose]();
    await rm(userFolder, { recursive: true, force: true });
  });

  test('installs it by its name, and has both nodes', async () => {
    const installed = await bench.api.request<{ packageName: string; installedNodes: { name: string }[] }>(
      'POST',
      '/rest/community-packages',
      // If n8n cannot reach the registry itself, as here, an older one does not take "latest" from npm.
      { name: isAtLeast(2, 20) ? name : `${name}@${registry.version}` },
    );
    expect(installed.packageName).toBe(name);
    expect(installed.installedNodes.map((node) => node.name).sort()).toEqual(['MCP Verbatim', 'MCP Verbatim Tool']);
  });

  test('runs them without a start in between', async () => {
    credential = await bench.httpCredential(`${server.url}?key=secret-key-in-url`, {
      authentication: 'bearer',
      token: 'secret-token',
    });
    const script = steps(call('book', { guests: '4', who: 'secret guest' }), call('book', { guests: 'four' }), {
      text: 'Done.',
    });
    bench.model.play(script);
    const agent = await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential)]));
    expect(agent.error).toBeUndefined();
    const called = await bench.run(singleNodeWorkflow(callTool(credential, 'book')));
    expect(called.error).toBeUndefined();
    expect(called.output('MCP Verbatim')).toHaveLength(1);
  });

  test("n8n's log then says at debug level what happened, and no secrets", () => {
    const lines = readFileSync(n8n.logFile, 'utf8')
      .split('\n')
      .filter((line) => line.includes('MCP Verbatim: '));
    const said = lines.map((line) => line.slice(line.indexOf('MCP Verbatim: ') + 'MCP Verbatim: '.length));
    const expected = ['connected to "raw 1.0.0", MCP', '1 tool listed, 1 skipped ("broken"), 1 exposed'];
    expect(said).toEqual([
      ...expected.map((start) => expect.stringContaining(start) as string),
      expect.stringContaining('called "book", 1 repair'),
      expect.stringContaining('refused a call of "book", invalid arguments'),
      expect.stringContaining('closed the session with "raw 1.0.0"'),
      ...expected.map((start) => expect.stringContaining(start) as string),
      expect.stringContaining('called "book", 0 repairs'),
      expect.stringContaining('closed the session with "raw 1.0.0"'),
    ]);
    expect(lines.join('\n')).not.toMatch(/secret/);
  });

  test('uninstalls it, keeps its credentials, and has its nodes no more', async () => {
    await bench.api.request('DELETE', `/rest/community-packages?name=${name}`);
    expect((await typesOf(n8n)).filter((type) => type.startsWith(name))).toEqual([]);
    const kept = await bench.api.request<{ id: string }[]>('GET', '/rest/credentials');
    expect(kept.map(({ id }) => id)).toContain(credential['mcpVerbatimHttpApi']?.id);
  });
});

async function typesOf(n8n: RunningN8n): Promise<string[]> {
  const { headers } = await N8nApi.login(n8n.url, owner);
  const types = (await (await fetch(`${n8n.url}/types/nodes.json`, { headers })).json()) as { name: string }[];
  return types.map((type) => type.name);
}

async function startRegistry(tarball: string): Promise<AsyncDisposable & { url: string; version: string }> {
  const bytes = readFileSync(tarball);
  const manifest = JSON.parse(
    execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
  ) as { version: string };
  const http = createServer((request, response) => {
    if (request.url === `/${name}`) {
      const dist = {
        tarball: `${url}/${name}.tgz`,
        integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
      };
      const { version } = manifest;
      const versions = { [version]: { ...manifest, name, version, dist } };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
    } else if (request.url === `/${name}.tgz`) response.end(bytes);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`; // a TCP server's address is never a string
  return {
    url,
    version: manifest.version,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

/** n8n accepts another registry only under a licence, so the `npm` that it starts is configured instead. */
function throughRegistry(userFolder: string, registry: string): Record<string, string> {
  const bin = join(userFolder, 'bin');
  mkdirSync(bin);
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\nunset HTTPS_PROXY\nexec ${npm} "$@" --registry=${registry}\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  return {
    PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
    // n8n requests the version itself before it starts npm. Nobody answers there, and n8n goes on.
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: 'localhost,127.0.0.1',
  };
}
