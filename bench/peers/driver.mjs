// Runs peers in a process of their own, so that they may hang or crash: a request per line on stdin, an answer per line
// on stdout. Everything else that a peer prints goes to stderr.
import { createInterface } from 'node:readline';
import { alone } from './alone.mjs';
import { clients } from './clients.mjs';

const answer = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
console.log = console.info = console.debug = console.warn = console.error;
process.on('unhandledRejection', () => {});

const operations = {
  /** The names of the tools. */
  async list({ name, url }) {
    const client = await clients[name](url);
    await client.close();
    return { names: client.tools.map((tool) => tool.name) };
  },

  /** Makes an agent ask a model once; the model records the request. */
  async ask({ name, url, modelUrl }) {
    const client = await clients[name](url);
    try {
      await client.ask(modelUrl);
      return {};
    } finally {
      await client.close();
    }
  },

  /** Makes one call; the server records it. */
  async call({ name, url, tool, args }) {
    const client = await clients[name](url);
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

  /** Milliseconds for connecting and listing, and the median of `count` calls after that; as its framework calls it, or its client alone. */
  async time({ name, way, url, tool, args, count }) {
    const started = performance.now();
    const client = way === 'alone' ? await alone[name](url) : await byTool(await clients[name](url));
    const listed = performance.now();
    const calls = [];
    for (let i = 0; i < count; i++) {
      const called = performance.now();
      await client.call(tool, args);
      calls.push(performance.now() - called);
    }
    await client.close();
    return { list: listed - started, call: calls.sort((one, other) => one - other)[Math.floor(count / 2)] };
  },
};

function byTool({ tools, close }) {
  return { call: (tool, args) => tools.find(({ name }) => name === tool).call(args), close };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, operation, ...request } = JSON.parse(line);
  try {
    answer({ id, result: await operations[operation](request) });
  } catch (error) {
    answer({ id, error: String(error?.message ?? error) });
  }
}
process.exit(0);
