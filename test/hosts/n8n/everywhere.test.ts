import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, say, steps } from '../../../demo/model/script.js';
import { startDemoServer } from '../../../demo/server/http.js';
import { tools } from '../../../demo/server/tools.js';
import { openBench } from './harness.js';
import type { Bench, CredentialReference } from './harness.js';
import { offersIn } from './offers.js';
import { agentWorkflow, verbatimTool } from './workflows.js';

const fgId = '123e4567-e89b-12d3-a456-426614174000';
const slips = { queries: [{ fg_id: fgId, ageMin: '30' }], limit: '100', 'x-trace': 'abc' };
const correct = { queries: [{ fg_id: fgId, ageMin: 30 }], limit: 100, 'x-trace': 'abc' };
const wire = tools.map(({ inputSchema }) => JSON.stringify(inputSchema));

describe('wherever n8n takes a tool', () => {
  let bench: Bench;
  let server: Awaited<ReturnType<typeof startDemoServer>>;
  let credential: CredentialReference;

  beforeAll(async () => {
    bench = await openBench();
    server = await startDemoServer();
    credential = await bench.httpCredential(server.url);
  });
  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
    await server.stop();
  });
  beforeEach(() => {
    server.calls.length = 0;
    server.methods.length = 0;
  });

  const agent = (typeVersion: number, options: object = {}, more: object = {}) => ({
    typeVersion,
    parameters: { promptType: 'define', text: 'Do what is to be done.', options, ...more },
  });

  // 1.x: LangChain's executor; 2.x: the same, with batches and fallback; 3.x: calls run by n8n's engine.
  test.for([1.6, 1.7, 1.8, 1.9, 2, 2.1, 2.2, 3, 3.1])('AI Agent %d: schema, repair, answer', async (version) => {
    bench.model.play(steps(call('fg_findPersons', slips), { text: 'Done.' }));
    const more = version < 1.8 ? { agent: 'toolsAgent' } : {};
    const workflow = agentWorkflow(bench.modelNode, [verbatimTool(credential)], { agent: agent(version, {}, more) });
    const execution = await bench.run(workflow);
    expect(execution.error).toBeUndefined();
    expect(offersIn(bench.model.requests[0]).map(({ schema }) => schema)).toEqual(wire);
    expect(server.calls.map((received) => JSON.stringify(received.arguments))).toEqual([JSON.stringify(correct)]);
    expect(execution.output('AI Agent')[0]?.json['output']).toBe('Done.');
    expect(answer(bench)).toContain('fg_findPersons: done.');
  });

  test('with a memory, over two runs', async () => {
    const memory = {
      name: 'Memory',
      type: '@n8n/n8n-nodes-langchain.memoryBufferWindow',
      typeVersion: 1.3,
      position: [0, 400] as [number, number],
      parameters: { sessionIdType: 'customKey', sessionKey: 'one' },
    };
    const workflow = agentWorkflow(bench.modelNode, [verbatimTool(credential)]);
    workflow.nodes.push(memory);
    workflow.connections['Memory'] = { ai_memory: [[{ node: 'AI Agent', type: 'ai_memory', index: 0 }]] };
    const id = await bench.api.createWorkflow(workflow);
    for (let run = 1; run <= 2; run += 1) {
      bench.model.play(steps(call('fg_findPersons', slips), { text: 'Done.' }));
      expect((await bench.api.run(id, 'Start')).error).toBeUndefined();
    }
    expect(server.calls.map((received) => received.arguments)).toEqual([correct, correct]);
    expect(bench.model.requests[0]?.json.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
  });

  test('two servers with tools of one name on one agent: unique names, and each call goes to its own', async () => {
    const second = await startDemoServer();
    try {
      const other = verbatimTool(await bench.httpCredential(second.url), {}, { name: 'Other Server' });
      const workflow = agentWorkflow(bench.modelNode, [verbatimTool(credential, { options: { prefix: 'first' } }), other]);
      bench.model.play(
        steps({ calls: ['first_fg_findPersons', 'fg_findPersons'].map((name) => ({ name, arguments: slips })) }, { text: 'Done.' }),
      );
      const execution = await bench.run(workflow);
      expect(execution.error).toBeUndefined();
      expect(offersIn(bench.model.requests[0]).map(({ schema }) => schema)).toEqual([...wire, ...wire]);
      expect([server, second].map(({ calls }) => calls.map((received) => received.arguments))).toEqual([[correct], [correct]]);
    } finally {
      await second.stop();
    }
  });

  test('several items: one run of the agent each', async () => {
    bench.model.play(steps(call('fg_findPersons', slips), { text: 'Done.' }));
    const workflow = agentWorkflow(bench.modelNode, [verbatimTool(credential)]);
    const input = workflow.nodes.find(({ name }) => name === 'Input')!;
    Object.assign(input, {
      type: 'n8n-nodes-base.code',
      typeVersion: 2,
      parameters: { jsCode: 'return [1, 2, 3].map((number) => ({ json: { number } }));' },
    });
    const execution = await bench.run(workflow);
    expect(execution.error).toBeUndefined();
    expect(execution.output('AI Agent')).toHaveLength(3);
    expect(server.calls.map((received) => received.arguments)).toEqual([correct, correct, correct]);
  });

  test('an agent inside an agent', async () => {
    const inner = {
      name: 'Researcher',
      type: '@n8n/n8n-nodes-langchain.agentTool',
      typeVersion: 3,
      position: [400, 300] as [number, number],
      parameters: { toolDescription: 'Finds persons.', text: 'Find them.', options: {} },
    };
    const workflow = agentWorkflow(bench.modelNode, [verbatimTool(credential)]);
    workflow.nodes.push(inner, { ...bench.modelNode, name: 'Inner model' });
    workflow.connections['MCP Verbatim Tool'] = { ai_tool: [[{ node: 'Researcher', type: 'ai_tool', index: 0 }]] };
    workflow.connections['Inner model'] = { ai_languageModel: [[{ node: 'Researcher', type: 'ai_languageModel', index: 0 }]] };
    workflow.connections['Researcher'] = { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] };
    const asResearcher = steps(call('fg_findPersons', slips), { text: 'Found.' });
    const asBoss = steps(call('Researcher', {}), { text: 'Done.' });
    bench.model.play((request) =>
      (request.tools ?? []).some((tool) => tool.function.name === 'fg_findPersons') ? asResearcher(request) : asBoss(request),
    );
    const execution = await bench.run(workflow);
    expect(execution.error).toBeUndefined();
    expect(server.calls.map((received) => received.arguments)).toEqual([correct]);
    expect(execution.output('AI Agent')[0]?.json['output']).toBe('Done.');
  });

  test('a run that calls nothing leaves no session behind', async () => {
    bench.model.play(say('Hello.'));
    await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential)]));
    expect(server.methods.filter((method) => method === 'tools/list')).toHaveLength(1);
    await expect.poll(() => server.openSessions()).toBe(0);
  });
});

/** What the model was told about its last call. */
function answer(bench: Bench): string {
  return String(bench.model.requests.at(-1)?.json.messages.findLast(({ role }) => role === 'tool')?.content);
}
