import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Execution, Workflow, WorkflowNode } from '../../../../../test-support/n8n/api.js';
import { useBench, used, usedEach, usedCredential } from '../../harness.js';
import { agentWorkflow, verbatimTool } from '../../../../../test-support/n8n/workflows.js';
import { modelNode } from '../agent-run.js';
import { extended, joined, node } from '../assemble.js';
import { startEndpoint } from '../models/endpoint.js';
import { publish } from '../publish.js';
import { patience, thinkBetweenCalls } from './scenes.js';
import { startSessionServer } from './session-server.js';

const work = { name: 'work', arguments: {} };

/** 1.x and 2.x call the tool's function, in 3.x the engine runs the node. */
describe.for([2.3, 3.1])('the session of a node, with AI Agent %d', (typeVersion) => {
  const bench = useBench();
  const endpoint = used(startEndpoint);
  let chatModel: WorkflowNode;
  const server = usedEach(startSessionServer);
  const credential = usedCredential(bench, () => server.url, beforeEach);

  beforeAll(async () => {
    chatModel = await modelNode(bench, endpoint);
  });

  const agent = node('AI Agent', 'agent', typeVersion, { promptType: 'define', text: 'Work.', options: {} });
  const oneAgent = () => agentWorkflow(chatModel, [verbatimTool(credential)], { agent });

  async function run(workflow: Workflow): Promise<Execution> {
    const execution = await bench.run(workflow);
    expect(execution.error).toBeUndefined();
    await expect.poll(() => [...server.open], patience).toEqual([]);
    return execution;
  }

  test("Three calls in one answer of the model share the node's session", async () => {
    endpoint.play({ calls: [work, work, work] }, { text: 'Done.' });
    if (typeVersion < 3) server.gather(3); // n8n's engine runs them one after another
    await run(oneAgent());
    expect(server.calls).toEqual([1, 1, 1]);
    expect(endpoint.results()).toEqual(Array(3).fill(expect.stringContaining('Worked.')));
  });

  test("Several items share the node's session", async () => {
    endpoint.play({ calls: [work] }, { text: 'Done.' });
    const pinData = { Input: [1, 2, 3].map((number) => ({ json: { number } })) };
    const execution = await run({ ...oneAgent(), ...{ pinData } });
    expect(execution.output('AI Agent')).toHaveLength(3);
    expect(server.calls).toEqual([1, 1, 1]);
  });

  test("Two agents share the node's session", async () => {
    endpoint.play({ calls: [work] }, { text: 'Done.' });
    const second = { ...agent, name: 'Second' };
    await run(
      extended(
        oneAgent(),
        [second],
        [{ from: 'AI Agent', to: 'Second', type: 'main' }, ...joined('Second', chatModel, verbatimTool(credential))],
      ),
    );
    expect(server.calls).toEqual([1, 1]);
  });

  test("A node's session stays open while the model thinks longer than its idle time", async () => {
    const tool = verbatimTool(credential, { options: { keepConnection: 0.1 } }, { id: `kept ${typeVersion}` });
    await thinkBetweenCalls(bench, endpoint, agentWorkflow(chatModel, [tool], { agent }));
    expect(server.calls).toEqual([1, 1]);
    await expect.poll(() => [...server.open], patience).toEqual([]);
  });

  test('A sub-workflow has a session of its own', async () => {
    endpoint.play({ calls: [work] }, { text: 'Done.' });
    const called = node('Start', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
    const child = oneAgent();
    const id = await publish(bench.api, { ...child, nodes: [called, ...child.nodes.slice(1)] });
    const workflowId = { __rl: true, mode: 'id', value: id };
    const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, { workflowId, options: {} });
    await run(extended(oneAgent(), [call], [{ from: 'AI Agent', to: 'Call', type: 'main' }]));
    expect(server.calls).toEqual([1, 2]);
  });
});
