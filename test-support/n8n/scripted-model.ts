import { startModel } from '../model/model.js';
import type { ScriptedModel } from '../model/model.js';
import { say } from '../model/script.js';
import type { N8nApi, WorkflowNode } from './api.js';

/** Starts a scripted model, and creates n8n's node for it. */
export async function startModelFor(api: N8nApi): Promise<{ model: ScriptedModel; modelNode: WorkflowNode }> {
  const model = await startModel(say('Hello.'));
  const modelNode = await modelNodeFor(api, model);
  const parameters = { model: { __rl: true, mode: 'list', value: 'gpt-4.1-mini' }, options: { maxRetries: 0 } };
  return { model, modelNode: { ...modelNode, parameters } };
}

/** n8n's node for a scripted model, with a credential and its initial settings. */
export async function modelNodeFor(api: N8nApi, { url }: Pick<ScriptedModel, 'url'>): Promise<WorkflowNode> {
  return {
    name: 'Model',
    type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
    typeVersion: 1.2,
    position: [0, 200],
    parameters: {},
    credentials: { openAiApi: await api.createCredential('Scripted model', 'openAiApi', { apiKey: 'none', url }) },
  };
}
