import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Execution, Workflow, WorkflowNode } from '../../../../../demo/n8n/api.js';
import { resultText } from '../../../../../src/index.js';
import type { CredentialReference } from '../../harness.js';
import { startRawServer } from '../../rawServer.js';
import type { RawAnswers, RawServer } from '../../rawServer.js';
import { agentWorkflow, singleNodeWorkflow, verbatim, verbatimTool } from '../../workflows.js';
import { createModelNode, expectArrival, expectCall } from '../agentRun.js';
import { assembled, node } from '../assemble.js';
import { conversion, expectSchemas, expectShapes, matrix } from '../matrix.js';
import { startEndpoint } from '../models/endpoint.js';
import type { Endpoint } from '../models/endpoint.js';
import { connectPublished, publish } from '../publish.js';
import { answer, correct, richTools, slips, startToolServer } from '../toolServer.js';
import type { ToolServer, WireTool } from '../toolServer.js';
import { startCluster } from './cluster.js';
import type { Cluster } from './cluster.js';
import { hasRedis } from './redis.js';

const redis = hasRedis();
if (!redis && process.env['CI']) throw new Error('redis-server is not installed, and the tests of queue mode need it.');

const same: WireTool = { name: 'same', inputSchema: { type: 'object' } };

const workers = 2;
const perWorker = 3;

describe.skipIf(!redis)('queue mode with a main process and two workers', () => {
  const table = matrix('Queue mode');
  let cluster: Cluster;
  let endpoint: Endpoint;
  let server: ToolServer;
  let credential: CredentialReference;
  let chatModel: WorkflowNode;

  beforeAll(async () => {
    cluster = await startCluster(inject('tarball'), workers, perWorker);
    endpoint = await startEndpoint();
    server = await startToolServer(richTools);
    const data = { url: server.url, transport: 'http', authentication: 'none' };
    credential = { mcpVerbatimHttpApi: await cluster.api.createCredential('Server', 'mcpVerbatimHttpApi', data) };
    chatModel = await createModelNode(cluster.api, endpoint);
  });
  beforeEach(() => {
    server.offer(richTools);
    endpoint.play({ calls: [{ name: 'fg_findPersons', arguments: slips }] }, { text: 'Done.' });
  });
  afterAll(async () => {
    table.print();
    await cluster?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await endpoint?.[Symbol.asyncDispose]();
  });

  async function run(workflow: Workflow): Promise<Execution> {
    return await cluster.api.run(await cluster.api.createWorkflow(workflow), 'Start');
  }

  test.for([2.2, 3.1])('AI Agent %d', async (typeVersion) => {
    const execution = await run(agentWorkflow(chatModel, [verbatimTool(credential)], { agent: { typeVersion } }));
    const call = expectCall(execution, server, endpoint.results());
    table.row(`AI Agent ${typeVersion} on a worker`, expectSchemas(endpoint.offers(), richTools), call);
  });

  test('MCP Server Trigger: the calls run on workers', async () => {
    const path = randomUUID();
    const trigger = node('Gateway', 'mcpTrigger', 2, { authentication: 'none', path }, { webhookId: path });
    const tool = verbatimTool(credential);
    await publish(cluster.api, assembled('Gateway', [trigger, tool], [{ from: tool.name, to: 'Gateway', type: 'ai_tool' }]));
    await using session = await connectPublished(`${cluster.api.url}/mcp/${path}`);
    const { tools } = await session.listTools();
    const find = tools.find(({ name }) => name === 'fg_findPersons')!;
    const result = await session.callTool(find, slips);
    expectShapes(tools.map(({ name, inputSchema }) => ({ name, schema: JSON.stringify(inputSchema) })), richTools);
    table.row('MCP Server Trigger, calls on workers', conversion, expectArrival(server, [resultText(result)]));
  });

  // Equal names without a prefix do not do here: n8n's worker asks only the node that is called for its tools.
  test('MCP Server Trigger with two nodes of equal tool names: a prefix tells them apart', async () => {
    await using other = await startToolServer([same]);
    server.offer([same]);
    const data = { url: other.url, transport: 'http', authentication: 'none' };
    const second = { mcpVerbatimHttpApi: await cluster.api.createCredential('Other', 'mcpVerbatimHttpApi', data) };
    const path = randomUUID();
    const trigger = node('Gateway', 'mcpTrigger', 2, { authentication: 'none', path }, { webhookId: path });
    const tools = [
      verbatimTool(credential, {}, { name: 'First' }),
      verbatimTool(second, { options: { prefix: 'other' } }, { name: 'Second' }),
    ];
    const gates = tools.map(({ name }) => ({ from: name, to: 'Gateway', type: 'ai_tool' }));
    await publish(cluster.api, assembled('Gateway', [trigger, ...tools], gates));
    await using session = await connectPublished(`${cluster.api.url}/mcp/${path}`);
    const listed = await session.listTools();
    for (const name of ['same', 'other_same']) {
      const result = await session.callTool(listed.find(name)!, {});
      expect(resultText(result)).toContain(answer);
    }
    expect([server.calls(), other.calls()]).toEqual(Array(2).fill([{ name: 'same', arguments: {} }]));
  });

  test('an execution that is cancelled ends its call on the worker, and the server is told', async () => {
    await using stubborn = await startRawServer(neverAnswering);
    const data = { url: stubborn.url, transport: 'http', authentication: 'none' };
    const credentials = { mcpVerbatimHttpApi: await cluster.api.createCredential('Stubborn', 'mcpVerbatimHttpApi', data) };
    const tool = { __rl: true, mode: 'name', value: 'work' };
    const call = verbatim(credentials, { operation: 'call', tool, argumentsMode: 'json', arguments: '{}' });
    const id = await cluster.api.createWorkflow(singleNodeWorkflow(call));
    const start = { triggerToStartFrom: { name: 'Start' } };
    const { executionId } = await cluster.api.request<{ executionId: string }>('POST', `/rest/workflows/${id}/run`, start);
    await expect.poll(() => methodsOf(stubborn), patience).toContain('tools/call');
    await cluster.api.request('POST', `/rest/executions/${executionId}/stop`);
    expect((await cluster.api.finished(executionId)).status).toBe('canceled');
    await expect.poll(() => methodsOf(stubborn), patience).toContain('notifications/cancelled');
  });

  test('more executions at once than one worker takes: each has its own connection', async () => {
    const executions = perWorker + 1;
    endpoint.gather(executions);
    const workflow = agentWorkflow(chatModel, [verbatimTool(credential)]);
    const ended = await Promise.all(Array.from({ length: executions }, () => run(workflow)));
    expect(ended.map(({ status }) => status)).toEqual(Array(executions).fill('success'));
    expect(server.calls().map(({ arguments: args }) => args)).toEqual(Array(executions).fill(correct));
    const asked = (method: string) => server.methods().filter((sent) => sent === method).length;
    expect([asked('initialize'), asked('tools/list')]).toEqual([executions, executions]);
  });
});

/** A limit against hanging. */
const patience = { timeout: 60_000 };

const neverAnswering: RawAnswers = (method) => {
  if (method === 'tools/list') return { result: '{"tools":[{"name":"work","inputSchema":{"type":"object"}}]}' };
  return method === 'tools/call' ? 'never' : undefined;
};

const methodsOf = (server: RawServer): string[] => server.received.map(({ method }) => method);
