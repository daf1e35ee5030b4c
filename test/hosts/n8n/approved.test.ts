import { expect, test } from 'vitest';
import { approveTools, digestsOnly, readCatalogue } from '../../../src/internal.js';
import { call, type Script, steps } from '../../../test-support/model/script.js';
import { agentWorkflow, verbatimTool } from '../../../test-support/n8n/workflows.js';
import { type ChangingServer, definitionOf, startChangingServer } from '../../../test-support/servers/changing.js';
import { useBench } from './harness.js';

const bench = useBench();

/** The value that the panel stores for "Approve What the Server Has Now", for the first version. */
function approvedTools({ url }: ChangingServer): object {
  const listed = readCatalogue([definitionOf('read', 1)]);
  const approved = approveTools({ ...listed, serverInfo: { name: 'changing', version: '1' } }, { url });
  return { approvedTools: { values: { approved: JSON.stringify(digestsOnly(approved)), ifChanged: 'skip' } } };
}

/** Runs an agent whose server restarts after the agent has read the tools, and before it calls one. */
async function runWith(server: ChangingServer, next: Readonly<Record<string, number>>) {
  const restarted: Script = (request) => {
    server.restart(next);
    return call('read', {})(request);
  };
  bench.model.play(steps(restarted, { text: 'Done.' }));
  const credential = await bench.httpCredential(server.url);
  return await bench.run(
    agentWorkflow(bench.modelNode, [verbatimTool(credential, { options: approvedTools(server) })]),
  );
}

test('A tool that changed between the list and the call is not called, and the model reads why', async () => {
  await using server = await startChangingServer({ read: 1 });
  const execution = await runWith(server, { read: 2 });
  expect(server.executed).toEqual([]);
  expect(bench.answers().join()).toContain('changed since it was approved');
  expect(execution.output('AI Agent')[0]?.json['output']).toBe('Done.');
});

test('A tool that is the same after a restart is called', async () => {
  await using server = await startChangingServer({ read: 1 });
  await runWith(server, { read: 1 });
  expect(server.executed).toEqual(['read@1']);
  expect(bench.answers().join()).toContain('read@1');
});
