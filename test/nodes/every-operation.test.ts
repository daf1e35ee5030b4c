import type { INode, INodeExecutionData } from 'n8n-workflow';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { integer, object, string } from '../../test-support/schemas/short.js';
import { type Exchange, type HttpServer, startHttpServer } from '../../test-support/servers/http.js';
import { asJson, callOf, execution, named } from './context.js';
import expected from './every-operation.json' with { type: 'json' };
import { built } from './packed.js';

/** Two servers whose answers hold their names. */
let servers: HttpServer[];
/** A method that no server answers. */
let unanswered: string;
beforeEach(async () => {
  unanswered = 'none';
  servers = await Promise.all(['north', 'south'].map(serve));
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.close()));
  });
});

async function serve(of: string): Promise<HttpServer> {
  const at = { ...string, format: 'date-time', title: 'When' };
  const look = {
    name: 'look',
    title: `Look ${of}`,
    description: `Looks ${of}.`,
    inputSchema: object({ n: integer, at, id: integer, open: { $ref: '#/nowhere' } }),
    outputSchema: object({ of: string }, { required: ['of'] }),
  };
  const inputSchema = { type: 'object' };
  const others = [`fail ${of}`, 'ask', 'show'].map((name) => ({ name, inputSchema }));
  const tools = [look, { name: `broken ${of}` }, ...others];
  // Files, a text that repeats the data, and members named like those that the node adds.
  const content = [
    { type: 'image', data: btoa(of), mimeType: 'image/png', binary: of },
    { type: 'resource', resource: { uri: `r:/${of}.bin`, blob: btoa(of), binary: of } },
    { type: 'text', text: `{"of":"${of}"}`, data: of },
    { type: 'text', text: of },
  ];
  const question = { message: `Who is ${of}?`, requestedSchema: object({ name: string }) };
  let answered = (_text: string) => {};
  const answers: Record<string, (exchange: Exchange) => unknown> = {
    initialize: ({ introduce }) =>
      introduce({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: { name: of, version: '1', instructions: 'of serverInfo', protocolVersion: 'of serverInfo' },
        instructions: `Instructions of ${of}.`,
      }),
    'tools/list': ({ result }) => result({ tools }),
    'tools/call': ({ message, response, result, stream }) => {
      const { name } = message.params ?? {};
      const failed = { content: [{ type: 'text', text: `No ${of}\nat\nall` }], isError: true };
      const shown = { content, ...(name === 'look' && { structuredContent: { [of === 'north' ? 'of' : 'to']: of } }) };
      if (name !== 'ask') {
        result(name === `fail ${of}` ? failed : shown);
        return;
      }
      const send = stream();
      answered = (given) => {
        const error = { code: -32_000, message: `Not ${of}` };
        const result = { content: [{ type: 'text', text: given }] };
        send({ id: message.id, ...('fail' in Object(message.params?.['arguments']) ? { error } : { result }) });
        response.end();
      };
      send({ id: 'question', method: 'elicitation/create', params: question });
    },
    'resources/list': ({ result }) => result({ resources: [{ uri: `r:/${of}`, name: of }, null] }),
    'resources/templates/list': ({ result }) => result({ resourceTemplates: [{ uriTemplate: `r:/${of}/{id}` }] }),
    'resources/read': ({ message, result }) => {
      const json = { uri: 'r:/1', mimeType: 'application/json', text: 'null' };
      const blob = { blob: btoa(of), mimeType: 'text/csv' };
      const plain = { ...json, mimeType: 'text/plain', text: 'null' };
      const parts = [json, plain, { ...json, text: '{"n":12345678901234567890}' }, { ...plain, text: `["${of}"]` }];
      result({
        contents: [...parts, blob, { ...blob, uri: `r:/a/${of}.csv?b=/c#/d` }, null, { uri: message.params?.['uri'] }],
      });
    },
    'prompts/list': ({ result }) => result({ prompts: [{ name: of }] }),
    'prompts/get': ({ message, result }) =>
      result({ messages: [], description: `${of} ${String(message.params?.['name'])}` }),
  };
  return await startHttpServer((exchange) => {
    const { body, message, plain, status } = exchange;
    if ('result' in body) answered(JSON.stringify({ ...(body['result'] as object), serverAsked: of }));
    if (message.method === 'server/discover') status(400);
    else if (message.method !== unanswered) (answers[message.method] ?? plain)(exchange);
  });
}

const tool = (operation: string, more: object = {}) => ({ resource: 'tool', operation, ...more });
const call = (name: string, args: string | object, more: object = {}) => ({
  ...callOf(name),
  jsonArguments: asJson(args),
  ...more,
});
const form = (value: object) => ({ argumentsMode: 'form', form: { mappingMode: 'defineBelow', value, schema: [] } });
const along = (name: string) => ({
  sendAlong: { values: { headers: { values: [{ name: 'x-item', value: name }] }, metadata: { item: name } } },
});
const answering = (name: string) => ({ whenServerAsks: { values: { answer: 'fixed', fixedAnswers: { name } } } });
const checks = (values: object) => ({ checks: { values } });

/** The parameters of each item: those at even places ask the first server, the others the second. */
const items: object[] = [
  tool('list', { output: 'everything' }),
  tool('list', { output: 'compact' }),
  tool('list'),
  { resource: 'resource', operation: 'list' },
  { resource: 'resource', operation: 'listTemplates' },
  { resource: 'resource', operation: 'read', uri: named('r:/x') },
  { resource: 'resource', operation: 'read', uri: 'r:/y' },
  { resource: 'prompt', operation: 'list' },
  { resource: 'prompt', operation: 'get', prompt: named('p'), arguments: '{"a":"1","b":2,"c":null}' },
  { resource: 'prompt', operation: 'get', prompt: 'q', arguments: { a: { b: 1 } } },
  call('look', '{"n":"7","id":12345678901234567890}', { options: along('eleven') }),
  call('look', '{"n":1.0,"open":1}', { options: { ...along('twelve'), ...checks({ uncheckableArguments: 'allow' }) } }),
  call('look', '{"n":"8"}', { options: { rawResult: true } }),
  call('look', { n: 2 }, { options: checks({ checkResults: 'fail' }) }),
  call('look', {}, form({ n: '5', at: '2026-01-31T10:00:00', other: 1 })),
  call('look', {}, form({ at: '2026-07-31 10:00', id: null })),
  call('fail north', {}),
  call('fail south', {}),
  call('ask', {}, { options: answering('Ada') }),
  call('ask', {}, { options: answering('Grace') }),
  call('ask', {}),
  call('broken south', {}),
  call('show', {}),
  call('show', {}),
  call('look', '{"id":4611686018427388000}'),
  call('look', '{"id":9007199254740994}'),
  tool('paint'),
  call('look', '{"n":"x"}', { options: { repairs: { values: { repair: 'off' } } } }),
  call('ask', { fail: 1 }, { options: answering('Ada') }),
];

/** What the panel holds before its expressions are evaluated. */
const typed = { jsonArguments: asJson('{"id":9007199254740994}') };

/** Runs the node for items, each with its own parameters and credential. */
async function run(each: readonly object[], settings: Partial<INode> = {}) {
  const type = built.node('McpVerbatim');
  const started = execution({ type, settings: { parameters: typed, ...settings } });
  const ofItems = each.map((parameters) => execution({ type, parameters: { ...parameters } }).run());
  const context = Object.assign(started.run(each.map(() => ({ json: {} }))), {
    getNodeParameter: (name: string, item: number, ...rest: [never]) =>
      ofItems[item]!.getNodeParameter(name, 0, ...rest),
    getCredentials: async (_type: string, item: number) => {
      const { url } = servers[item % 2]!;
      return { url, transport: 'http', authentication: 'bearer', token: `token-${item % 2}` };
    },
  });
  const output = await type.execute?.call(context);
  return { output: (output as INodeExecutionData[][])[0], hints: started.hints, logged: started.logged };
}

/** The requests of a server, but for what differs by run or release. */
function requestsTo({ seen }: HttpServer): unknown[] {
  const sent = seen.filter(({ message, verb }) => verb === 'POST' && message.id !== undefined);
  return sent.map(({ body, headers, message, text }) => {
    const args = /"arguments":(\{.*?\})[,}]/.exec(text)?.[1];
    const params = { ...message.params, arguments: args, clientInfo: undefined, _meta: undefined };
    const meta = { ...(message.params?.['_meta'] as object), progressToken: undefined };
    const { 'x-item': item, authorization } = headers;
    return { method: message.method, params, meta, result: body['result'], item, authorization };
  });
}

const asText = (value: unknown) => JSON.stringify(value, null, 2);

test('Every operation has the parameters, options and credential of its item, and gives the item what its server sent', async () => {
  const happened = { ...(await run(items, { onError: 'continueRegularOutput' })), requests: servers.map(requestsTo) };
  expect(asText(happened)).toBe(asText(expected));
});

test('The tool that n8n makes of the node gives its model warnings in the item, and errors without advice', async () => {
  const derived = { type: 'n8n-nodes-mcp-verbatim.mcpVerbatimTool' };
  const { output } = await run([items[24]!, items[25]!, items[22]!], derived);
  const warning = 'The argument /id is an integer beyond 2^53, which may have been rounded before it came here.';
  expect(output!.map(({ json }) => json['warning'])).toEqual([warning, undefined, undefined]);
  const error = { description: 'A tool could not be used.', message: expect.stringContaining('No south') as string };
  await expect(run([items[0]!, call('fail south', {})], derived)).rejects.toMatchObject(error);
});

test('An item that fails the node is named by the error', async () => {
  const error = { description: 'at<br>all', context: { itemIndex: 1 } };
  await expect(run([items[0]!, call('fail south', {})])).rejects.toMatchObject(error);
});

test.each([
  ['tools/list', tool('list')],
  ['tools/list', call('look', {})],
  ['tools/call', call('look', {})],
  ['resources/list', { resource: 'resource', operation: 'list' }],
  ['resources/templates/list', { resource: 'resource', operation: 'listTemplates' }],
  ['resources/read', { resource: 'resource', operation: 'read', uri: 'r:/y' }],
  ['prompts/list', { resource: 'prompt', operation: 'list' }],
  ['prompts/get', { resource: 'prompt', operation: 'get', prompt: 'q' }],
])('The time limit of an item ends %s, which the server does not answer: %j', async (method, parameters) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  unanswered = method;
  const options = (idleTimeout: number) => ({ options: { timeLimits: { values: { idleTimeout } } } });
  const ended = run(
    [
      { ...items[0], ...options(9) },
      { ...parameters, ...options(2) },
    ].slice(method === 'tools/list' ? 1 : 0),
  );
  const failed = expect(ended).rejects.toThrow(`did not answer ${method} within 2 seconds.`);
  await expect.poll(() => servers.flatMap((server) => server.methods())).toContain(method);
  await vi.advanceTimersByTimeAsync(2000);
  await failed;
});
