import { request } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cli } from '../cli/run.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { recording, served, servedOverHttp } from './as-process.js';
import { envelope, handshake, type Received } from './in-front.js';
import { begun, post, postHeaders } from './raw-clients.js';

// What docs/serve.md promises, through the command as a process with its defaults.

const search = {
  name: 'search',
  inputSchema: { type: 'object', properties: { limit: { type: 'integer' }, tenant: { type: 'string' } } },
};
const plain = (name: string) => ({ name, inputSchema: { type: 'object' } });
const listed = (...tools: object[]) => `'tools/list': { tools: ${JSON.stringify(tools)} },`;
const text = (expression: string) => `'tools/call': { content: [{ type: 'text', text: ${expression} }] },`;

function greeted(args: readonly string[], env: Record<string, string> = {}) {
  const gateway = served(args, { env });
  for (const line of handshake) gateway.write(line);
  let lastId = 0;
  return {
    ...gateway,
    async ask(method: string, params: object = {}): Promise<Received> {
      const own = ++lastId;
      gateway.write({ id: own, method, params });
      return gateway.message(({ id, method }) => id === own && method === undefined);
    },
  };
}

const program = ({ file }: { file: string }, more: object = {}) => ({
  command: process.execPath,
  args: [file],
  ...more,
});

function configured(mcpServers: Record<string, object>): string {
  const file = join(temporaryFolder(onTestFinished), 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return file;
}

const headersOf = (method: string, name: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  'mcp-name': name,
});

describe('A tool that no client can read', () => {
  test('is skipped, and the instructions say so', async () => {
    const gateway = greeted(recording(listed(search, { name: 'broken' })).command);
    const { result } = await gateway.message(({ id }) => id === 'i');
    expect(result.instructions).toMatch(/^Skipped, .*\n- "broken": /);
    expect((await gateway.ask('tools/list')).result.tools.map(({ name }) => name)).toEqual(['search']);
  });
});

test('Requests that no revision defines are answered with -32601, and reach no server', async () => {
  const server = recording(listed(search) + "'secrets/list': {},");
  const gateway = greeted(server.command);
  for (const method of ['secrets/list', 'Tools/call', 'tools/call ', '__proto__', 'constructor', 'server/discover'])
    expect((await gateway.ask(method)).error?.code).toBe(-32601);
  gateway.write({ method: 'notifications/secrets', params: {} });
  await gateway.ask('tools/list');
  expect(server.got().join('\n')).not.toMatch(/secrets|Tools/);
});

describe('The token', () => {
  test.each(['short', '0123456789abcde', '0123456789 abcdef', '0123456789\nabcdef', 'ünïcödé-0123456789'])(
    'cannot be %j',
    async (token) => {
      const file = join(temporaryFolder(onTestFinished), 'token');
      writeFileSync(file, token);
      for (const from of [`@${file}`, '${MCP_TOKEN}']) {
        const args = ['serve', '--port', '0', '--token', from, ...recording('').command];
        const { code, stderr } = await cli(args, { env: { MCP_TOKEN: token } });
        expect([code, stderr]).toEqual([2, expect.stringContaining('16 or more visible ASCII characters')]);
      }
    },
  );

  test('is given once, and needed for other hosts than this machine', async () => {
    const twice = ['--token', '${A}', '--token', '${B}'];
    expect(await cli(['serve', '--port', '0', ...twice, ...recording('').command])).toMatchObject({ code: 2 });
    const open = ['serve', '--port', '0', '--host', '0.0.0.0', ...recording('').command];
    expect((await cli(open)).stderr).toContain('a token is needed');
  });
});

test('Pages of an origin that was allowed may connect', async () => {
  const origin = 'https://app.example';
  const { url } = await servedOverHttp(['--allow-origin', origin, ...recording(listed(search)).command]);
  const asked = await fetch(url, { method: 'OPTIONS', headers: { origin } });
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
  expect((await post(url, handshake[0]!, { origin })).status).toBe(200);
  expect((await post(url, handshake[0]!, { origin: 'https://other.example' })).status).toBe(403);
});

describe('What the model sees', () => {
  test('is the form that --provider takes, and without a provider the text of the server', async () => {
    const odd = { name: 'odd', inputSchema: { type: 'object', anyOf: [{ required: ['a'] }], properties: { a: {} } } };
    const server = recording(listed(odd));
    const schemaWith = async (args: readonly string[]) => {
      const { result } = await greeted([...args, ...server.command]).ask('tools/list');
      return result.tools[0]!.inputSchema;
    };
    expect(await schemaWith([])).toEqual(odd.inputSchema);
    expect(await schemaWith(['--provider', 'openai'])).not.toHaveProperty('anyOf');
  });

  test('are three tools with --tool-search on, beside those of --always', async () => {
    const server = recording(listed(search, plain('other')) + text("'called'"));
    const gateway = greeted(['--tool-search', 'on', '--always', 'other', ...server.command]);
    const names = (await gateway.ask('tools/list')).result.tools.map(({ name }) => name);
    expect(names).toHaveLength(4);
    expect(names).toContain('other');
    const call = names.find((name) => name.startsWith('call'))!;
    const { result } = await gateway.ask('tools/call', { name: call, arguments: { name: 'search', arguments: {} } });
    expect(result.content[0]!.text).toBe('called');
  });

  test('has a result that is cut, and arguments that are fixed, as the entry of the server says', async () => {
    const long = recording(listed(search) + text("'x'.repeat(5000) + JSON.stringify(params?.arguments)"));
    const config = configured({
      one: program(long, { maxResultLength: 300, fixed: { search: { tenant: '${TENANT}' } } }),
      two: program(long),
    });
    const gateway = greeted(['--config', config], { TENANT: 'acme' });
    const { tools } = (await gateway.ask('tools/list')).result;
    expect(tools.map(({ inputSchema }) => JSON.stringify(inputSchema).includes('tenant'))).toEqual([false, true]);
    const call = async (name: string) =>
      (await gateway.ask('tools/call', { name, arguments: { tenant: 'evil' } })).result.content[0]!.text;
    expect((await call('one_search')).length).toBeLessThanOrEqual(300);
    expect(long.got('tools/call').at(-1)).toContain('"arguments":{"tenant":"acme"}');
    expect(await call('two_search')).toContain('{"tenant":"evil"}');
  });

  test('is repaired by the kinds of --repair', async () => {
    const server = recording(listed(search) + text("'done'"));
    const call = async (args: readonly string[]) =>
      (await greeted([...args, ...server.command]).ask('tools/call', { name: 'search', arguments: { limit: '5' } }))
        .result;
    expect((await call(['--repair', 'safe,-nulls'])).isError).toBeUndefined();
    expect((await call(['--repair', 'off'])).isError).toBe(true);
  });
});

describe('Several servers', () => {
  const prompts = "'prompts/list': { prompts: [{ name: 'p' }] }, 'prompts/get': { messages: [] },";
  const resources = (uri: string) =>
    `'resources/list': { resources: [{ uri: '${uri}', name: 'r' }] }, 'resources/read': { contents: [{ uri: params?.uri, text: '${uri}' }] },`;

  test('have their names in front of prompts, and a resource is read from the server that listed it', async () => {
    const all = 'tools: {}, prompts: {}, resources: {}';
    const one = recording(listed(search) + prompts + resources('r:1'), '', all);
    const two = recording(listed(search) + prompts + resources('r:2'), '', all);
    const gateway = greeted(['--config', configured({ one: program(one), two: program(two) })]);
    expect((await gateway.ask('prompts/list')).result).toMatchObject({
      prompts: [{ name: 'one_p' }, { name: 'two_p' }],
    });
    await gateway.ask('prompts/get', { name: 'two_p' });
    expect([one.got('prompts/get'), two.got('prompts/get').length]).toEqual([[], 1]);
    await gateway.ask('resources/list');
    expect((await gateway.ask('resources/read', { uri: 'r:2' })).result).toMatchObject({ contents: [{ text: 'r:2' }] });
    expect(one.got('resources/read')).toEqual([]);
  });

  test('lose one that cannot be reached until it is there', async () => {
    const one = recording(listed(search));
    const folder = temporaryFolder(onTestFinished);
    const late = join(folder, 'late.cjs');
    const config = configured({ one: program(one), late: { command: process.execPath, args: [late] } });
    const gateway = greeted(['--config', config]);
    const names = async () => (await gateway.ask('tools/list')).result.tools.map(({ name }) => name);
    expect(await names()).toEqual(['one_search']);
    writeFileSync(late, `require(${JSON.stringify(one.file)})`);
    expect(await names()).toEqual(['one_search', 'late_search']);
  });

  test('have the same names where the entry of one is wrong', async () => {
    const one = recording(listed(search));
    const config = configured({ one: program(one), wrong: program(one, { readOnly: 'yes' }) });
    const gateway = greeted(['--config', config]);
    expect((await gateway.ask('tools/list')).result.tools.map(({ name }) => name)).toEqual(['one_search']);
  });
});

describe('Tasks', () => {
  const server = () =>
    recording(
      `${listed(search)} 'tools/call': { task: { taskId: 't' + (global.count = (global.count ?? 0) + 1), status: 'working' } }, 'tasks/get': { taskId: params?.taskId, status: 'working' },`,
      '',
      'tools: {}, tasks: { requests: { tools: { call: {} } } }',
    );

  test('belong to the session that created them, and no other session asks about them', async () => {
    const { url } = await servedOverHttp(['--url', await overHttp(server())]);
    const [one, other] = [await begun(url), await begun(url)];
    const call = { id: 1, method: 'tools/call', params: { name: 'search', task: {} } };
    const [, taskId = ''] = /"taskId":"(\w+)"/.exec(await (await one.send(call)).text())!;
    const about = { id: 2, method: 'tasks/get', params: { taskId } };
    expect(await (await one.send(about)).text()).toContain('"status":"working"');
    expect(await (await other.send(about)).text()).toContain('Unknown task');
  });

  /** The same server for all sessions of a gateway, which is one behind another gateway. */
  async function overHttp(behind: ReturnType<typeof server>): Promise<string> {
    const { url } = await servedOverHttp(behind.command);
    return url;
  }
});

describe('A server that ends', () => {
  test('is started again, and a call under way says that the server may have carried it out', async () => {
    const server = recording(
      listed(search, plain('die')) + text("'done'"),
      "if (params?.name === 'die') process.exit(1);",
    );
    const gateway = greeted(server.command);
    expect((await gateway.ask('tools/call', { name: 'die' })).error?.message).toMatch(/is unknown/);
    expect((await gateway.ask('tools/call', { name: 'search' })).result.content[0]!.text).toBe('done');
    await gateway.logged(/server ended server=server reason=/);
    expect(server.got('tools/call').filter((line) => line.includes('die'))).toHaveLength(1);
  });
});

describe('Limits over HTTP', () => {
  test('of bytes, levels, values and batches', async () => {
    const { url, logged } = await servedOverHttp(recording(listed(search)).command);
    const session = await begun(url);
    const send = async (body: string) => (await post(url, body, session.headers)).status;
    const call = (q: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":${q}}}}`;
    expect(await send(call(`${'['.repeat(600)}${']'.repeat(600)}${' '.repeat(4000)}`))).toBe(413);
    expect(await send(call(`[${'0,'.repeat(16_000)}0]`))).toBe(413);
    expect(await send(`[${call('1')}]`)).toBe(400);
    await logged(/refused status=413 reason="A message may be 500 levels deep/);
    const sent = request(url, { method: 'POST', headers: postHeaders }).on('error', () => {});
    for (let megabytes = 0; megabytes < 9; megabytes++) sent.write(' '.repeat(1024 * 1024));
    expect(await new Promise((resolve) => sent.on('response', resolve))).toMatchObject({ statusCode: 413 });
  });

  test('of subscriptions at a server', async () => {
    const server = recording(
      `${listed(search)} 'resources/subscribe': {},`,
      '',
      'tools: {}, resources: { subscribe: true }',
    );
    const gateway = greeted(server.command);
    for (let id = 0; id < 1000; id++)
      gateway.write({ id: `s${id}`, method: 'resources/subscribe', params: { uri: `r:${id}` } });
    await gateway.message(({ id }) => id === 's999');
    expect((await gateway.ask('resources/subscribe', { uri: 'r:1000' })).error?.message).toContain('1000 resources');
  });
});

test('A late answer to a question of a call that is over is refused, and the call is not made again', async () => {
  const server = recording(listed(search) + text("'done'"));
  const { url } = await servedOverHttp(server.command);
  const inputResponses = { asked: { action: 'accept', content: {} } };
  const params = { name: 'search', arguments: {}, requestState: 'mcp-verbatim:gone', inputResponses, ...envelope() };
  const late = await post(url, { id: 1, method: 'tools/call', params }, headersOf('tools/call', 'search'));
  expect(await late.text()).toContain('The call was not retried');
  expect(server.got('tools/call')).toEqual([]);
});
