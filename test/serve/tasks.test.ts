import { expect, test } from 'vitest';
import { programPath, startProgram } from '../../test-support/servers/program.js';
import { until } from '../../test-support/waiting.js';
import { greeted, handshake, inFront, program as asProgram } from './in-front.js';

/** Clients that know nothing of tasks. */
const [initialize = '', initialized = ''] = handshake;
const old = [initialize.replace('2025-11-25', '2025-06-18'), initialized];
const call = (name: string, more = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, ...more } });

const v1 = asProgram(programPath('tasks-v1.mjs'), 'stdio');

test.each([
  ['tasks-v1.mjs', 'stdio'],
  ['tasks-v1.mjs', 'http'],
  ['tasks-v2.mjs', 'stdio'],
  ['tasks-v2.mjs', 'http'],
])('a client that knows no tasks is served where a server insists on them (%s over %s)', async (script, kind) => {
  const path = programPath(script);
  const program = kind === 'http' ? await startProgram(path, [kind]) : undefined;
  const address = program ? { url: program.url } : asProgram(path, kind);
  try {
    await using gateway = inFront(address);
    for (const line of old) gateway.write(line);
    gateway.write(call('asking', { _meta: { progressToken: 'mine' } }));
    const { id, params } = JSON.parse(await gateway.line(({ method }) => method === 'elicitation/create')) as {
      id: number;
      params: unknown;
    };
    expect(params).toMatchObject({ message: 'Who are you?' });
    const result = { action: 'accept', content: { name: 'Ada' } };
    gateway.write(JSON.stringify({ jsonrpc: '2.0', id, result }));
    const answer = JSON.parse(await gateway.line((message) => message['id'] === 1 && !('method' in message))) as object;
    expect(answer).toMatchObject({
      result: { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: { n: 1 } },
    });
    expect(JSON.parse(await gateway.line(({ method }) => method === 'notifications/progress'))).toMatchObject({
      params: { progressToken: 'mine', progress: 1, message: 'Begun' },
    });
  } finally {
    await program?.close();
  }
});

test.each(['tasks-v1.mjs', 'tasks-v2.mjs'])(
  'what the client takes back is cancelled at the server (%s)',
  async (script) => {
    const program = await startProgram(programPath(script), ['http']);
    try {
      await using gateway = inFront({ url: program.url });
      for (const line of old) gateway.write(line);
      gateway.write(call('endless', { _meta: { progressToken: 'mine' } }));
      await gateway.line(({ method }) => method === 'notifications/progress');
      gateway.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
      await until(() => program.printed.at(-1)?.startsWith('tasks/cancel ') === true);
    } finally {
      await program.close();
    }
  },
);

test('a client of 2026-07-28 is asked in rounds, and gets the result', async () => {
  await using gateway = inFront(v1);
  const envelope = {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    },
  };
  gateway.write(call('asking', envelope));
  const { result } = JSON.parse(await gateway.line(({ id }) => id === 1)) as {
    result: { inputRequests: object; requestState: string };
  };
  const [key = ''] = Object.keys(result.inputRequests);
  const response = { action: 'accept', content: { name: 'Ada' } };
  const round = { ...envelope, requestState: result.requestState, inputResponses: { [key]: response } };
  gateway.write(call('asking', round).replace('"id":1', '"id":2'));
  expect(JSON.parse(await gateway.line(({ id }) => id === 2))).toMatchObject({
    result: { content: [{ type: 'text', text: JSON.stringify(response) }] },
  });
  // An answer that comes again does not make its call again.
  gateway.write(call('asking', round).replace('"id":1', '"id":3'));
  expect(JSON.parse(await gateway.line(({ id }) => id === 3))).toMatchObject({
    error: { code: -32602, message: expect.stringContaining('It was not made again') as string },
  });
});

test('a client that asks for a task gets it', async () => {
  await using gateway = greeted(v1);
  gateway.write(call('report', { task: { ttl: 1000 } }));
  expect(JSON.parse(await gateway.line(({ id }) => id === 1))).toMatchObject({
    result: { task: { taskId: expect.any(String) as string } },
  });
});
