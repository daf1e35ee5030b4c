import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call, steps } from '../../../test-support/model/script.js';
import { published, startEverythingOverHttp, toolsOnTheWire } from './foreign-servers.js';
import { useBench, used, type CredentialReference } from './harness.js';
import { offersIn } from '../../../test-support/n8n/offers.js';
import { childrenOf, sourceAt } from '../../../test-support/n8n/source.js';
import { agentWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';

/** More of them in workflows.test.ts. */
describe('servers nobody here wrote', () => {
  const bench = useBench();
  const everything = used(startEverythingOverHttp);

  /** Has an agent call a tool: the schemas that its model was sent, and what it was told of the call. */
  async function converse(credential: CredentialReference, tool: string, args: Record<string, unknown>) {
    bench.model.play(steps(call(tool, args), { text: 'Done.' }));
    const options = { whenServerAsks: { values: { answer: 'fixed', fixedAnswers: '{"name":"Ada"}' } } };
    const execution = await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential, { options })]));
    expect(execution.error).toBeUndefined();
    const schemas = offersIn(bench.model.requests[0]).map(({ schema }) => schema);
    return { schemas, answer: bench.answers().at(-1)?.replaceAll('\\', '') };
  }

  const schemasOf = async (server: ReturnType<typeof published>) =>
    childrenOf(await toolsOnTheWire(server)).map(({ source }) => sourceAt(source, 'inputSchema'));

  test('server-filesystem over stdio', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-verbatim-files-')));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const start = published('server-filesystem', folder);
    const credential = await bench.stdioCredential(start.command, start.args);
    const { schemas, answer } = await converse(credential, 'list_allowed_directories', {});
    expect(schemas).toEqual(await schemasOf(start));
    expect(answer).toContain('mcp-verbatim-files-');
  });

  test.for([
    { tool: 'get-sum', args: { a: 20, b: 22 }, says: '42' },
    // It insists on tasks, and asks.
    { tool: 'simulate-research-query', args: { topic: 'tides' }, says: '# Research Report: tides' },
  ])('server-everything over streamable HTTP: $tool', async ({ tool, args, says }) => {
    const { schemas, answer } = await converse(await bench.httpCredential(everything.url), tool, args);
    expect(schemas).toEqual(await schemasOf(published('server-everything')));
    expect(answer).toContain(says);
  });
});
