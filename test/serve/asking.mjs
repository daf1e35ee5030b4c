// A stdio server of 2025-11-25 that logs and asks in the middle of its calls, several at a time. Every text about a
// call, and the answer to its question, contains the call's mark.
import { createInterface } from 'node:readline';

const print = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const log = (data) => print({ method: 'notifications/message', params: { level: 'info', data } });
const waiting = new Map();
let asked = 0;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(result ?? error);
  else if (method === 'initialize')
    print({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name: 'asking', version: '1' },
      },
    });
  else if (method === 'tools/list')
    print({ id, result: { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] } });
  else if (method === 'tools/call') call(id, params.arguments);
  else if (id !== undefined) print({ id, result: {} });
});

function call(id, { mark, before, after, dies }) {
  if (dies) process.stderr.write(`dying for ${mark}\n`, () => process.exit(3));
  log(`begun for ${mark}`);
  setTimeout(() => {
    const question = `q${asked++}`;
    waiting.set(question, (answer) => {
      log(`answered for ${mark}`);
      setTimeout(() => {
        const text = `${mark} was answered ${JSON.stringify(answer)}`;
        print({ id, result: { content: [{ type: 'text', text }] } });
        log(`done for ${mark}`);
      }, after);
    });
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    print({ id: question, method: 'elicitation/create', params: { message: `Who is ${mark}?`, requestedSchema } });
  }, before);
}
