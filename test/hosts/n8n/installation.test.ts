import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { call, steps } from '../../../test-support/model/script.js';
import { isAtLeast } from '../../../test-support/n8n/install.js';
import { agentWorkflow, callTool, singleNodeWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';
import { startHttpServer } from '../../../test-support/servers/http.js';
import { temporaryFolder } from '../../mcp/temporary-folder.js';
import { openBench, startOwnN8n, used, type CredentialReference, type OwnN8n } from './harness.js';
import { startRawServer } from '../../../test-support/servers/raw-server.js';

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

test('A package that N8N_CUSTOM_EXTENSIONS names is loaded with the prefix CUSTOM', async () => {
  const folder = temporaryFolder(onTestFinished);
  execFileSync('tar', ['-xzf', inject('tarball'), '-C', folder]);
  await using host = await startOwnN8n({ N8N_CUSTOM_EXTENSIONS: join(folder, 'package') }, false);
  expect(await typesOf(host)).toEqual(expect.arrayContaining(['CUSTOM.mcpVerbatim', 'CUSTOM.mcpVerbatimAi']));
});

/** Installs like a person: the name goes into "Install a community node", the rest is n8n's own. */
describe('an n8n without the package', () => {
  const bin = temporaryFolder();
  const registry = used(() => startRegistry(inject('tarball')));
  const host = used(() => startOwnN8n({ ...throughRegistry(registry.url, bin), N8N_LOG_LEVEL: 'debug' }, false));
  const bench = used(() => openBench(host.api));
  const server = used(() =>
    startRawServer((method) => {
      if (method === 'tools/list') return { result: JSON.stringify({ tools }) };
      return method === 'tools/call' ? { result: '{"content":[{"type":"text","text":"secret answer"}]}' } : undefined;
    }),
  );
  let credential: CredentialReference;

  test('An n8n installs the package by its name, and has both nodes', async () => {
    const installed = await bench.api.request<{ packageName: string; installedNodes: { name: string }[] }>(
      'POST',
      '/rest/community-packages',
      // If n8n cannot reach the registry itself, as here, an older one does not take "latest" from npm.
      { name: isAtLeast(2, 20) ? name : `${name}@${registry.version}` },
    );
    expect(installed.packageName).toBe(name);
    expect(installed.installedNodes.map((node) => node.name).sort()).toEqual(['MCP Verbatim', 'MCP Verbatim Tool']);
  });

  test('An n8n runs the installed nodes without a restart', async () => {
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

  test("n8n's log says at debug level what happened after an installation, without secrets", () => {
    const lines = readFileSync(host.n8n.logFile, 'utf8')
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

  test('An n8n that uninstalls the package loses its nodes and keeps its credentials', async () => {
    await bench.api.request('DELETE', `/rest/community-packages?name=${name}`);
    expect((await typesOf(host)).filter((type) => type.startsWith(name))).toEqual([]);
    const kept = await bench.api.request<{ id: string }[]>('GET', '/rest/credentials');
    expect(kept.map(({ id }) => id)).toContain(credential['mcpVerbatimHttpApi']?.id);
  });
});

async function typesOf({ api }: OwnN8n): Promise<string[]> {
  const response = await fetch(`${api.url}/types/nodes.json`, { headers: api.headers });
  return ((await response.json()) as { name: string }[]).map((type) => type.name);
}

async function startRegistry(tarball: string) {
  const bytes = readFileSync(tarball);
  const manifest = JSON.parse(
    execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
  ) as { version: string };
  const { version } = manifest;
  const server = await startHttpServer(({ path, json, response, status }) => {
    if (path === `/${name}.tgz`) response.end(bytes);
    else if (path !== `/${name}`) status(404);
    else {
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      const dist = { tarball: `${server.origin}/${name}.tgz`, integrity };
      const versions = { [version]: { ...manifest, name, version, dist } };
      json({ name, 'dist-tags': { latest: version }, versions });
    }
  });
  return { url: server.origin, version, [Symbol.asyncDispose]: () => server.close() };
}

/** n8n accepts another registry only under a licence, so the `npm` that it starts is configured instead. */
function throughRegistry(registry: string, bin: string): Record<string, string> {
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
