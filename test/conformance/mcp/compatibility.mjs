// Clients, bridges and published servers through `mcp-verbatim serve`: `node test/conformance/mcp/compatibility.mjs
// FOLDER`, after a build. FOLDER has @modelcontextprotocol/inspector, fastmcp, mcp-remote and supergateway installed
// (npm install). Prints a row for each, and exits with 1 if one fails.
import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { publishedServers } from './published-servers.mjs';

const folder = resolve(process.argv[2] ?? '.');
const cli = fileURLToPath(new URL('../../../packages/mcp-verbatim/dist/esm/cli.js', import.meta.url));
const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const bin = (name) => join(folder, 'node_modules', '.bin', name);
const started = [];
let failures = 0;

/** Starts a program, and resolves with the first match in its output. */
function printing(pattern, command, args, env = {}) {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    detached: true,
  });
  started.push(child);
  return new Promise((found, failed) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        const match = pattern.exec(line);
        if (match) found(match[0]);
      });
    child.once('exit', (code) => failed(new Error(`it ended with ${code}`)));
    setTimeout(failed, 60_000, new Error('it took more than a minute')).unref();
  });
}

const served = (...args) => printing(/http:\S+/, process.execPath, [cli, 'serve', '--port', '0', ...args]);

async function row(name, work) {
  try {
    console.log(`| ${name} | ${await within(work())} |`);
  } catch (error) {
    failures++;
    console.log(`| ${name} | fails: ${String(error.message).split('\n')[0].slice(0, 120)} |`);
  }
}

function within(promise) {
  const late = new Promise((_, failed) => setTimeout(failed, 90_000, new Error('no answer within 90 s')).unref());
  return Promise.race([promise, late]);
}

/** Lists the tools, and makes a call with an argument that is repaired. */
async function used(client, transport) {
  await client.connect(transport);
  const { tools } = await client.listTools();
  const { content } = await client.callTool({ name: 'get-sum', arguments: { a: '2', b: 3 } });
  await client.close();
  if (!JSON.stringify(content).includes('is 5')) throw new Error(`get-sum answered ${JSON.stringify(content)}`);
  return `${tools.length} tools, a call repaired`;
}

const info = { name: 'compatibility', version: '1' };
const latest = { versionNegotiation: { mode: 'auto' } };
const overStdio = { command: process.execPath, args: [cli, 'serve', '--', process.execPath, everything, 'stdio'] };

try {
  const url = await served('--', process.execPath, everything, 'stdio');
  await row('SDK v1, HTTP', () => used(new ClientV1(info), new HttpV1(new URL(url))));
  await row('SDK v1, stdio', () => used(new ClientV1(info), new StdioV1(overStdio)));
  await row('SDK v2 (2025-11-25), HTTP', () => used(new Client(info), new StreamableHTTPClientTransport(new URL(url))));
  await row('SDK v2 (2026-07-28), HTTP', () =>
    used(new Client(info, latest), new StreamableHTTPClientTransport(new URL(url))),
  );
  await row('SDK v2 (2026-07-28), stdio', () => used(new Client(info, latest), new StdioClientTransport(overStdio)));
  await row('MCP Inspector (--cli), HTTP', async () => {
    const args = ['--cli', url, '--transport', 'http', '--method', 'tools/call', '--tool-name', 'get-sum'];
    const { stdout } = await promisify(execFile)(bin('mcp-inspector'), [
      ...args,
      '--tool-arg',
      'a=2',
      '--tool-arg',
      'b=3',
    ]);
    if (!stdout.includes('is 5')) throw new Error(stdout);
    return 'a call answered';
  });
  await row('mcp-remote downstream', () =>
    used(
      new ClientV1(info),
      new StdioV1({ command: bin('mcp-remote'), args: [url, '--allow-http', '--transport', 'http-only'] }),
    ),
  );
  await row('supergateway downstream', async () => {
    const command = [process.execPath, cli, 'serve', '--', process.execPath, everything, 'stdio'].join(' ');
    const port = '39117';
    const args = ['--stdio', command, '--outputTransport', 'streamableHttp', '--stateful', '--port', port];
    await printing(/Listening on port/i, bin('supergateway'), args);
    return used(new ClientV1(info), new HttpV1(new URL(`http://127.0.0.1:${port}/mcp`)));
  });
  await row('supergateway upstream', async () => {
    const port = '39118';
    const args = ['--stdio', `${process.execPath} ${everything} stdio`, '--outputTransport', 'streamableHttp'];
    await printing(/Listening on port/i, bin('supergateway'), [...args, '--stateful', '--port', port]);
    const through = await served('--url', `http://127.0.0.1:${port}/mcp`);
    return used(new ClientV1(info), new HttpV1(new URL(through)));
  });
  await row('FastMCP (npm) upstream', async () => {
    const script = join(folder, 'fastmcp-server.mjs');
    writeFileSync(
      script,
      `import { FastMCP } from 'fastmcp';
      const server = new FastMCP({ name: 'sums', version: '1.0.0' });
      import { z } from 'zod';
      server.addTool({ name: 'get-sum', description: 'adds', parameters: z.object({ a: z.number(), b: z.number() }), execute: async ({ a, b }) => 'The sum is ' + (a + b) });
      server.start({ transportType: 'stdio' });`,
    );
    const through = await served('--', process.execPath, script);
    return used(new ClientV1(info), new HttpV1(new URL(through)));
  });

  for (const { name, version, command, args, env } of publishedServers([]))
    await row(`${name} ${version} upstream`, async () => {
      const listed = async (parameters) => {
        const client = new ClientV1(info);
        await client.connect(new StdioV1(parameters));
        const { tools } = await client.listTools();
        await client.close();
        return tools.map((tool) => tool.name).join();
      };
      const given = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
      const through = await listed({
        command: process.execPath,
        args: [cli, 'serve', ...given, '--', command, ...args],
      });
      const direct = await listed({ command, args, env: { ...process.env, ...env } }).catch(() => undefined);
      const count = through.split(',').length;
      if (direct === undefined) return `${count} tools, none without serve`;
      if (direct !== through) throw new Error(`without serve ${direct.split(',').length} tools, through it ${count}`);
      return `${count} tools, as without`;
    });
} finally {
  for (const child of started)
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
}
process.exit(failures === 0 ? 0 : 1);
