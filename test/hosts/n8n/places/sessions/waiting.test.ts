import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBench } from '../../harness.js';
import type { Bench } from '../../harness.js';
import { agentWorkflow, verbatimTool } from '../../../../../test-support/n8n/workflows.js';
import { modelNode } from '../agent-run.js';
import { extended, node } from '../assemble.js';
import { startMessenger } from '../../../../../test-support/servers/messenger.js';
import { startEndpoint } from '../models/endpoint.js';
import { startSessionServer } from './session-server.js';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

test.for(['Approve', 'Decline'])(
  'the session of an execution outlives its wait for a person, and ends with it: %s',
  async (decision) => {
    await using server = await startSessionServer();
    await using endpoint = await startEndpoint();
    await using messenger = await startMessenger();
    const telegram = { accessToken: 'none', baseUrl: messenger.origin };
    const parameters = { chatId: '1', message: 'May it?', approvalOptions: { values: { approvalType: 'double' } } };
    const credentials = { telegramApi: await bench.api.createCredential('Messenger', 'telegramApi', telegram) };
    const review = node('Review', 'n8n-nodes-base.telegramHitlTool', 1.2, parameters, {
      credentials,
      webhookId: randomUUID(),
    });
    const tool = verbatimTool(await bench.httpCredential(server.url));
    endpoint.play(
      { calls: [{ name: 'work', arguments: { toolParameters: {}, hitlParameters: {} } }] },
      { text: 'Done.' },
    );

    const agent = agentWorkflow(await modelNode(bench, endpoint), [review]);
    const workflow = extended(agent, [tool], [{ from: tool.name, to: 'Review', type: 'ai_tool' }]);
    const execution = await bench.begin(await bench.api.createWorkflow(workflow));
    const { buttons } = await messenger.question();
    const status = async () =>
      (await bench.api.request<{ status: string }>('GET', `/rest/executions/${execution}`)).status;
    await expect.poll(status, patience).toBe('waiting');
    expect([...server.open]).toEqual([1]);

    const [, address] = [...buttons].find(([label]) => label.includes(decision))!;
    // n8n takes whoever does not look like a browser for a bot that previews links.
    await fetch(address, { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' } });
    expect((await bench.api.finished(execution)).status).toBe('success');
    expect(server.calls).toEqual(decision === 'Approve' ? [1] : []);
    await expect.poll(() => [...server.open], patience).toEqual([]);
  },
);

/** A limit against hanging. */
const patience = { timeout: 60_000 };
