import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Execution, WorkflowNode } from '../../../../test-support/n8n/api.js';
import type { ToolCall } from '../../../../test-support/model/script.js';
import { isAtLeast } from '../../../../test-support/n8n/install.js';
import { lacks, useBench, used, usedEach } from '../harness.js';
import { agentWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { expectCall, modelNode } from './agent-run.js';
import { extended } from './assemble.js';
import { expectMeaning } from './expected-schemas.js';
import { startMessenger } from '../../../../test-support/servers/messenger.js';
import { startEndpoint } from './models/endpoint.js';
import { decide, patience, reviewNode } from './sessions/scenes.js';
import { answer, richTools, slips, startToolServer, type WireTool } from './tool-server.js';
import { trickyTools } from './tricky-tools.js';

const manyTools = [...richTools, ...trickyTools];

const hit: WireTool = {
  name: 'hit',
  inputSchema: { type: 'object', properties: { tool: {}, force: { type: 'integer' } } },
};
const miss: WireTool = { name: 'miss', inputSchema: { type: 'object' } };

describe('human review of the calls of an agent', () => {
  const bench = useBench();
  const endpoint = used(startEndpoint);
  const server = used(() => startToolServer([]));
  const other = used(() => startToolServer([]));
  const messenger = usedEach(startMessenger);
  let tools: [WorkflowNode, WorkflowNode];
  let review: WorkflowNode;
  let chatModel: WorkflowNode;

  beforeAll(async () => {
    tools = [
      verbatimTool(await bench.httpCredential(server.url), {}, { name: 'First' }),
      verbatimTool(await bench.httpCredential(other.url), {}, { name: 'Second' }),
    ];
    chatModel = await modelNode(bench, endpoint);
  });
  beforeEach(async () => {
    review = await reviewNode(bench.api, messenger);
    server.offer(manyTools);
    other.offer([]);
  });

  async function run(decision: 'Approve' | 'Decline', reviewed: WorkflowNode[]): Promise<Execution> {
    const gates = reviewed.map(({ name }) => ({ from: name, to: 'Review', type: 'ai_tool' }));
    const id = await bench.api.createWorkflow(extended(agentWorkflow(chatModel, [review]), reviewed, gates));
    const executionId = await bench.begin(id);
    await messenger.question();
    // n8n sends the question a moment before it suspends the execution.
    await expect.poll(() => bench.api.status(executionId), patience).toBe('waiting');
    expect([...server.calls(), ...other.calls()]).toEqual([]);
    await decide(messenger, decision);
    return await bench.api.finished(executionId);
  }

  function play(call: ToolCall): void {
    const reviewed = { ...call, arguments: { toolParameters: call.arguments, hitlParameters: {} } };
    endpoint.play({ calls: [reviewed] }, { text: 'Done.' });
  }

  function expectReviewed(): void {
    // In n8n 2.20 by npm, two copies of Zod do not recognise each other's types, so the model is sent the tool's schema
    // without the review's part.
    if (!isAtLeast(2, 41)) lacks('one Zod in all its packages');
    expectMeaning(
      endpoint.offers().map(({ name, schema }) => ({ name, schema: reviewedPart(schema) })),
      manyTools,
    );
  }

  test('An approved call arrives', async () => {
    play({ name: 'find_relatives', arguments: slips });
    const execution = await run('Approve', [tools[0]]);
    expectCall(execution, server, endpoint.results());
    expectReviewed();
  });

  test('A declined call does not arrive, and the model is told so', async () => {
    play({ name: 'find_relatives', arguments: slips });
    const execution = await run('Decline', [tools[0]]);
    expect(execution.status).toBe('success');
    expect(server.calls()).toEqual([]);
    expect(endpoint.results()).toHaveLength(1);
    expectReviewed();
  });

  test('An argument called "tool" arrives as the model sent it', async () => {
    server.offer([hit, miss]);
    play({ name: 'hit', arguments: { tool: 'hammer', force: '2' } });
    const execution = await run('Approve', [tools[0]]);
    expect(execution.error).toBeUndefined();
    expect(server.calls()).toEqual([{ name: 'hit', arguments: { tool: 'hammer', force: 2 } }]);
  });

  test('Each call of two nodes with equal tool names arrives at its own server', async () => {
    server.offer([miss]);
    other.offer([{ ...hit, name: 'miss' }]);
    endpoint.play({ text: 'Hello.' });
    const gates = tools.map(({ name }) => ({ from: name, to: 'Review', type: 'ai_tool' }));
    await bench.run(extended(agentWorkflow(chatModel, [review]), tools, gates));
    const told = endpoint.offers();
    expect(told.map(({ name }) => name)).toEqual(['miss', expect.stringMatching(/^(First|Second)_miss$/)]);
    const [renamed] = told.filter(({ name }) => name !== 'miss');
    const [owner, stranger] = renamed!.schema.includes('force') ? [other, server] : [server, other];
    play({ name: renamed!.name, arguments: {} });
    const execution = await run('Approve', tools);
    expect(execution.error).toBeUndefined();
    expect(endpoint.results()).toEqual([expect.stringContaining(answer)]);
    expect([owner.calls(), stranger.calls()]).toEqual([[{ name: 'miss', arguments: {} }], []]);
  });
});

/** n8n puts a tool's schema beside the review's, so references are rewritten to its new location. */
function reviewedPart(schema: string): string {
  const { properties, required } = JSON.parse(schema) as {
    properties: { toolParameters: unknown };
    required: string[];
  };
  expect(required).toContain('toolParameters');
  return JSON.stringify(properties.toolParameters).replaceAll('"#/properties/toolParameters', '"#');
}
