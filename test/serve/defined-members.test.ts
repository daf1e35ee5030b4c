import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/internal.js';
import { asked, connected, greeted, recording, served, type Served } from './as-process.js';
import { echoing, envelope, type Received } from './in-front.js';

/** What clients send, and what their server gets of it. */
const cases = JSON.parse(readFileSync(new URL('./defined-members.json', import.meta.url), 'utf8')) as {
  calls: string[];
  names: string[];
  folded: [string, string][];
  requests: [string, object][];
  answers: [string, string][];
  others: [string, string][];
};

const lists = `
  'tools/list': { tools: [{ name: 'search', inputSchema: { type: 'object', properties: { tenant: { type: 'string' }, q: { type: 'string' } } } }] },
  'prompts/list': { prompts: [{ name: 'p' }] },
  'resources/list': { resources: [{ uri: 'r:1', name: 'r' }] },
  'tools/call': params?.task ? { task: { taskId: 't', status: 'working' } } : { content: [] }, 'prompts/get': { messages: [] }, 'resources/read': { contents: [] },
  'completion/complete': { completion: { values: [] } }, 'logging/setLevel': {}, 'resources/subscribe': {},
  'resources/unsubscribe': {}, 'tasks/get': {}, 'tasks/list': { tasks: [] }, 'tasks/result': {}, 'tasks/cancel': {},`;
const all = 'tools: {}, prompts: {}, resources: { subscribe: true }, completions: {}, logging: {}, tasks: {}';

/** One of each for all tests of a block. */
function both(fixed: readonly string[], capabilities?: string) {
  let server: ReturnType<typeof recording>;
  let gateway: Served;
  beforeAll(() => {
    server = recording(lists, '', capabilities, afterAll);
    const options = fixed.flatMap((each) => ['--fixed', each]);
    gateway = greeted([...options, ...server.command], { end: afterAll });
  });
  return () => ({ server, gateway });
}

/**
 * Sends these params byte for byte.
 *
 * @returns the server's request
 */
async function sent(gateway: Served, server: ReturnType<typeof recording>, method: string, params: string) {
  const before = server.got(method).length;
  await asked(gateway, method, params);
  return server.got(method).slice(before);
}

const paramsOf = (line = '{}') => (JSON.parse(line) as { params?: object }).params;

describe('Calls', () => {
  const started = both(['search.tenant=acme']);

  test.each(cases.calls)('A call reaches the server without a member because of %s', async (odd) => {
    const { server, gateway } = started();
    for (const params of [
      `{"name":"search","arguments":{"q":"a"},${odd}}`,
      `{${odd},"name":"search","arguments":{"q":"a"}}`,
    ]) {
      const lines = await sent(gateway, server, 'tools/call', params);
      expect(lines.map(paramsOf)).toEqual([{ name: 'search', arguments: { q: 'a', tenant: 'acme' } }]);
      expect(lines.join('')).not.toMatch(/evil|delete_all|ttl/);
    }
    await gateway.logged(/Left out of tools\/call, as MCP does not define it: "/);
    expect(gateway.stderr()).not.toMatch(/evil|delete_all/);
  });

  test('The last of two params is read, checked and sent', async () => {
    const { server, gateway } = started();
    const evil = '{"name":"search","arguments":{"q":"b","tenant":"evil"}}';
    gateway.write(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${evil},"params":{"name":"search","arguments":{"q":"a"}}}`,
    );
    await gateway.message(({ id }) => id === 1);
    expect(paramsOf(server.got('tools/call').at(-1))).toEqual({
      name: 'search',
      arguments: { q: 'a', tenant: 'acme' },
    });
  });

  test("A program's call with a member that MCP does not define gives an error that says so", async () => {
    await using session = await connect(echoing);
    const params = { name: 'echo', arguments: {}, Arguments: {} };
    await expect(session.request('tools/call', params)).rejects.toThrow(
      'MCP does not define this of tools/call: "Arguments".',
    );
  });
});

const started = both(['search.tenant=acme']);

test.each(cases.names)('An argument named "%s" counts as the fixed argument "tenant"', async (name) => {
  const { server, gateway } = started();
  const lines = await sent(gateway, server, 'tools/call', `{"name":"search","arguments":{"q":"a","${name}":"evil"}}`);
  expect(lines.map(paramsOf)).toEqual([{ name: 'search', arguments: { q: 'a', tenant: 'acme' } }]);
});

test.each(cases.folded)(
  'Names are compared without regard to case in all of Unicode: %s and %s',
  async (name, fixed) => {
    const schema = `{ type: 'object', properties: { ${JSON.stringify(fixed)}: {}, q: {} } }`;
    const server = recording(
      `'tools/list': { tools: [{ name: 't', inputSchema: ${schema} }] }, 'tools/call': { content: [] },`,
    );
    const gateway = greeted(['--fixed', `t.${fixed}=1`, ...server.command]);
    const [line] = await sent(
      gateway,
      server,
      'tools/call',
      JSON.stringify({ name: 't', arguments: { [name]: 'evil' } }),
    );
    expect(line).not.toContain('evil');
  },
);

describe('Other requests and notifications', () => {
  const started = both([], all);

  test.each(cases.requests)(
    'A request of %s reaches the server with the members that MCP defines, and no more',
    async (method, params) => {
      const { server, gateway } = started();
      // A session reaches the tasks that it created.
      if ('taskId' in params) await sent(gateway, server, 'tools/call', '{"name":"search","arguments":{},"task":{}}');
      const evil = '"Uri":"evil","URI":"evil","Name":"evil","TaskId":"evil","other":"evil"';
      const deep = JSON.stringify(params).replace(/\{(?=")/g, `{${evil},`);
      const [line, ...more] = await sent(gateway, server, method, deep);
      expect(more).toEqual([]);
      const expected =
        'arguments' in params ? { ...params, arguments: expect.objectContaining({ a: 'b' }) as object } : params;
      expect(paramsOf(line)).toEqual(expected);
    },
  );

  test('A notification of roots or a cancellation reaches the server with the members that MCP defines, and no more', async () => {
    const server = recording(lists, "if (method === 'tools/call') return;");
    const gateway = greeted(server.command);
    gateway.write({ method: 'tools/call', id: 1, params: { name: 'search', arguments: {} } });
    await expect.poll(() => server.got('tools/call')).toHaveLength(1);
    gateway.write({ method: 'notifications/roots/list_changed', params: { evil: 1, _meta: { a: 1 } } });
    gateway.write({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'r', RequestId: 'evil' } });
    await expect
      .poll(() => server.got('notifications/cancelled').map(paramsOf))
      .toEqual([{ requestId: expect.any(Number) as number, reason: 'r' }]);
    expect(server.got('notifications/roots/list_changed').map(paramsOf)).toEqual([{ _meta: { a: 1 } }]);
  });

  test('An entry of _meta that resembles one of the protocol is removed, and all others pass', async () => {
    const { server, gateway } = started();
    const _meta = {
      ProgressToken: 'evil',
      'progress-token': 'evil',
      'io.modelcontextprotocol/ProtocolVersion': 'evil',
      'example.com/mine': { Name: 'mine' },
    };
    const params = JSON.stringify({ name: 'search', arguments: {}, _meta });
    const [line] = await sent(gateway, server, 'tools/call', params);
    expect(paramsOf(line)).toEqual({ name: 'search', arguments: {}, _meta: { 'example.com/mine': { Name: 'mine' } } });
    await gateway.logged(/ does not define it: "ProgressToken", "progress-token", "io.modelcontextprotocol\/Protocol/);
  });
});

describe('Answers to questions', () => {
  const asking = recordingOfQuestion(
    "{ mode: 'form', message: 'Sure?', requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } }",
  );

  test.each(cases.answers)(
    "A client's answer after a handshake reaches the server with the members that MCP defines: %s",
    async (answer, expected) => {
      expect(await answerTo(asking(), 'elicitation/create', answer)).toBe(`{"jsonrpc":"2.0","id":"q",${expected}}`);
    },
  );

  test.each(cases.others)(
    'The answer to %s reaches the server with the members that MCP defines, and no more',
    async (method, members) => {
      const answer = `"result":{${members},"Role":"evil","evil":1}`;
      expect(await answerTo(recordingOfQuestion('{}', method)(), method, answer)).toBe(
        `{"jsonrpc":"2.0","id":"q","result":{${members}}}`,
      );
    },
  );

  test("A client's answer without a handshake reaches the server with the members that MCP defines, and no more", async () => {
    const server = asking();
    const gateway = served(server.command);
    const params = { name: 'search', arguments: {}, ...envelope({ elicitation: {} }) };
    const { result } = JSON.parse(await asked(gateway, 'tools/call', params)) as Received;
    const [key = ''] = Object.keys(result.inputRequests);
    const inputResponses = { [key]: { action: 'decline', Action: 'accept', evil: 1 } };
    await asked(gateway, 'tools/call', { ...params, inputResponses, requestState: result.requestState });
    expect(lineOfAnswer(server)).toBe('{"jsonrpc":"2.0","id":"q","result":{"action":"decline"}}');
  });
});

function recordingOfQuestion(params: string, method = 'elicitation/create') {
  return () =>
    recording(
      lists,
      `if (method === 'tools/call') {
        global.call = id;
        return print({ id: 'q', method: '${method}', params: ${params} });
      }
      if (id === 'q') return print({ id: global.call, result: { content: [] } });`,
    );
}

const lineOfAnswer = (server: ReturnType<typeof recording>) => server.got().find((line) => line.includes('"id":"q"'));

/**
 * Answers the question of a call.
 *
 * @param answer the members of the answer, byte for byte
 * @returns the line that its server gets
 */
async function answerTo(server: ReturnType<typeof recording>, question: string, answer: string) {
  const gateway = connected(server.command);
  const called = gateway.call('search');
  const { id } = await gateway.message(({ method }) => method === question);
  gateway.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answer}}`);
  await called;
  return lineOfAnswer(server);
}
