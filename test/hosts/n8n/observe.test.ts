import { expect, test } from 'vitest';
import { startDemoServer } from '../../../test-support/demo-server/http.js';
import { agentWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';
import { modelNodeFor } from '../../../test-support/n8n/scripted-model.js';
import { startObserving } from '../../../test-support/observed.js';
import { openBench } from './harness.js';
import { slips } from './places/tool-server.js';

test('observe in front of an AI Agent finds identical schemas, and names malformed arguments', async () => {
  await using bench = await openBench();
  await using server = await startDemoServer();
  const call = ['--play', '--call', 'find_relatives', JSON.stringify(slips)];
  const observing = await startObserving([...call, '--json', '--fail-on', 'changed', '--url', server.url]);
  const model = await modelNodeFor(bench.api, { url: observing.url });
  const parameters = { model: { __rl: true, mode: 'list', value: 'gpt-4.1-mini' }, options: { maxRetries: 0 } };
  const tool = verbatimTool(await bench.httpCredential(server.url));
  const execution = await bench.run(agentWorkflow({ ...model, parameters }, [tool]));
  const { code, stdout } = await observing.stop();
  expect(execution.error).toBeUndefined();
  expect(execution.output('AI Agent')[0]?.json['output']).toBe('Thank you.');
  expect(code).toBe(0);
  const repairs = ['/queries/0/ageMin: "30" → 30', '/limit: "100" → 100'];
  expect(JSON.parse(stdout)).toMatchObject({
    sums: { identical: 3, reordered: 0, annotations: 0, meaning: 0, lost: 0 },
    calls: { each: [{ verdict: 'repaired', repairs }] },
  });
  expect(server.calls.at(-1)?.arguments).toMatchObject({ limit: 100 });
});
