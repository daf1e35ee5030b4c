import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openBench, startOwnN8n } from '../../harness.js';
import { agentWorkflow, verbatimTool } from '../../../../../test-support/n8n/workflows.js';
import { startMessenger } from '../../../../../test-support/servers/messenger.js';
import { modelNode } from '../agent-run.js';
import { startEndpoint } from '../models/endpoint.js';
import { keepDiary } from './diary.js';
import { beginLate, beginReviewed, calling, callOf, patience } from './scenes.js';
import { startSessionServer } from './session-server.js';

test('An n8n that is stopped finishes its executions, and leaves no process or session behind', async () => {
  await using host = await startOwnN8n();
  await using bench = await openBench(host.api);
  const begin = async (workflow: Parameters<typeof host.api.createWorkflow>[0]) =>
    await bench.begin(await host.api.createWorkflow(workflow));
  const options = { keepConnection: 60 };

  // The connections that two steps keep, while a third step waits for its answer.
  await using kept = await startSessionServer();
  using keptProcess = keepDiary();
  const held = kept.hold();
  const overHttp = await bench.httpCredential(kept.url);
  await begin(calling('work', overHttp));
  await expect.poll(() => kept.calls, patience).toEqual([1]);
  const overStdio = await bench.stdioCredential(keptProcess.command, keptProcess.args);
  for (const step of [calling('echo', overStdio, options), calling('work', overHttp, options)]) {
    expect((await bench.run(step)).error).toBeUndefined();
  }
  expect([keptProcess.running().length, kept.open.size]).toEqual([1, 2]);

  // An agent that goes on with its kept connection and process.
  await using ofAgent = await startSessionServer();
  using processOfAgent = keepDiary();
  await using endpoint = await startEndpoint();
  endpoint.play(callOf('work'), callOf('echo'), callOf('work'), callOf('echo'), { text: 'Done.' });
  const first = verbatimTool(await bench.httpCredential(ofAgent.url), { options }, { name: 'First', id: 'first' });
  const local = await bench.stdioCredential(processOfAgent.command, processOfAgent.args);
  const second = verbatimTool(local, { options }, { name: 'Second', id: 'second' });
  const pause = endpoint.pauseAt(3);
  await begin(agentWorkflow(await modelNode(bench, endpoint), [first, second]));
  await pause.reached;
  expect(ofAgent.calls).toEqual([1]);

  // A step that first connects while n8n waits, and an execution that waits for a person.
  await using ofLate = await startSessionServer();
  await using late = await beginLate(bench, await bench.httpCredential(ofLate.url));
  await using ofReview = await startSessionServer();
  await using reviewing = await startEndpoint();
  await using messenger = await startMessenger();
  const reviewed = verbatimTool(await bench.httpCredential(ofReview.url));
  await beginReviewed(bench, reviewing, messenger, reviewed, 'work');
  expect([...ofReview.open]).toEqual([1]);

  const stopped = host.n8n.stop();
  await expect
    .poll(() => readFileSync(host.n8n.logFile, 'utf8'), patience)
    .toContain('Waiting for 3 active executions');
  await expect.poll(() => [...kept.open], patience).toEqual([1]);
  held.release();
  pause.end();
  await late.release();
  await stopped;
  expect([ofAgent.calls, ofLate.calls]).toEqual([[1, 1], [1]]);
  expect(processOfAgent.started()).toHaveLength(1);
  expect([kept, ofAgent, ofLate, ofReview].map(({ open }) => open.size)).toEqual([0, 0, 0, 0]);
  await expect.poll(() => [...keptProcess.running(), ...processOfAgent.running()], patience).toEqual([]);
});
