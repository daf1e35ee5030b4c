import { expect } from 'vitest';
import type { Execution, N8nApi, WorkflowNode } from '../../../../test-support/n8n/api.js';
import { chatModels, type ChatModel } from './chat-models.js';
import type { Endpoint } from './models/endpoint.js';
import { answer, correct, type ToolServer } from './tool-server.js';

export async function modelNode(
  { api }: { api: N8nApi },
  { origin }: Endpoint,
  chatModel: ChatModel = chatModels[0]!,
): Promise<WorkflowNode> {
  const { type, data } = chatModel.credential;
  return {
    name: 'Model',
    ...chatModel.node,
    position: [0, 200],
    parameters: chatModel.parameters,
    credentials: { [type]: await api.createCredential(chatModel.name, type, data(origin)) },
  };
}

/**
 * Checks that the one call of a conversation reached the server repaired and with nothing added, and that the model
 * read the result.
 *
 * @param results the results that the model read; undefined if n8n itself does not send them
 */
export function expectCall(execution: Execution, server: ToolServer, results: string[] | undefined): void {
  expect(execution.error).toBeUndefined();
  expect(execution.status).toBe('success');
  expectArrival(server, results);
}

/** The same for a call without an execution. */
export function expectArrival(server: ToolServer, results: string[] | undefined): void {
  // Checked first: the model's text says why nothing arrived.
  if (results !== undefined) expect(results).toEqual([expect.stringContaining(answer)]);
  expect(server.calls().map(({ arguments: args }) => JSON.stringify(args))).toEqual([JSON.stringify(correct)]);
}
