// A stdio server whose tools have the versions in its file at its start. The tool `end` ends the process.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , file, log] = process.argv;
const versions = JSON.parse(readFileSync(file, 'utf8'));

const definitions = Object.entries(versions).map(([name, version]) => {
  const properties = { limit: { type: 'integer', maximum: version * 10 } };
  return { name, description: `${name}, version ${version}`, inputSchema: { type: 'object', properties } };
});

const results = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'changing', version: '1' },
  }),
  'tools/list': () => ({ tools: definitions }),
  'tools/call': ({ name }) => {
    if (name === 'end') process.exit(1);
    appendFileSync(log, `${name}@${versions[name]}\n`);
    return { content: [{ type: 'text', text: `${name}@${versions[name]}` }] };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method]?.(params ?? {});
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
