import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { lacksToolkitsOnWorkers, used } from '../../harness.js';
import { resultText } from '../../../../../src/internal.js';
import { agentWorkflow, verbatimTool } from '../../../../../test-support/n8n/workflows.js';
import { expectArrival, expectCall } from '../agent-run.js';
import { expectMeaning, expectSchemas, matrix } from '../matrix.js';
import { openGateway } from '../publish.js';
import { setStage } from '../stage.js';
import { answer, correct, richTools, slips, startToolServer, type WireTool } from '../tool-server.js';
import { startCluster } from './cluster.js';
import { hasRedis } from './redis.js';

const redis = hasRedis();
if (!redis && process.env['CI']) throw new Error('redis-server is not installed, and the tests of queue mode need it.');

const same: WireTool = { name: 'same', inputSchema: { type: 'object' } };

const workers = 2;
const perWorker = 3;

describe.skipIf(!redis)('queue mode with a main process and two workers', () => {
  const table = matrix('Queue mode');
  const cluster = used(() => startCluster(inject('tarball'), workers, perWorker));
  const stage = used(() => setStage(richTools, cluster.api));

  beforeEach(() => stage.reset());
  afterAll(async () => {
    table.print();
  });

  test.for([2.2, 3.1])('AI Agent %d', async (typeVersion) => {
    const { bench, endpoint, server, chatModel, credential } = stage;
    const execution = await bench.run(agentWorkflow(chatModel, [verbatimTool(credential)], { agent: { typeVersion } }));
    const call = expectCall(execution, server, endpoint.results());
    table.row(`AI Agent ${typeVersion} on a worker`, expectSchemas(endpoint.offers(), richTools), call);
  });

  test('MCP Server Trigger: the calls run on workers', async () => {
    lacksToolkitsOnWorkers();
    await using session = await openGateway(cluster.api, [verbatimTool(stage.credential)]);
    const listed = await session.listTools();
    const result = await session.callTool(listed.find('find_relatives')!, slips);
    const told = listed.tools.map(({ name, inputSchema }) => ({ name, schema: JSON.stringify(inputSchema) }));
    table.row(
      'MCP Server Trigger, calls on workers',
      expectMeaning(told, richTools),
      expectArrival(stage.server, [resultText(result)]),
    );
  });

  // Equal names without a prefix do not do here: n8n's worker asks only the node that is called for its tools.
  test('MCP Server Trigger with two nodes of equal tool names: a prefix tells them apart', async () => {
    lacksToolkitsOnWorkers();
    const { bench, server, credential } = stage;
    await using other = await startToolServer([same]);
    server.offer([same]);
    await using session = await openGateway(cluster.api, [
      verbatimTool(credential, {}, { name: 'First' }),
      verbatimTool(await bench.httpCredential(other.url), { options: { prefix: 'other' } }, { name: 'Second' }),
    ]);
    const listed = await session.listTools();
    for (const name of ['same', 'other_same']) {
      const result = await session.callTool(listed.find(name)!, {});
      expect(resultText(result)).toContain(answer);
    }
    expect([server.calls(), other.calls()]).toEqual(Array(2).fill([{ name: 'same', arguments: {} }]));
  });

  test('more executions at once than one worker takes: each has its own connection', async () => {
    const { bench, endpoint, server, chatModel, credential } = stage;
    const executions = perWorker + 1;
    endpoint.gather(executions);
    const workflow = agentWorkflow(chatModel, [verbatimTool(credential)]);
    const ended = await Promise.all(Array.from({ length: executions }, () => bench.run(workflow)));
    expect(ended.map(({ status }) => status)).toEqual(Array(executions).fill('success'));
    expect(server.calls().map(({ arguments: args }) => args)).toEqual(Array(executions).fill(correct));
    const asked = (method: string) => server.methods().filter((sent) => sent === method).length;
    expect([asked('initialize'), asked('tools/list')]).toEqual([executions, executions]);
  });
});
