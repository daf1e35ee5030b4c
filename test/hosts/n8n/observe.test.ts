import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../test-support/demo-server/http.js';
import { agentWorkflow, builtInTool, verbatimTool } from '../../../test-support/n8n/workflows.js';
import { modelNodeFor } from '../../../test-support/n8n/scripted-model.js';
import { startObserving } from '../../../test-support/observed.js';
import type { WorkflowNode } from '../../../test-support/n8n/api.js';
import { useBench } from './harness.js';

const slips = {
  queries: [{ group: '123e4567-e89b-12d3-a456-426614174000', ageMin: '30' }],
  limit: '100',
  'x-trace': 'abc',
};

describe('an AI Agent of n8n behind observe, its answers played', () => {
  const bench = useBench();
  let server: Awaited<ReturnType<typeof startDemoServer>>;

  beforeAll(async () => {
    server = await startDemoServer();
  });
  afterAll(async () => {
    await server.stop();
  });

  async function observed(node: WorkflowNode, ...more: string[]) {
    const call = ['--play', '--call', 'find_relatives', JSON.stringify(slips)];
    const observing = await startObserving([...call, '--json', '--fail-on', 'changed', ...more, '--url', server.url]);
    const model = await modelNodeFor(bench.api, { url: observing.url });
    const parameters = { model: { __rl: true, mode: 'list', value: 'gpt-4.1-mini' }, options: { maxRetries: 0 } };
    const execution = await bench.run(agentWorkflow({ ...model, parameters }, [node]));
    const { code, stdout } = await observing.stop();
    return { execution, code, report: JSON.parse(stdout) as Report };
  }

  interface Report {
    sums: Record<string, number>;
    tools: { name: string; fate: string; sentAs: string[]; changes: string[]; tokens: object }[];
    calls: { each: { verdict: string; repairs: string[] }[] };
    diff?: string[];
  }

  test('MCP Verbatim Tool: every schema is identical, and the malformed arguments of the call are named', async () => {
    const node = verbatimTool(await bench.httpCredential(server.url));
    const { execution, code, report } = await observed(node);
    expect(execution.error).toBeUndefined();
    expect(execution.output('AI Agent')[0]?.json['output']).toBe('Thank you.');
    const { identical, ...others } = report.sums;
    expect([code, identical, others]).toEqual([
      0,
      report.tools.length,
      { reordered: 0, annotations: 0, meaning: 0, lost: 0 },
    ]);
    expect(report.calls.each).toMatchObject([
      { verdict: 'repaired', repairs: ['/queries/0/ageMin: "30" → 30', '/limit: "100" → 100'] },
    ]);
    expect(server.calls.at(-1)?.arguments).toMatchObject({ limit: 100 });
  });

  test("n8n's MCP Client Tool: another meaning, under a name with its own in front, reported with a diff", async () => {
    const { code, report } = await observed(builtInTool(server.url), '--diff', 'find_relatives');
    const found = report.tools.find(({ name }) => name === 'find_relatives');
    expect([code, found]).toMatchObject([1, { fate: 'meaning', sentAs: ['MCP_Client_find_relatives'] }]);
    expect(found?.changes.join('\n')).toContain('patternProperties');
    expect(report.diff?.some((line) => line.startsWith('- ') && line.includes('patternProperties'))).toBe(true);
  });
});
