import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { call, steps } from '../../../../test-support/model/script.js';
import type { Execution, N8nApi } from '../../../../test-support/n8n/api.js';
import { useBench, used, usedCredential } from '../harness.js';
import { startRawServer, working } from '../../../../test-support/servers/raw-server.js';
import { agentWorkflow, callTool, singleNodeWorkflow, verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { assembled, node, webhook } from './assemble.js';
import { postPublished, publish } from './publish.js';
import { patience } from './sessions/scenes.js';

const done = { result: '{"content":[{"type":"text","text":"Worked."}]}' };
const busy = { error: '{"code":-32050,"message":"Too busy right now"}' };

describe('MCP Verbatim among the features of workflows', () => {
  const bench = useBench();
  const server = used(startRawServer);
  const credential = usedCredential(bench, () => server.url);

  const callWork = () => callTool(credential, 'work');

  const methods = () => server.received.map(({ method }) => method);
  const calls = () => server.received.filter(({ method }) => method === 'tools/call').length;

  test('Retry on Fail succeeds at the second try', async () => {
    server.play(working(busy, done));
    const retrying = { ...callWork(), retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
    const execution = await bench.run(singleNodeWorkflow(retrying));
    expect(execution.status).toBe('success');
    expect(execution.output('MCP Verbatim')[0]?.json).toEqual({ text: 'Worked.' });
    expect(calls()).toBe(2);
  });

  test('After three timed-out calls under Retry on Fail, neither the step nor the model reads that nothing was repeated', async () => {
    server.play(working('never'));
    const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
    const options = { timeLimits: { values: { idleTimeout: 1 } } };
    const step = callTool(credential, 'work', options);
    const execution = await bench.run(singleNodeWorkflow({ ...step, ...retries }));
    expect(calls()).toBe(3);
    const error = `${execution.error?.message} ${execution.error?.description}`;
    expect(error).toContain('Whether the server has carried out the request is unknown');
    expect(error).not.toMatch(/again/);

    bench.model.play(steps(call('work', {}), { text: 'Done.' }));
    await bench.run(agentWorkflow(bench.modelNode, [{ ...verbatimTool(credential, { options }), ...retries }]));
    expect(bench.answers()[0]).toContain('Whether the server has carried out the request is unknown');
    expect(bench.answers()[0]).not.toMatch(/again/);
  });

  test('Cancelling an execution ends its call, and the server is told', async () => {
    server.play(working('never'));
    const id = await bench.api.createWorkflow(singleNodeWorkflow(callWork()));
    const executionId = await bench.begin(id);
    await expect.poll(methods, patience).toContain('tools/call');
    await bench.api.request('POST', `/rest/executions/${executionId}/stop`);
    expect((await bench.api.finished(executionId)).status).toBe('canceled');
    await expect.poll(methods, patience).toContain('notifications/cancelled');
  });

  test('An error workflow is told what went wrong, and where', async () => {
    server.play(working(busy));
    const handler = await publish(
      bench.api,
      assembled('On errors', [node('Error', 'n8n-nodes-base.errorTrigger', 1, {})], []),
    );
    const path = randomUUID();
    const failing = assembled(
      'Failing',
      [webhook(path, 'onReceived'), callWork()],
      [{ from: 'Webhook', to: 'MCP Verbatim', type: 'main' }],
    );
    await publish(bench.api, { ...failing, settings: { ...failing.settings, errorWorkflow: handler } });
    await postPublished(`${bench.api.url}/webhook/${path}`, {});
    const told = await firstExecution(bench.api, handler);
    const { execution } = told.output('Error')[0]?.json as {
      execution: { error: Record<string, unknown>; lastNodeExecuted: string };
    };
    expect(execution.lastNodeExecuted).toBe('MCP Verbatim');
    expect(JSON.stringify(execution.error)).toContain('Too busy right now');
  });
});

async function firstExecution(api: N8nApi, workflowId: string): Promise<Execution> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId }));
  for (;;) {
    const { results } = await api.request<{ results: { id: string }[] }>('GET', `/rest/executions?filter=${filter}`);
    if (results[0] !== undefined) return await api.finished(results[0].id);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
