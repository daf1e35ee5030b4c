import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, steps } from '../../../test-support/model/script.js';
import { published, startEverythingOverHttp, toolsOnTheWire } from './foreign-servers.js';
import { useBench, type CredentialReference } from './harness.js';
import { offersIn } from '../../../test-support/n8n/offers.js';
import { childrenOf, sourceAt } from '../../../test-support/n8n/source.js';
import { agentWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';

const sum = { tool: 'get-sum', args: { a: 20, b: 22 }, answer: '42' };

describe('servers nobody here wrote', () => {
  const bench = useBench();
  let folder: string;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-verbatim-files-')));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function converse(credential: CredentialReference, tool: string, args: Record<string, unknown>) {
    bench.model.play(steps(call(tool, args), { text: 'Done.' }));
    const execution = await bench.run(agentWorkflow(bench.modelNode, [verbatimTool(credential)]));
    expect(execution.error).toBeUndefined();
    const answer = bench.model.requests[1]?.json.messages.findLast(({ role }) => role === 'tool')?.content;
    return { offers: offersIn(bench.model.requests[0]), answer: String(answer) };
  }

  test.for([
    { server: 'server-everything', ...sum },
    {
      server: 'server-sequential-thinking',
      tool: 'sequentialthinking',
      args: { thought: 'So.', nextThoughtNeeded: false, thoughtNumber: '1', totalThoughts: '1' },
      answer: 'thoughtNumber',
    },
    { server: 'server-filesystem', tool: 'list_allowed_directories', args: {}, answer: 'mcp-verbatim-files-' },
    { server: 'server-memory', tool: 'read_graph', args: {}, answer: 'entities' },
  ])('$server over stdio', async ({ server, tool, args, answer }) => {
    const start = published(server, ...(server === 'server-filesystem' ? [folder] : []));
    const wire = await toolsOnTheWire(start);
    // The memory server writes beside its own code unless it is told another place.
    const credential = await bench.stdioCredential(start.command, start.args, {
      MEMORY_FILE_PATH: join(folder, 'memory.jsonl'),
    });
    const told = await converse(credential, tool, args);
    expect(told.offers.map(({ schema }) => schema)).toEqual(
      childrenOf(wire).map(({ source }) => sourceAt(source, 'inputSchema')),
    );
    expect(told.answer).toContain(answer);
  });

  test('server-everything over streamable HTTP', async () => {
    const server = await startEverythingOverHttp();
    try {
      const wire = await toolsOnTheWire(published('server-everything'));
      const told = await converse(await bench.httpCredential(server.url), sum.tool, sum.args);
      expect(told.offers.map(({ schema }) => schema)).toEqual(
        childrenOf(wire).map(({ source }) => sourceAt(source, 'inputSchema')),
      );
      expect(told.answer).toContain(sum.answer);
    } finally {
      await server.stop();
    }
  });
});
