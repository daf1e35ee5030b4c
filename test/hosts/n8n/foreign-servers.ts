import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../test-support/free-port.js';
import { sourceAt } from '../../../test-support/n8n/source.js';

export function published(name: string, ...args: string[]): { command: string; args: string[] } {
  const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`);
  return { command: process.execPath, args: [join(dirname(manifest), 'dist', 'index.js'), ...args] };
}

/** Asks a server over stdio for its tools without any client library: the text of the answer's `result.tools`. */
export async function toolsOnTheWire(server: { command: string; args: string[] }): Promise<string> {
  const child = spawn(server.command, server.args, { stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'wire', version: '1.0.0' };
    // As the nodes: a server may have more tools for clients that it can ask.
    const capabilities = { elicitation: { form: {}, url: {} } };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities, clientInfo } });
    for await (const line of createInterface({ input: child.stdout })) {
      const id = sourceAt(line, 'id');
      if (id === '1') {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/list', params: {} });
      }
      if (id === '2') return sourceAt(line, 'result', 'tools') ?? '';
    }
    throw new Error('The server ended without an answer to tools/list.');
  } finally {
    child.kill();
  }
}

/** @param server another installation of server-everything */
export async function startEverythingOverHttp(server = published('server-everything')) {
  const { command } = server;
  const args = [...server.args, 'streamableHttp'];
  const port = await freePort();
  const preload = fileURLToPath(new URL('loopback-only.mjs', import.meta.url));
  const child = spawn(command, ['--import', preload, ...args], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('listening')) break;
  child.stderr.resume();
  const stop = async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  };
  return { url: `http://127.0.0.1:${port}/mcp`, stop, [Symbol.asyncDispose]: stop };
}
