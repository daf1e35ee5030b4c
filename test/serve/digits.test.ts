import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asked, configured, entryOf, greeted, recording, type Served, served } from './as-process.js';
import { envelope, handshake } from './in-front.js';

const big = '9007199254740993';
const odd = `{"n":${big},"rate":1.0,"far":1e400}`;
const all = 'tools: {}, prompts: {}, resources: {}, completions: {}, logging: {}, tasks: {}';

/** What a client sends, and parts of what its server gets. */
const params = JSON.parse(readFileSync(new URL('./digits.json', import.meta.url), 'utf8')) as [
  string,
  string,
  string[],
][];

/** The server's answer to each method, byte for byte. */
const writing = (results: Record<string, string>) => `
  const texts = ${JSON.stringify(results)};
  if (texts[method] && id !== undefined) return process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',' + texts[method] + '}\\n');`;

/** The results of a server of 2026-07-28, which has no handshake. */
const recent = `'server/discover': { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },`;
const noHandshake =
  "if (method === 'initialize') return print({ id, error: { code: -32601, message: 'Method not found' } });";

const tools = `'tools/list': { tools: [{ name: 'search', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } }] },`;

describe('Params', () => {
  let server: ReturnType<typeof recording>;
  let gateway: Served;
  beforeAll(() => {
    server = recording(
      `${tools} 'tools/call': { content: [] }, 'prompts/get': { messages: [] }, 'resources/read': { contents: [] }, 'resources/list': { resources: [] }, 'completion/complete': { completion: { values: [] } }, 'logging/setLevel': {},`,
      '',
      all,
      afterAll,
    );
    gateway = greeted(server.command, { end: afterAll });
  });

  test.each(params)('The params of %s reach the server to the character', async (method, params, parts) => {
    await asked(gateway, method, params);
    const line = server.got(method).at(-1);
    for (const part of [...parts, `"a.b/c":${odd}`]) expect(line).toContain(part);
    expect(line).not.toContain('evil');
  });

  test('Params reach the server without the first of two equal names', async () => {
    await asked(gateway, 'prompts/get', `{"name":"p","arguments":{"a":"evil","a":"b"},"_meta":{"n":1.0}}`);
    expect(server.got('prompts/get').at(-1)).toContain('"params":{"name":"p","arguments":{"a":"b"}');
  });

  test('Params reach the server with the answers of a client of 2026-07-28', async () => {
    const requested = { resultType: 'input_required', requestState: 's', inputRequests: {} };
    const question = { method: 'elicitation/create', params: { message: '?', requestedSchema: { type: 'object' } } };
    const server = recording(
      `${recent} ${tools}
      'tools/call': params?.inputResponses ? { resultType: 'complete', content: [] } : ${JSON.stringify({ ...requested, inputRequests: { q: question } })},`,
    );
    const gateway = served(server.command);
    const meta = JSON.stringify(envelope({ elicitation: {} })).slice(1, -1);
    await asked(gateway, 'tools/call', `{"name":"search","arguments":{},${meta}}`);
    const answer = `{"action":"accept","content":${odd}}`;
    await asked(
      gateway,
      'tools/call',
      `{"name":"search","arguments":{},"requestState":"s","inputResponses":{"q":${answer}},${meta}}`,
    );
    expect(server.got('tools/call').at(-1)).toContain(`"inputResponses":{"q":${answer}}`);
  });
});

test.each(['2025-06-18', '2025-11-25'])(
  'A form of a server of 2026-07-28 and its answer pass to the character, for clients of %s',
  async (revision) => {
    const schema = `{"type":"object","properties":{"n":{"type":"integer","default":${big},"minimum":1.0}}}`;
    const asking = `"result":{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"How many?","requestedSchema":${schema},"_meta":{"a.b/c":${odd}}}}}}`;
    const server = recording(
      `${tools} ${recent}
    'tools/call': { resultType: 'complete', content: [] },`,
      `${noHandshake}
    if (method === 'tools/call' && !params.inputResponses) return process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',' + ${JSON.stringify(asking)} + '}\\n');`,
    );
    const gateway = served(server.command);
    for (const line of handshake) gateway.write(line.replace('2025-11-25', revision));
    const called = asked(gateway, 'tools/call', { name: 'search', arguments: {} });
    const { id } = await gateway.message(({ method }) => method === 'elicitation/create');
    const question = gateway.lines.find((line) => line.includes('"method":"elicitation/create"'));
    expect(question).toContain(`"requestedSchema":${schema},"_meta":{"a.b/c":${odd}}`);
    const answer = `{"action":"accept","content":${odd}}`;
    gateway.write(`{"jsonrpc":"2.0","id":${id},"result":${answer}}`);
    await called;
    expect(server.got('tools/call').at(-1)).toContain(`"inputResponses":{"q":${answer}}`);
  },
);

describe('Introductions', () => {
  const info = `{"name":"s","version":"1","build":${odd}}`;
  const capabilities = [`"tools":{"listChanged":true,"weight":1.0}`, `"logging":${odd}`];
  const introduction = `"capabilities":{${capabilities.join(',')},"unknown":{}},"serverInfo":${info},"instructions":"Use it."`;
  const initialized = { initialize: `"result":{"protocolVersion":"2025-11-25",${introduction}}` };

  test('An introduction passes to the character between a server and a client with a handshake, both ways', async () => {
    const server = recording(tools, writing(initialized));
    const gateway = served(server.command);
    const params = `"capabilities":{"roots":${odd}},"clientInfo":{"name":"c","version":"1","n":${big}}`;
    const answer = await asked(gateway, 'initialize', `{"protocolVersion":"2025-11-25",${params}}`);
    for (const part of [...capabilities, `"serverInfo":${info}`]) expect(answer).toContain(part);
    expect(answer).not.toContain('unknown');
    expect(server.got('initialize').at(-1)).toContain(params);
  });

  test.each(['2025-11-25', '2026-07-28'])(
    'An introduction passes to the character from a client of %s to a server of 2026-07-28',
    async (revision) => {
      const info = `{"name":"c","version":"1","n":${big},"rate":1.0}`;
      const server = recording(
        `${tools} ${recent} 'tools/call': { resultType: 'complete', content: [] },`,
        noHandshake,
      );
      const gateway = served(server.command);
      const prefix = 'io.modelcontextprotocol/';
      const parts = [`"${prefix}clientInfo":${info}`, `"roots":${odd}`];
      const isRecent = revision === '2026-07-28';
      const meta = `,"_meta":{"${prefix}protocolVersion":"${revision}",${parts[0]},"${prefix}clientCapabilities":{${parts[1]}}}`;
      const params = `"protocolVersion":"${revision}","clientInfo":${info},"capabilities":{${parts[1]}}`;
      if (!isRecent) await asked(gateway, 'initialize', `{${params}}`);
      await asked(gateway, 'tools/call', `{"name":"search","arguments":{}${isRecent ? meta : ''}}`);
      // The clients of 2026-07-28 share what serve itself asks for.
      for (const method of isRecent ? ['tools/call'] : ['server/discover', 'tools/list', 'tools/call'])
        for (const part of parts) expect(server.got(method).at(-1)).toContain(part);
    },
  );

  test('An introduction passes to the character from a server of either revision to a client of 2026-07-28', async () => {
    const discovered = `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{${capabilities.join(',')}},"_meta":{"io.modelcontextprotocol/serverInfo":${info}}}`;
    for (const texts of [initialized, { 'server/discover': discovered }]) {
      const server = recording(tools, writing(texts));
      const answer = await asked(served(server.command), 'server/discover', JSON.stringify(envelope()));
      for (const part of [...capabilities, `"io.modelcontextprotocol/serverInfo":${info}`])
        expect(answer).toContain(part);
    }
  });
});

describe('Texts of a server', () => {
  test('Progress reaches the client to the character', async () => {
    const server = recording(
      `${tools} 'tools/call': { content: [] },`,
      `if (method === 'tools/call') process.stdout.write('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":' + params._meta.progressToken + ',"progress":${big},"total":1.50,"message":"m","_meta":{"n":${big}},"evil":1}}\\n');`,
    );
    const gateway = greeted(server.command);
    await asked(gateway, 'tools/call', `{"name":"search","arguments":{},"_meta":{"progressToken":${big}}}`);
    expect(gateway.lines.find((line) => line.includes('notifications/progress'))).toContain(
      `"params":{"progressToken":${big},"progress":${big},"total":1.50,"message":"m","_meta":{"n":${big}}}`,
    );
  });

  test('An error reaches the client to the character, with a message that may be long', async () => {
    const message = 'm'.repeat(50_000);
    const error = `"error":{"code":-32001,"message":"${message}","data":${odd}}`;
    const server = recording(tools, writing({ 'tools/call': error }));
    const gateway = greeted(server.command);
    expect(await asked(gateway, 'tools/call', '{"name":"search"}')).toContain(error);
  });

  test('The tasks of a session reach the client to the character', async () => {
    const task = (id: string) => `{"taskId":"${id}","ttl":${big},"x":1.0}`;
    const server = recording(
      `${tools} 'tools/call': { task: { taskId: 'own', status: 'working' } },`,
      writing({ 'tasks/list': `"result":{"tasks":[${task('other')},${task('own')}],"n":1.0}` }),
      all,
    );
    const gateway = greeted(server.command);
    await asked(gateway, 'tools/call', '{"name":"search","task":{}}');
    expect(await asked(gateway, 'tasks/list', '{}')).toContain(`"result":{"tasks":[${task('own')}],"n":1.0}`);
  });

  test('The lists of several servers reach the client to the character', async () => {
    const entry = (id: string) => `{"x":1.0,${id},"size":${big},"_meta":${odd}}`;
    const page = (key: string, id: string, more = '') => `"result":{"${key}":[${entry(id)}]${more}}`;
    const server = recording(
      tools,
      `${writing({ 'prompts/list': page('prompts', '"name":"p"'), 'resources/templates/list': page('resourceTemplates', '"uriTemplate":"r:{x}"') })}
      if (method === 'resources/list') return process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',' + (params?.cursor ? ${JSON.stringify(page('resources', '"uri":"r:2"'))} : ${JSON.stringify(page('resources', '"uri":"r:1"', ',"nextCursor":"c"'))}) + '}\\n');`,
      all,
    );
    const other = recording(tools);
    const gateway = greeted(['--config', configured({ one: entryOf(server), other: entryOf(other) })]);
    expect(await asked(gateway, 'prompts/list', '{}')).toContain(`"result":{"prompts":[${entry('"name":"one_p"')}]}`);
    expect(await asked(gateway, 'resources/list', '{}')).toContain(
      `"result":{"resources":[${entry('"uri":"r:1"')},${entry('"uri":"r:2"')}]}`,
    );
    expect(await asked(gateway, 'resources/templates/list', '{}')).toContain(
      `"result":{"resourceTemplates":[${entry('"uriTemplate":"r:{x}"')}]}`,
    );
  });
});
