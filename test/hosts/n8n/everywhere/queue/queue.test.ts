import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Execution, Workflow, WorkflowNode } from '../../../../../demo/n8n/api.js';
import type { CredentialReference } from '../../harness.js';
import { agentWorkflow, verbatimTool } from '../../workflows.js';
import { createModelNode, expectCall } from '../agentRun.js';
import { expectSchemas, matrix } from '../matrix.js';
import { startEndpoint } from '../models/endpoint.js';
import type { Endpoint } from '../models/endpoint.js';
import { correct, richTools, slips, startToolServer } from '../toolServer.js';
import type { ToolServer } from '../toolServer.js';
import { startCluster } from './cluster.js';
import type { Cluster } from './cluster.js';
import { hasRedis } from './redis.js';

const redis = hasRedis();
if (!redis && process.env['CI']) throw new Error('redis-server is not installed, and the tests of queue mode need it.');

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
