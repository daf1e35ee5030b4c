import { realpathSync } from 'node:fs';
import type { IExecuteFunctions, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startAskingServer } from '../../test-support/servers/asking.js';
import { serverCode } from '../../test-support/servers/code.js';
import { type Exchange, type HttpServer, startHttpServer } from '../../test-support/servers/http.js';
import { integer, object, string } from '../../test-support/schemas/short.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { atUrl, callOf, type Execution, execution, named, toolsOf } from './context.js';
import { built } from './packed.js';

const inputSchema = object({ when: { ...string, format: 'date' }, open: { $ref: '#/nowhere' }, n: integer });

let server: HttpServer;
let more: object;
let answer: (exchange: Exchange) => void;
beforeEach(async () => {
  more = {};
  answer = ({ result }) => result({ content: [] });
  server = await startHttpServer({
    'tools/list': ({ result }) => result({ tools: [{ name: 'it', inputSchema, ...more }] }),
    'tools/call': (exchange) => answer(exchange),
    'prompts/get': ({ message, result }) => result({ messages: [], description: message.params?.['name'] }),
    'resources/read': { contents: [{ uri: 'r:1', text: '' }] },
  });
  onTestFinished(() => server.close());
});

const sent = (method = 'tools/call') => server.seen.filter(({ message }) => message.method === method);
const checks = (values: object) => ({ checks: { values } }) as INodeParameters; // any fields

/** Calls a tool as a step of a workflow, and through an agent's engine. */
const doors = {
  'MCP Verbatim': async (options: INodeParameters, args: object, url = server.url, name = 'it') => {
    const parameters = { ...callOf(name, args), options };
    const run = execution({ type: built.node('McpVerbatim'), parameters, credentials: atUrl(url) });
    return outcome(run, await run.output());
  },
  'MCP Verbatim Tool': async (options: INodeParameters, args: object, url = server.url, name = 'it') => {
    const run = execution({ type: built.node('McpVerbatimTool'), parameters: { options }, credentials: atUrl(url) });
    const request = run.request({ ...(args as INodeExecutionData['json']) }, { toolName: name });
    return outcome(run, await run.output([request]));
  },
};

function outcome({ hints }: Execution, [item]: INodeExecutionData[]) {
  return { text: JSON.stringify(item?.json), hints: hints.map(({ message }) => message).join('\n') };
}

describe.each(Object.keys(doors) as (keyof typeof doors)[])('An option of %s works', (door) => {
  const call = doors[door];

  test.each<[INodeParameters, args: object, isSent: boolean]>([
    [{}, { when: 'no date' }, true],
    [checks({ checkFormats: true }), { when: 'no date' }, false],
    [{}, { open: 1 }, false],
    [checks({ uncheckableArguments: 'allow' }), { open: 1 }, true],
    [{}, { n: '5' }, true],
    [{ repairs: { values: { repair: 'off' } } }, { n: '5' }, false],
  ])('With the options %j, the arguments %j are sent: %s', async (options, args, isSent) => {
    await call(options, args).catch((error: unknown) => {
      if (isSent) throw error;
    });
    expect(sent()).toHaveLength(isSent ? 1 : 0);
  });

  test.each<[INodeParameters, hasHint: boolean, fails: boolean]>([
    [checks({ checkResults: 'ignore' }), false, false],
    [{}, true, false],
    [checks({ checkResults: 'fail' }), false, true],
  ])(
    'With the option %j, a result that breaks its output schema gives a hint: %j, an error: %j',
    async (options, hasHint, fails) => {
      more = { outputSchema: object({}, { required: ['n'] }) };
      answer = ({ result }) => result({ content: [], structuredContent: {} });
      const called = call(options, {});
      if (fails) await expect(called).rejects.toThrow(/output schema|promise/i);
      else expect((await called).hints.includes('output schema')).toBe(hasHint);
    },
  );

  test.each<[INodeParameters, words: RegExp]>([
    [{ timeLimits: { values: { idleTimeout: 2 } } }, /within (?:2 seconds|2000 ms)\./],
    [{ timeLimits: { values: { maximumDuration: 1 } } }, /within (?:1 second|1000 ms) in all\./],
  ])('The time limit %j ends a call that is not answered', async (options, words) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    answer = ({ progress }) => {
      const isForAll = JSON.stringify(options).includes('maximum');
      if (isForAll) progress();
      vi.advanceTimersByTime(isForAll ? 1000 : 2000);
    };
    await expect(call(options, {})).rejects.toThrow(words);
  });

  test("Fixed Answers answer the server's questions during a call", async () => {
    const asking = await startAskingServer();
    onTestFinished(() => asking.close());
    const whenServerAsks = { values: { answer: 'fixed', fixedAnswers: '{"name":"Ada"}' } };
    expect((await call({ whenServerAsks }, {}, asking.url, 'ask')).text).toContain('You are Ada.');
  });
});

test('Execute Step calls the chosen tool with its arguments, which agents do not see', async () => {
  const options = { executeStep: { values: { tool: 'it', arguments: '{"when":"2026-01-01"}' } } };
  const node = { type: built.node('McpVerbatimTool'), parameters: { options }, credentials: atUrl(server.url) };
  await toolsOf({ ...execution(node), node });
  expect(sent()).toEqual([]);
  const run = execution(node);
  const executor = { getNode: () => ({ type: '@n8n/n8n-nodes-langchain.toolExecutor', parameters: {} }) };
  const context = run.supply();
  const { workflow } = context as unknown as { workflow: object };
  await node.type.supplyData?.call(Object.assign(context, { workflow: { ...workflow, ...executor } }), 0);
  expect(sent()[0]?.message.params).toMatchObject({ name: 'it', arguments: { when: '2026-01-01' } });
});

test('The node sends the headers of the credential and says why a list is empty', async () => {
  const headers = { values: [{ name: 'X-Key', value: 'k' }] };
  const credentials = { mcpVerbatimHttpApi: { url: server.url, authentication: 'headers', headers } };
  await using empty = await startHttpServer({ 'resources/list': { resources: [] } });
  const list = { resource: 'resource', operation: 'list' };
  const run = execution({ type: built.node('McpVerbatim'), parameters: list, credentials: atUrl(empty.url) });
  expect(await run.output()).toEqual([]);
  expect(run.hints).toMatchObject([{ message: 'http 1 has no resources.' }]);
  const step = execution({ type: built.node('McpVerbatim'), parameters: callOf('it'), credentials });
  await step.output();
  expect(step.logged.join('\n')).toContain('1 tool listed, 0 skipped, 1 exposed');
  expect(new Set(server.seen.map((request) => request.headers['x-key']))).toEqual(new Set(['k']));
});

test('A command runs in the working directory of its credential, with its variables', async () => {
  const folder = realpathSync(temporaryFolder());
  const code = serverCode({ name: 'process.cwd() + process.env.KEY', results: "'tools/list': { tools: [] }" });
  const args = { values: [{ value: '-e' }, { value: code }] };
  const environment = { values: [{ name: 'KEY', value: '-of-it' }] };
  const stdio = { command: process.execPath, args, environment, workingDirectory: folder };
  const parameters = { server: 'stdio', operation: 'list', output: 'everything' };
  const credentials = { mcpVerbatimStdioApi: stdio };
  const [item] = await execution({ type: built.node('McpVerbatim'), parameters, credentials }).output();
  expect(item?.json['server']).toMatchObject({ name: `${folder}-of-it` });
});

test('A tool that is skipped is listed with the reason, and a call says why', async () => {
  more = { inputSchema: undefined };
  const running = (parameters: INodeParameters) =>
    execution({ type: built.node('McpVerbatim'), parameters, credentials: atUrl(server.url) }).output();
  const [item] = await running({ operation: 'list', output: 'everything' });
  const message = 'The tool has no inputSchema.';
  expect(item?.json).toMatchObject({ tools: [], skipped: [{ reason: { code: 'input-schema-missing', message } }] });
  const refused = { message: 'The tool "it" cannot be called', description: message };
  await expect(running(callOf('it'))).rejects.toMatchObject(refused);
});

/** Runs the node for two items, with these values of an expression. */
async function forTwoItems(parameters: INodeParameters, values: Record<string, [unknown, unknown]>) {
  const node = { type: built.node('McpVerbatim'), parameters, credentials: atUrl(server.url) };
  const context = execution(node).run([{ json: {} }, { json: {} }]);
  const read = context.getNodeParameter.bind(context) as (...given: unknown[]) => unknown;
  const ofItem = (name: string, itemIndex: number, ...rest: unknown[]) =>
    Object.hasOwn(values, name) ? values[name]![itemIndex] : read(name, itemIndex, ...rest);
  const [items] = (await node.type.execute?.call(
    Object.assign(context, { getNodeParameter: ofItem as IExecuteFunctions['getNodeParameter'] }),
  )) as INodeExecutionData[][];
  return items;
}

describe('Expressions', () => {
  const paramsOf = (method: string) => sent(method).map(({ message }) => message.params);

  test('The tool and the arguments of a call are read from each item', async () => {
    const args = (when: string) => ({ value: { arguments: `{"when":"${when}"}` } });
    await forTwoItems(callOf('it'), { jsonArguments: [args('one'), args('two')] });
    expect(paramsOf('tools/call')).toMatchObject([{ arguments: { when: 'one' } }, { arguments: { when: 'two' } }]);
    await expect(forTwoItems(callOf('it'), { tool: ['it', 'gone'] })).rejects.toThrow('no tool "gone"');
  });

  test('The prompt and its arguments are read from each item', async () => {
    const get = { resource: 'prompt', operation: 'get', prompt: named('p'), arguments: '{}' };
    const items = await forTwoItems(get, { prompt: ['one', 'two'], arguments: ['{"a":"1"}', '{"a":"2"}'] });
    expect(paramsOf('prompts/get')).toMatchObject([
      { name: 'one', arguments: { a: '1' } },
      { name: 'two', arguments: { a: '2' } },
    ]);
    expect(items).toMatchObject(['one', 'two'].map((description) => ({ json: { messages: [], description } })));
  });

  test('The resource is read from each item', async () => {
    const read = { resource: 'resource', operation: 'read', uri: named('r:1') };
    const items = await forTwoItems(read, { uri: ['r:1', 'r:2'] });
    expect(paramsOf('resources/read')).toMatchObject([{ uri: 'r:1' }, { uri: 'r:2' }]);
    expect(items?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
  });

  test('The options and the output of a list are read from each item', async () => {
    const along = (name: string) => ({
      sendAlong: { values: { headers: { values: [{ name: 'x-item', value: name }] } } },
    });
    await forTwoItems(callOf('it'), { options: [along('one'), along('two')] });
    expect(sent().map(({ headers }) => headers['x-item'])).toEqual(['one', 'two']);
    const items = await forTwoItems({ operation: 'list' }, { output: ['everything', 'compact'] });
    expect(items?.map(({ json }) => Object.keys(json)[0])).toEqual(['server', 'name']);
    expect(items?.[0]?.json).toMatchObject({
      server: { name: 'http' },
      tools: [{ name: 'it', inputSchema }],
      skipped: [],
    });
  });

  test('The credential is read for each item', async () => {
    const node = { type: built.node('McpVerbatim'), parameters: callOf('it'), credentials: atUrl(server.url) };
    const context = execution(node).run([{ json: {} }, { json: {} }]);
    const getCredentials = async (_type: string, itemIndex = -1) => ({
      ...atUrl(server.url)['mcpVerbatimHttpApi'],
      ...{ authentication: 'bearer', token: `token-of-item-${itemIndex}` },
    });
    await node.type.execute?.call(Object.assign(context, { getCredentials }));
    const tokens = sent().map(({ headers }) => headers.authorization);
    expect(tokens).toEqual(['Bearer token-of-item-0', 'Bearer token-of-item-1']);
  });
});
