import type { WorkflowNode } from '../../test-support/n8n/api.js';
import type { ChatRequest, ModelRequest } from '../../test-support/model/model.js';
import { offered, steps } from '../../test-support/model/script.js';
import type { Script } from '../../test-support/model/script.js';
import { agentWorkflow } from '../../test-support/n8n/workflows.js';
import type { Arrivals, BenchServer, WireTool } from './server.js';
import type { Stage } from './stage.js';

export interface Conversation extends Arrivals {
  /** When the execution started, by n8n's own clock, and how long it took. */
  started: number;
  ms: number;
  /** The model's first request. */
  told: ModelRequest | undefined;
  /** The answers to the model's calls. */
  answers: string[];
}

/** Calls of one tool, in a row. */
export interface Task {
  tool: WireTool;
  args: readonly Record<string, unknown>[];
}

/** One run of an AI Agent whose model makes the calls, one after the other, and then stops. */
export async function converse(
  { api, model, modelNode }: Stage,
  server: BenchServer,
  node: WorkflowNode,
  task: Task,
): Promise<Conversation> {
  const agent = {
    parameters: {
      promptType: 'define',
      text: 'Do what is to be done.',
      options: { maxIterations: task.args.length + 5 },
    },
  };
  const workflow = await api.createWorkflow(agentWorkflow(modelNode, [node], { agent }));
  model.play(steps(...task.args.map((args) => obey(task.tool, args)), { text: 'Done.' }));
  server.take();
  const { id } = await api.run(workflow, 'Start');
  const { startedAt, stoppedAt } = await api.request<{ startedAt: string; stoppedAt: string }>(
    'GET',
    `/rest/executions/${id}`,
  );
  const answers = model.requests.at(-1)?.json.messages ?? [];
  return {
    started: Date.parse(startedAt),
    ms: Date.parse(stoppedAt) - Date.parse(startedAt),
    ...server.take(),
    told: model.requests[0],
    answers: answers.filter(({ role }) => role === 'tool').map(({ content }) => String(content)),
  };
}

/**
 * A model that follows the schema that it is shown: if a host wrapped the arguments in `{ value: ... }`, it writes them
 * so.
 */
function obey(tool: WireTool, args: Record<string, unknown>): Script {
  return (request) => {
    const name = offered(request, tool.name);
    if (name === undefined) return { text: `I was not offered a tool named ${tool.name}.` };
    return { calls: [{ name, arguments: isWrapped(request, name, tool) ? { value: args } : args }] };
  };
}

function isWrapped(request: ChatRequest, name: string, { inputSchema }: WireTool): boolean {
  const told = request.tools?.find((one) => one.function.name === name)?.function.parameters;
  return Object.keys(propertiesOf(told)).join() === 'value' && !('value' in propertiesOf(inputSchema));
}

function propertiesOf(schema: unknown): object {
  const properties = (schema as { properties?: unknown } | undefined)?.properties; // whatever it is, it is only looked into
  return typeof properties === 'object' && properties !== null ? properties : {};
}
