import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { N8nApi, Workflow, WorkflowNode } from '../../../../../test-support/n8n/api.js';
import { agentWorkflow, callTool, singleNodeWorkflow } from '../../../../../test-support/n8n/workflows.js';
import { barrier } from '../../../../../test-support/servers/barrier.js';
import { startHttpServer } from '../../../../../test-support/servers/http.js';
import type { Messenger } from '../../../../../test-support/servers/messenger.js';
import type { Bench, CredentialReference } from '../../harness.js';
import { assembled, extended, manualTrigger, node } from '../assemble.js';
import type { Endpoint } from '../models/endpoint.js';
import { modelNode } from '../agent-run.js';

/** Bounds a hang. */
export const patience = { timeout: 60_000 };

export const callOf = (name: string) => ({ calls: [{ name, arguments: {} }] });

/** One step that calls a tool. It is always the same node, so that its kept connection is found again. */
export function calling(tool: string, credential: CredentialReference, options: object = {}): Workflow {
  return singleNodeWorkflow(callTool(credential, tool, options, { id: 'caller' }));
}

/** n8n's step that asks a person through the messenger before a tool is called. */
export async function reviewNode(api: N8nApi, messenger: Messenger): Promise<WorkflowNode> {
  const telegram = { accessToken: 'none', baseUrl: messenger.origin };
  const parameters = { chatId: '1', message: 'May it?', approvalOptions: { values: { approvalType: 'double' } } };
  return node('Review', 'n8n-nodes-base.telegramHitlTool', 1.2, parameters, {
    credentials: { telegramApi: await api.createCredential('Messenger', 'telegramApi', telegram) },
    webhookId: randomUUID(),
  });
}

/** Begins an agent whose one call waits for a person; returns the execution once it waits. */
export async function beginReviewed(
  bench: Bench,
  endpoint: Endpoint,
  messenger: Messenger,
  tool: WorkflowNode,
  name: string,
): Promise<string> {
  const reviewed = { name, arguments: { toolParameters: {}, hitlParameters: {} } };
  endpoint.play({ calls: [reviewed] }, { text: 'Done.' });
  const agent = agentWorkflow(await modelNode(bench, endpoint), [await reviewNode(bench.api, messenger)]);
  const workflow = extended(agent, [tool], [{ from: tool.name, to: 'Review', type: 'ai_tool' }]);
  const execution = await bench.begin(await bench.api.createWorkflow(workflow));
  await messenger.question();
  await expect.poll(() => bench.api.status(execution), patience).toBe('waiting');
  return execution;
}

export async function decide(messenger: Messenger, decision: string): Promise<void> {
  const { buttons } = await messenger.question();
  const [, address] = [...buttons].find(([label]) => label.includes(decision))!;
  // n8n treats clients that do not look like browsers as bots that preview links.
  await fetch(address, { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' } });
}

/** Begins a step whose call waits for a release, and resolves once the node before it runs. */
export async function beginLate(bench: Bench, credential: CredentialReference) {
  const arrived = barrier(2);
  const before = await startHttpServer(async ({ json }) => {
    await arrived.arrive();
    json({});
  });
  const first = node('Before', 'n8n-nodes-base.httpRequest', 4.2, { url: before.origin, options: {} });
  const call = callTool(credential, 'work', { keepConnection: 60 }, { id: 'caller' });
  const workflow = assembled(
    'Late',
    [manualTrigger, first, call],
    [
      { from: 'Start', to: 'Before', type: 'main' },
      { from: 'Before', to: call.name, type: 'main' },
    ],
  );
  const execution = await bench.begin(await bench.api.createWorkflow(workflow));
  await expect.poll(() => before.seen.length, patience).toBe(1);
  return { execution, release: () => arrived.arrive(), [Symbol.asyncDispose]: () => before.close() };
}

/** An agent that calls the tool `work`, thinks for longer than the connection is kept, and calls it again. */
export async function thinkBetweenCalls(bench: Bench, endpoint: Endpoint, workflow: Workflow): Promise<void> {
  endpoint.play(callOf('work'), callOf('work'), { text: 'Done.' });
  const pause = endpoint.pauseAt(2);
  const execution = await bench.begin(await bench.api.createWorkflow(workflow));
  await pause.reached;
  // Nothing may happen in this time; its length does not matter.
  await new Promise((resolve) => setTimeout(resolve, 500));
  pause.end();
  expect((await bench.api.finished(execution)).error).toBeUndefined();
}
