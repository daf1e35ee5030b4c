import { expect, test } from 'vitest';
import { call, steps } from '../../../test-support/model/script.js';
import { agentWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';
import { programPath, startProgram } from '../../../test-support/servers/program.js';
import { startEverythingOverHttp } from './foreign-servers.js';
import { openBench } from './harness.js';

/** What the agent's model read after a call of a tool that runs as a task, and in no other way. */
async function told(url: string, tool: string, args: Record<string, unknown>): Promise<string> {
  await using bench = await openBench();
  const options = { whenAsked: 'fixed', answers: '{"name":"Ada"}' };
  bench.model.play(steps(call(tool, args), { text: 'Done.' }));
  const credential = await bench.httpCredential(url);
  const { error } = await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential, { options })]));
  expect(error).toBeUndefined();
  return String(bench.model.requests.at(-1)!.json.messages.at(-1)!.content).replaceAll('\\', '');
}

test.each([
  ['2025-11-25', 'tasks-v1.mjs'],
  ['2026-07-28', 'tasks-v2.mjs'],
])('an agent calls a tool of %s that insists on tasks, and answers its question', async (_, script) => {
  const server = await startProgram(programPath(script), ['http']);
  try {
    expect(await told(server.url, 'asking', {})).toContain('{"action":"accept","content":{"name":"Ada"}}');
  } finally {
    await server.close();
  }
});

test("an agent calls the everything server's tool that insists on tasks", async () => {
  const server = await startEverythingOverHttp();
  try {
    expect(await told(server.url, 'simulate-research-query', { topic: 'tides' })).toContain('# Research Report: tides');
  } finally {
    await server.stop();
  }
});
