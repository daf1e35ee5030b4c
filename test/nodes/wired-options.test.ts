import { realpathSync } from 'node:fs';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startAskingServer } from '../../test-support/servers/asking.js';
import { serverCode } from '../../test-support/servers/code.js';
import { type Exchange, type HttpServer, startHttpServer } from '../../test-support/servers/http.js';
import { integer, object, string } from '../../test-support/schemas/short.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { atUrl, callOf, type Execution, execution, type NodeUnderTest, toolsOf } from './context.js';
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

/** As "Execute step" of n8n's editor runs a node. */
async function runAlone(node: NodeUnderTest): Promise<Execution> {
  const run = execution(node);
  const executor = { getNode: () => ({ type: '@n8n/n8n-nodes-langchain.toolExecutor', parameters: {} }) };
  const context = run.supply();
  const { workflow } = context as unknown as { workflow: object };
  await node.type.supplyData?.call(Object.assign(context, { workflow: { ...workflow, ...executor } }), 0);
  return run;
}

test('Execute Step calls the chosen tool with its arguments, which agents do not see', async () => {
  const options = { executeStep: { values: { tool: 'it', arguments: '{"when":"2026-01-01"}' } } };
  const node = { type: built.node('McpVerbatimTool'), parameters: { options }, credentials: atUrl(server.url) };
  await toolsOf({ ...execution(node), node });
  expect(sent()).toEqual([]);
  const run = await runAlone(node);
  expect(sent()[0]?.message.params).toMatchObject({ name: 'it', arguments: { when: '2026-01-01' } });
  const [given, response] = [{ when: '2026-01-01' }, 'The tool returned no content.'];
  expect(run.recorded).toEqual([[[{ json: { tool: 'it', arguments: given } }]], [[{ json: { response } }]]]);
});

test('Execute Step without a tool shows what an agent sees, once the node runs alone', async () => {
  const options = { executeStep: { values: { tool: '', arguments: '{}' } } };
  const node = { type: built.node('McpVerbatimTool'), parameters: { options }, credentials: atUrl(server.url) };
  const run = await runAlone(node);
  const signature = 'when?: string (date), open?: any, n?: integer';
  expect(run.recorded).toEqual([
    [[{ json: {} }]],
    [[{ json: { name: 'it', description: 'it', signature, inputSchema } }]],
  ]);
  const message = 'This is what an agent sees. To call a tool here, add the option "Execute Step".';
  expect(run.hints).toEqual([{ message, type: 'info', location: 'outputPane' }]);
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
