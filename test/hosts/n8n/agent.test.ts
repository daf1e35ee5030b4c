import { beforeEach, describe, expect, test } from 'vitest';
import { call, type Script, steps } from '../../../test-support/model/script.js';
import { startDemoServer } from '../../../test-support/demo-server/http.js';
import { useBench, usedEach, usedCredential } from './harness.js';
import { correct, slips } from './places/tool-server.js';
import { startRawServer, working } from '../../../test-support/servers/raw-server.js';
import { agentWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';

describe('AI Agent with MCP Verbatim Tool', () => {
  const bench = useBench();
  const server = usedEach(startDemoServer);
  const credential = usedCredential(bench, () => server.url, beforeEach);

  const received = () => server.calls.map(({ arguments: args }) => args);

  test("Fields of the agent's input item do not become arguments", async () => {
    const input = { limit: 5, 'x-session': 'theirs', tool: 'theirs', toolCallId: 'theirs', chatInput: 'Hi.' };
    bench.model.play(steps(call('find_relatives', { queries: correct.queries }), { text: 'Done.' }));
    await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential)], { input }));
    expect(received()).toEqual([{ queries: correct.queries }]);
  });

  test('Calls for several items with equal call ids keep the arguments and the credential of each item', async () => {
    await using raw = await startRawServer(working({ result: '{"content":[]}' }));
    const own = await bench.httpCredential(raw.url, { authentication: 'bearer', token: '={{ $json.token }}' });
    const work: Script = (request) => call('work', { token: 'theirs', of: request.messages.at(-1)?.content })(request);
    bench.model.play(steps(work, { text: 'Done.' }));
    const parameters = { promptType: 'define', text: '={{ $json.token }}', options: {} };
    const workflow = agentWorkflow(bench.modelNode, [verbatimTool(own)], { agent: { parameters } });
    const pinData = { Input: ['a', 'b', 'c'].map((token) => ({ json: { token } })) };
    expect((await bench.run({ ...workflow, ...{ pinData } })).error).toBeUndefined();
    const called = raw.received.filter(({ method }) => method === 'tools/call');
    // n8n 1.123 runs the items from the last to the first.
    expect(new Set(called.map(({ params, headers }) => [params['arguments'], headers.authorization]))).toEqual(
      new Set(['a', 'b', 'c'].map((token) => [{ token: 'theirs', of: token }, `Bearer ${token}`])),
    );
    expect(called).toHaveLength(3);
  });

  test('Invalid arguments are refused once, even if the node has retries', async () => {
    bench.model.play(steps(call('find_relatives', { limit: -1 }), { text: 'Done.' }));
    const tool = { ...verbatimTool(credential), retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 };
    const execution = await bench.run(agentWorkflow(bench.modelNode, [tool]));
    expect(execution.error).toBeUndefined();
    expect(bench.answers()[0]).toContain('/limit');
    expect(server.calls).toEqual([]);
    // n8n would have retried an error.
    expect(execution.runs['MCP Verbatim Tool']?.map(({ executionStatus }) => executionStatus)).toEqual(['success']);
  });

  test('Two calls over three iterations take one connection, one tools/list, two tools/call', async () => {
    const booking = { date: '2026-12-24', guests: '4' };
    bench.model.play(steps(call('find_relatives', slips), call('book_table', booking), { text: 'Done.' }));
    await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential)]));
    expect(bench.model.requests).toHaveLength(3);
    const asked = (method: string) => server.methods.filter((sent) => sent === method).length;
    expect(['initialize', 'tools/list', 'tools/call'].map(asked)).toEqual([1, 1, 2]);
    expect(received()).toEqual([correct, { date: '2026-12-24', guests: 4 }]);
  });
});
