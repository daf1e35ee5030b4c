import { beforeAll, describe, expect, test } from 'vitest';
import { call, steps } from '../../../test-support/model/script.js';
import type { Execution } from '../../../test-support/n8n/api.js';
import { oddTools, startOddServer, type OddTool } from '../../../test-support/servers/odd.js';
import { useBench, used, type CredentialReference } from './harness.js';
import { offersIn } from '../../../test-support/n8n/offers.js';
import { sourceAt } from '../../../test-support/n8n/source.js';
import {
  agentWorkflow,
  callTool,
  singleNodeWorkflow,
  verbatim,
  verbatimTool,
} from '../../../test-support/n8n/workflows.js';
import { withPlainRoot } from './plain-root.js';

// The odd server speaks 2025-11-25, in which arguments are never headers, so an x-mcp-header is never wrong.
const isUsable = ({ skipped }: OddTool) => skipped === undefined || skipped === 'invalid-x-mcp-header';

const usable = oddTools.filter(isUsable).map(({ json }) => json);
const unusable = oddTools.filter((tool) => !isUsable(tool));

describe('a server whose list holds odd tools', () => {
  const bench = useBench();
  const server = used(startOddServer);
  let credential: CredentialReference;
  let agent: Execution;
  let report: Report;

  beforeAll(async () => {
    credential = await bench.httpCredential(server.url('odd'));
    bench.model.play(steps(call('bad_pattern', { a: 'AAA' }), { text: 'Done.' }));
    const tool = verbatimTool(credential, { options: { adaptSchemas: false } });
    agent = await bench.run(agentWorkflow(bench.modelNode, [tool]));
    const list = singleNodeWorkflow(verbatim(credential, { operation: 'list', output: 'everything' }));
    report = (await bench.run(list)).output('MCP Verbatim')[0]?.json as unknown as Report; // checked below
  });

  test('the model is sent all that can be called, each with the schema of the wire', () => {
    expect(agent.error).toBeUndefined();
    const [, ...told] = offersIn(bench.model.requests[0]).map(({ schema }) => schema);
    const wire = usable.map((json) => JSON.stringify(JSON.parse(sourceAt(json, 'inputSchema') ?? 'null')));
    expect(told).toEqual(wire.map(withPlainRoot));
  });

  test('List Tools reports what was skipped, and why, and the oddities of what is exposed', () => {
    expect(report.skipped.map(({ reason }) => reason.code)).toEqual(unusable.map(({ skipped }) => skipped));
    for (const { reason } of report.skipped) expect(reason.message).not.toBe('');
    const noted = oddTools.flatMap(({ json, notes = [] }) => notes.map((code) => `${nameOf(json)}: ${code}`));
    expect(report.notes.map(({ tool, code }) => `${tool}: ${code}`)).toEqual(expect.arrayContaining(noted));
  });

  test('a call of what was skipped says why', async () => {
    const { error } = await bench.run(singleNodeWorkflow(callTool(credential, 'no_schema')));
    expect(error).toMatchObject({
      message: 'The tool "no_schema" cannot be called',
      description: 'The tool has no inputSchema.',
    });
  });

  test('a hint on the sub-node names the skipped tools', () => {
    const hints = JSON.stringify(agent.runs['MCP Verbatim Tool']?.map(({ hints }) => hints)).replaceAll('\\', '');
    expect(hints).toMatch(/"no_schema".* and \d+ more/);
  });

  test('a pattern that JavaScript cannot parse is left to the server', () => {
    const calls = server.requests('odd').filter(({ method }) => method === 'tools/call');
    expect(calls.map(({ params }) => params?.['arguments'])).toEqual([{ a: 'AAA' }]);
  });
});

interface Report {
  skipped: { reason: { code: string; message: string } }[];
  notes: { tool: string; code: string }[];
}

function nameOf(json: string): string {
  return JSON.parse(sourceAt(json, 'name') ?? '""') as string; // every exposed tool has a name
}
