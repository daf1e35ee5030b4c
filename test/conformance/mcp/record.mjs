// npm run record [-- name ...]: starts the published servers over stdio, without this package's client, and keeps their
// answers to tools/list, byte for byte, in data/corpus. The fidelity tests and `npm run bench` read them.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { publishedServers } from './published-servers.mjs';
import { recordedHere } from './recordings.mjs';

const patienceMs = 60_000;

mkdirSync(recordedHere, { recursive: true });
let failed = 0;
for (const server of publishedServers(process.argv.slice(2))) {
  try {
    const recording = await record(server);
    const file = `${server.name.replace('@', '').replace('/', '__')}.json`;
    writeFileSync(join(recordedHere, file), JSON.stringify(recording));
    console.log(`${server.name} ${server.version}: ${recording.toolCount} tools`);
  } catch (error) {
    failed++;
    console.log(`RED ${server.name} ${server.version}: ${error.message}`);
  }
}
process.exit(failed === 0 ? 0 : 1);

async function record({ name, version, command, args, env }) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = createInterface({ input: child.stdout });
  const ended = AbortSignal.timeout(patienceMs);
  let lastId = 0;
  try {
    const clientInfo = { name: 'recorder', version: '1.0.0' };
    const { message } = await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    send({ method: 'notifications/initialized' });
    const toolsListLines = [];
    let toolCount = 0;
    let cursor;
    do {
      const page = await ask('tools/list', cursor === undefined ? {} : { cursor });
      toolsListLines.push(page.line);
      toolCount += page.message.result.tools.length;
      cursor = page.message.result.nextCursor;
    } while (cursor !== undefined && toolsListLines.length < 100);
    return { package: name, version, protocolVersion: message.result.protocolVersion, toolCount, toolsListLines };
  } finally {
    child.kill('SIGKILL');
  }

  function send(message) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** The answer and its line. Other output of the server is ignored. */
  function ask(method, params) {
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      const read = (line) => {
        const message = parse(line);
        if (message?.id !== id) return;
        answers.off('line', read);
        if (message.result === undefined) reject(new Error(message.error?.message ?? 'neither result nor error'));
        else resolve({ message, line });
      };
      answers.on('line', read);
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
      ended.addEventListener('abort', () => reject(new Error(`no answer to ${method} in ${patienceMs / 1000} s`)));
      send({ id, method, params });
    });
  }
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
