// A hand-written stdio server with the behaviour that its first argument names: `node stdio.mjs <behaviour>
// [argument]`. Without one it is a plain server of revision 2025-11-25 with the tools `echo`, `environment` and `hang`.
import { spawn } from 'node:child_process';
import { closeSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [behaviour = 'plain', argument] = process.argv.slice(2);

const print = (line) => process.stdout.write(`${line}\n`);
const send = (message) => print(JSON.stringify({ jsonrpc: '2.0', ...message }));
const answer = (id, result) => send({ id, result });
const refuse = (id, code, message, data) => send({ id, error: { code, message, data } });
const die = (code, words) => {
  // Written synchronously: process.exit drops the content of a pipe's buffer.
  if (words) writeFileSync(2, `${words}\n`);
  process.exit(code);
};
const log = (line) => argument && writeFileSync(argument, `${line}\n`, { flag: 'a' });

const schema = { type: 'object', properties: { text: { type: 'string' } } };
const tools = ['echo', 'environment', 'hang', 'progress'].map((name) => ({ name, inputSchema: schema }));
const text = (value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

/** A well-behaved server's answers; behaviours override single methods. */
const plain = {
  initialize: ({ id, params }) =>
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: behaviour, version: '1' },
    }),
  'notifications/initialized': () => {},
  'notifications/cancelled': ({ params }) => log(`cancelled ${params.requestId}`),
  'tools/list': ({ id }) => answer(id, { tools }),
  'tools/call': ({ id, params }) => {
    if (params.name === 'hang') return;
    if (params.name === 'environment') return answer(id, text(process.env));
    if (params.name === 'progress') return reportProgress(id, params);
    answer(id, { ...text(params.arguments), structuredContent: params.arguments });
  },
};

async function reportProgress(id, { _meta, arguments: { steps = 3, everyMs = 0 } }) {
  for (let progress = 1; progress <= steps; progress++) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    send({
      method: 'notifications/progress',
      params: { progressToken: _meta?.progressToken, progress, total: steps, message: `step ${progress}` },
    });
  }
  answer(id, text('done'));
}

const behaviours = {
  plain: {},
  integers: {
    'tools/list': ({ id }) =>
      answer(id, {
        tools: [{ name: 'echo', inputSchema: { type: 'object', properties: { steps: { type: 'integer' } } } }],
      }),
  },
  'keeps a diary': {
    initialize: (message) => (log(`began ${process.pid}`), plain.initialize(message)),
    'tools/call': (message) => (log(`called ${message.params.name}`), plain['tools/call'](message)),
  },
  'dies on initialize': { initialize: () => die(4, 'fatal: cannot initialize') },
  'dies on list': { 'tools/list': () => die(5, 'fatal: cannot list') },
  'prints noise': {
    initialize: (message) => (print('Welcome to my server!\n\n[info] ready'), plain.initialize(message)),
    'tools/call': (message) => (print('{ not json'), plain['tools/call'](message)),
  },
  'answers without saying JSON-RPC': {
    'tools/call': ({ id, params }) => print(JSON.stringify({ id, result: text(params.arguments) })),
  },
  'pings much': {
    'tools/call': ({ id }) => {
      for (let n = 0; n < Number(argument); n++) send({ id: `ping-${n}`, method: 'ping' });
      answer(id, text('after the pings'));
    },
  },
  'closes its output': {
    'tools/call': () => (closeSync(1), setInterval(() => {}, 1000)),
  },
  'answers after cancellation': {
    'tools/call': ({ id, params }) => (params.name === 'hang' ? (late = id) : plain['tools/call']({ id, params })),
    'notifications/cancelled': () => answer(late, text('too late')),
  },
  'answers in batches': {
    'tools/call': ({ id, params }) =>
      print(
        JSON.stringify([
          { jsonrpc: '2.0', method: 'notifications/message', params: { data: 1 } },
          { jsonrpc: '2.0', id, result: text(params.arguments) },
        ]),
      ),
  },
  'cannot parse': { 'tools/call': () => send({ id: null, error: { code: -32700, message: 'Parse error' } }) },
  'floods notifications': {
    'tools/call': ({ id }) => {
      for (let n = 0; n < Number(argument); n++)
        send({ method: 'notifications/message', params: { level: 'info', data: n } });
      answer(id, text('after the flood'));
    },
  },
  'floods stderr': {
    initialize: (message) => (writeFileSync(2, 'complaint\n'.repeat(200_000)), plain.initialize(message)),
  },
  'changes its list': {
    'tools/list': ({ id }) => answer(id, { tools: tools.slice(0, ++listed) }),
    'tools/call': ({ id }) => (send({ method: 'notifications/tools/list_changed' }), answer(id, text('changed'))),
  },
  'has a grandchild': () => {
    const grandchild = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    writeFileSync(argument, String(grandchild.pid));
    return { 'tools/call': () => die(8) };
  },
  'hangs with a grandchild': () => {
    const grandchild = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    writeFileSync(argument, String(grandchild.pid));
    return { initialize: () => {} };
  },
  'knows only discovery': {
    initialize: ({ id }) => refuse(id, -32022, 'Unsupported protocol version', { supported: ['2026-07-28'] }),
    'server/discover': ({ id }) => (
      log(`discovered by ${process.pid}`),
      answer(id, {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'modern', version: '1' } },
      })
    ),
    'tools/list': ({ id }) =>
      answer(id, { tools: [{ description: null, name: 'odd', 'x-unknown': 1, inputSchema: { type: 'object' } }] }),
    'tools/call': ({ id, params: { arguments: args, requestState } }) => {
      if (requestState && args.ask === 'state for ever')
        return answer(id, { resultType: 'input_required', requestState: `${requestState}.` });
      if (requestState) return answer(id, { content: [], structuredContent: { ...args, requestState } });
      if (args.ask === 'state for ever') return answer(id, { resultType: 'input_required', requestState: 'opaque' });
      if (args.ask === 'state') return answer(id, { resultType: 'input_required', requestState: 'opaque' });
      if (args.ask === 'user')
        return answer(id, {
          resultType: 'input_required',
          inputRequests: { a: { method: 'elicitation/create', params: {} } },
        });
      answer(id, { resultType: 'complete', content: [{ type: 'hologram', size: 1 }], structuredContent: [1] });
    },
  },
  'knows only 2024-11-05': {
    initialize: (message) =>
      message.params.protocolVersion === '2024-11-05'
        ? plain.initialize(message)
        : refuse(message.id, -32602, 'Unsupported protocol version', { supported: ['2024-11-05'] }),
  },
  'exits before initialize': () => ({ 'server/discover': () => die(9, 'expected initialize') }),
};

let late;
let listed = 0;

const chosen = behaviours[behaviour];
const methods = { ...plain, ...(typeof chosen === 'function' ? chosen() : chosen) };

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) return;
  const method = methods[message.method];
  if (method) void method(message);
  else if (message.id !== undefined) refuse(message.id, -32601, `No method ${message.method}`);
});
