import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, steps } from '../../../test-support/model/script.js';
import type { Execution } from '../../../test-support/n8n/api.js';
import { oddTools, startOddServer, type OddTool } from '../../../test-support/servers/odd.js';
import type { ReplayServer } from '../../../test-support/servers/replay.js';
import { useBench } from './harness.js';
import { offersIn } from '../../../test-support/n8n/offers.js';
import { sourceAt } from '../../../test-support/n8n/source.js';
import { agentWorkflow, singleNodeWorkflow, verbatim, verbatimTool } from '../../../test-support/n8n/workflows.js';

// The odd server speaks 2025-11-25, where no argument travels as a header and so no x-mcp-header can be wrong.
const isUsable = ({ skipped }: OddTool) => skipped === undefined || skipped === 'invalid-x-mcp-header';

const usable = oddTools.filter(isUsable).map(({ json }) => json);
const unusable = oddTools.filter((tool) => !isUsable(tool));

describe('a server whose list holds odd tools', () => {
  const bench = useBench();
  let server: ReplayServer;
  let agent: Execution;
  let report: Report;

  beforeAll(async () => {
    server = await startOddServer();
    const credential = await bench.httpCredential(server.url('odd'));
    bench.model.play(steps(call('bad_pattern', { a: 'AAA' }), { text: 'Done.' }));
    agent = await bench.run(
      agentWorkflow(bench.modelNode, [verbatimTool(credential, { options: { providerSafe: false } })]),
    );
    const list = singleNodeWorkflow(verbatim(credential, { operation: 'list', output: 'single' }));
    report = (await bench.run(list)).output('MCP Verbatim')[0]?.json as unknown as Report; // checked below
  });
  afterAll(async () => {
    await server.close();
  });

  test('everything that can be called is exposed', () => {
    expect(agent.error).toBeUndefined();
    expect(offersIn(bench.model.requests[0])).toHaveLength(1 + usable.length);
  });

  test('the model is sent the schema of the wire, and an object with properties where the root has none', () => {
    const told = offersIn(bench.model.requests[0])
      .slice(1)
      .map(({ schema }) => schema);
    const wire = usable.map((json) => JSON.stringify(JSON.parse(sourceAt(json, 'inputSchema') ?? 'null')));
    const typed = wire.map((schema) => (sourceAt(schema, 'type') ? schema : `{"type":"object",${schema.slice(1)}`));
    const whole = (schema: string) =>
      sourceAt(schema, 'properties') ? schema : `${schema.slice(0, -1)},"properties":{}}`;
    expect(told).toEqual(typed.map(whole));
  });

  test('List Tools reports what was skipped, and why', () => {
    expect(report.skipped.map(({ reason }) => reason.code)).toEqual(unusable.map(({ skipped }) => skipped));
    for (const { reason } of report.skipped) expect(reason.message).not.toBe('');
  });

  test('List Tools reports the oddities of what is exposed', () => {
    const noted = oddTools.flatMap(({ json, notes = [] }) => notes.map((code) => `${nameOf(json)}: ${code}`));
    expect(report.notes.map(({ tool, code }) => `${tool}: ${code}`)).toEqual(expect.arrayContaining(noted));
  });

  test('a hint on the sub-node names the skipped tools', () => {
    const runs = agent.runs['MCP Verbatim Tool'] ?? [];
    const hints = runs.flatMap(({ hints }) => hints ?? []).map(({ message }) => message);
    expect(hints.join('\n')).toContain('"no_schema"');
    expect(hints.join('\n')).toMatch(/and \d+ more/);
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
  return JSON.parse(sourceAt(json, 'name') ?? '""') as string; // whatever is offered has a name
}
