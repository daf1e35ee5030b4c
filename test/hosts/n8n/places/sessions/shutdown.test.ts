import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openBench, startOwnN8n, usedEach } from '../../harness.js';
import { agentWorkflow, verbatimTool } from '../../../../../test-support/n8n/workflows.js';
import { startMessenger } from '../../../../../test-support/servers/messenger.js';
import { modelNode } from '../agent-run.js';
import { startEndpoint } from '../models/endpoint.js';
import { keepDiary } from './diary.js';
import { beginLate, beginReviewed, calling, callOf, patience } from './scenes.js';
import { startSessionServer } from './session-server.js';

describe('an n8n that is stopped', () => {
  const host = usedEach(startOwnN8n);
  const bench = usedEach(() => openBench(host.api));
  const server = usedEach(startSessionServer);

  const waits = () =>
    expect.poll(() => readFileSync(host.n8n.logFile, 'utf8'), patience).toMatch(/Waiting for 1 active executions/);

  test('finishes its executions, and leaves neither a process nor a session behind', async () => {
    using diary = keepDiary();
    const held = server.hold();
    const overHttp = await bench.httpCredential(server.url);
    await bench.begin(await bench.api.createWorkflow(calling('work', overHttp)));
    await expect.poll(() => server.calls, patience).toEqual([1]);
    for (const kept of [
      calling('echo', await bench.stdioCredential(diary.command, diary.args), { keepAlive: 60 }),
      calling('work', overHttp, { keepAlive: 60 }),
    ]) {
      expect((await bench.run(kept)).error).toBeUndefined();
    }
    expect([diary.running().length, server.open.size]).toEqual([1, 2]);

    const stopped = host.n8n.stop();
    await waits();
    await expect.poll(() => [...server.open], patience).toEqual([1]);
    held.release();
    await stopped;
    expect(server.open.size).toBe(0);
    await expect.poll(() => diary.running(), patience).toEqual([]);
  });

  test('lets an agent go on with its kept connection and process, and ends them with it', async () => {
    using diary = keepDiary();
    await using endpoint = await startEndpoint();
    const options = { keepAlive: 60 };
    const overStdio = await bench.stdioCredential(diary.command, diary.args);
    endpoint.play(callOf('work'), callOf('echo'), callOf('work'), callOf('echo'), { text: 'Done.' });
    const workflow = agentWorkflow(await modelNode(bench, endpoint), [
      verbatimTool(await bench.httpCredential(server.url), { options }, { name: 'First', id: 'first' }),
      verbatimTool(overStdio, { options }, { name: 'Second', id: 'second' }),
    ]);
    const pause = endpoint.pauseAt(3);
    await bench.begin(await bench.api.createWorkflow(workflow));
    await pause.reached;
    expect(server.calls).toEqual([1]);

    const stopped = host.n8n.stop();
    await waits();
    pause.end();
    await stopped;
    expect(server.calls).toEqual([1, 1]);
    expect(diary.started()).toHaveLength(1);
    expect(server.open.size).toBe(0);
    await expect.poll(() => diary.running(), patience).toEqual([]);
  });

  test('ends what is kept of a step that connects for the first time while it waits', async () => {
    await using late = await beginLate(bench, await bench.httpCredential(server.url));
    const stopped = host.n8n.stop();
    await waits();
    await late.release();
    await stopped;
    expect(server.calls).toEqual([1]);
    expect(server.open.size).toBe(0);
  });

  test('ends the session of an execution that waits for a person', async () => {
    await using endpoint = await startEndpoint();
    await using messenger = await startMessenger();
    const tool = verbatimTool(await bench.httpCredential(server.url));
    await beginReviewed(bench, endpoint, messenger, tool, 'work');
    expect([...server.open]).toEqual([1]);

    await host.n8n.stop();
    expect([...server.open]).toEqual([]);
  });
});
