import { fileURLToPath } from 'node:url';
import { freePort } from '../../test-support/free-port.js';
import { call, steps } from '../../test-support/model/script.js';
import { N8nApi } from '../../test-support/n8n/api.js';
import type { WorkflowNode } from '../../test-support/n8n/api.js';
import { noTaskRunner } from '../../test-support/n8n/environment.js';
import type { Host } from '../../test-support/n8n/install.js';
import { startModelFor } from '../../test-support/n8n/scripted-model.js';
import { startN8n } from '../../test-support/n8n/start.js';
import { owner } from '../../test-support/n8n/user-folder.js';
import { agentWorkflow } from '../../test-support/n8n/workflows.js';
import type { BenchServer, WireTool } from './server.js';
import type { Stage } from './stage.js';

/** Megabytes of an n8n's process. */
export interface Memory {
  runs: number;
  /** The heap after a garbage collection. */
  heap: number;
  /** Resident set size. */
  rss: number;
}

/**
 * Runs one workflow of an AI Agent again and again, in an n8n of its own, and reads that n8n's memory in between.
 *
 * @param counts the numbers of runs after which memory is read, ascending
 */
export async function memoryAfter(
  host: Host,
  userFolder: string,
  counts: readonly number[],
  server: BenchServer,
  tool: { called: WireTool; args: Record<string, unknown>; node(stage: Stage): Promise<WorkflowNode> },
): Promise<Memory[]> {
  const port = await freePort();
  const module = fileURLToPath(new URL('./memory-on-request.mjs', import.meta.url));
  const env = { ...noTaskRunner, NODE_OPTIONS: `--import ${JSON.stringify(module)}`, BENCH_MEMORY_PORT: String(port) };
  await using n8n = await startN8n(host, { userFolder, env });
  const api = await N8nApi.login(n8n.url, owner);
  const { model, modelNode } = await startModelFor(api);
  const node = await tool.node({ api, model, modelNode, [Symbol.asyncDispose]: () => model.stop() });
  const workflow = await api.createWorkflow(agentWorkflow(modelNode, [node]));
  model.play(steps(call(tool.called.name, tool.args), { text: 'Done.' }));
  const read: Memory[] = [];
  for (let runs = 1; runs <= Math.max(...counts); runs += 1) {
    const { status } = await api.run(workflow, 'Start');
    if (status !== 'success') throw new Error(`Run ${runs} ended with ${status}.`);
    server.take();
    if (!counts.includes(runs)) continue;
    const response = await fetch(`http://127.0.0.1:${port}`);
    const { heapUsed, rss } = (await response.json()) as NodeJS.MemoryUsage; // see memory-on-request.mjs
    read.push({ runs, heap: heapUsed / 2 ** 20, rss: rss / 2 ** 20 });
  }
  await model.stop();
  return read;
}
