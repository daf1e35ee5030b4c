// Runs one peer in a process of its own, so that it may hang or crash: a request per line on stdin, an answer per line
// on stdout. Everything else that a peer prints goes to stderr.
import { createInterface } from 'node:readline';
import { clients } from './clients.mjs';

const open = clients[process.argv[2]];
const answer = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
console.log = console.info = console.debug = console.warn = console.error;
process.on('unhandledRejection', () => {});

const operations = {
  /** What a model would be told. */
  async list({ url }) {
    const client = await open(url, { payload: true });
    const tools = client.tools.map(({ name, parameters }) => ({ name, parameters }));
    await client.close();
    return { tools };
  },

  /** One call; whether it arrived, the server knows. */
  async call({ url, tool, args }) {
    const client = await open(url, { payload: false });
    try {
      const found = client.tools.find(({ name }) => name === tool);
      if (!found) return { offered: false };
      return { offered: true, text: await found.call(args) };
    } catch (error) {
      return { offered: true, error: String(error?.message ?? error) };
    } finally {
      await client.close();
    }
  },

  /** Milliseconds for connecting and listing, and the median of `count` calls after that. */
  async time({ url, tool, args, count }) {
    const started = performance.now();
    const client = await open(url, { payload: false });
    const listed = performance.now();
    const found = client.tools.find(({ name }) => name === tool);
    const calls = [];
    for (let i = 0; i < count; i++) {
      const called = performance.now();
      await found.call(args);
      calls.push(performance.now() - called);
    }
    await client.close();
    return { list: listed - started, call: calls.sort((one, other) => one - other)[Math.floor(count / 2)] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, operation, ...request } = JSON.parse(line);
  try {
    answer({ id, result: await operations[operation](request) });
  } catch (error) {
    answer({ id, error: String(error?.message ?? error) });
  }
}
process.exit(0);
