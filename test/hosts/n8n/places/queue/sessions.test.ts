import { spawnSync } from 'node:child_process';
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import type { Workflow } from '../../../../../test-support/n8n/api.js';
import { startOAuthServer } from '../../../../../test-support/servers/oauth.js';
import { connectAccount, createAccount } from '../../account.js';
import { isAtLeast } from '../../../../../test-support/n8n/install.js';
import { lacks, lacksToolkitsOnWorkers, openBench, type CredentialReference, used, usedEach } from '../../harness.js';
import { agentWorkflow, verbatimTool } from '../../../../../test-support/n8n/workflows.js';
import { startMessenger } from '../../../../../test-support/servers/messenger.js';
import { modelNode } from '../agent-run.js';
import { startEndpoint } from '../models/endpoint.js';
import { openGateway } from '../publish.js';
import { keepDiary } from '../sessions/diary.js';
import { beginLate, beginReviewed, calling, callOf, decide, patience, thinkBetweenCalls } from '../sessions/scenes.js';
import { startSessionServer } from '../sessions/session-server.js';
import { startCluster } from './cluster.js';
import { hasRedis } from './redis.js';

describe.skipIf(!hasRedis())('sessions on two workers, each of which runs one execution at a time', () => {
  const cluster = used(() => startCluster(inject('tarball'), 2, 1));
  const bench = used(() => openBench(cluster.api));
  const server = usedEach(startSessionServer);
  let credential: CredentialReference;

  beforeEach(async () => {
    credential = await bench.httpCredential(server.url);
  });

  const create = (workflow: Workflow) => cluster.api.createWorkflow(workflow);
  const run = async (id: string) => expect((await cluster.api.run(id, 'Start')).error).toBeUndefined();

  /** All sessions of the server. */
  const ended = () => expect.poll(() => server.open.size, patience).toBe(0);

  /** The worker that has started a process. */
  const workerOf = (process: number) => cluster.workers.find(({ pid }) => pid === parentOf(process))!;

  /** Has an execution wait for its server until the test ends, so that all others run on the other workers. */
  async function occupyWorker(): Promise<void> {
    const elsewhere = await startSessionServer();
    const held = elsewhere.hold();
    const execution = await bench.begin(await create(calling('work', await bench.httpCredential(elsewhere.url))));
    onTestFinished(async () => {
      held.release();
      await cluster.api.finished(execution);
      await elsewhere[Symbol.asyncDispose]();
    });
    await expect.poll(() => elsewhere.calls, patience).toHaveLength(1);
  }

  test('a kept connection serves the executions of its worker; another worker has its own', async () => {
    const held = server.hold();
    const workflow = await create(calling('work', credential, { keepAlive: 60 }));
    const first = await bench.begin(workflow);
    await expect.poll(() => server.calls, patience).toEqual([1]);
    await run(workflow);
    await run(workflow);
    expect(server.calls).toEqual([1, 2, 2]);
    held.release();
    expect((await cluster.api.finished(first)).status).toBe('success');
    expect([server.begun, server.open]).toEqual([[1, 2], new Set([1, 2])]);
  });

  test('a kept session that the server has forgotten is begun anew, and no call is lost', async () => {
    await occupyWorker();
    const workflow = await create(calling('work', credential, { keepAlive: 60 }));
    await run(workflow);
    server.forget();
    await run(workflow);
    await run(workflow);
    expect(server.calls).toEqual([1, 2, 2]);
  });

  test('a changed credential has a connection of its own', async () => {
    await occupyWorker();
    const workflow = await create(calling('work', credential, { keepAlive: 60 }));
    await run(workflow);
    const { id, name } = credential['mcpVerbatimHttpApi']!;
    const data = { url: server.url, transport: 'http', authentication: 'bearer', token: 'renewed' };
    await cluster.api.request('PATCH', `/rest/credentials/${id}`, { name, type: 'mcpVerbatimHttpApi', data });
    await run(workflow);
    expect(server.calls).toEqual([1, 2]);
  });

  test.for([2.2, 3.1])('AI Agent %d that is stopped: the server is told, and the session ends', async (typeVersion) => {
    await using endpoint = await startEndpoint();
    endpoint.play(callOf('work'), { text: 'Done.' });
    server.hold();
    const execution = await bench.begin(
      await create(
        agentWorkflow(await modelNode(bench, endpoint), [verbatimTool(credential)], { agent: { typeVersion } }),
      ),
    );
    await expect.poll(() => server.calls, patience).toHaveLength(1);
    await cluster.api.request('POST', `/rest/executions/${execution}/stop`);
    expect((await cluster.api.finished(execution)).status).toBe('canceled');
    await expect.poll(() => server.cancelled.length, patience).toBe(1);
    await ended();
  });

  test('behind an MCP Server Trigger, a session ends with its request', async () => {
    lacksToolkitsOnWorkers();
    await using gateway = await openGateway(cluster.api, [verbatimTool(credential)]);
    await gateway.callTool((await gateway.listTools()).find('work')!, {});
    expect(server.calls).toHaveLength(1);
    await expect.poll(() => [...server.open], patience).toEqual([]);
  });

  describe('of a server that wants OAuth2', () => {
    const renewals = (asked: { form: Record<string, string> }[]) =>
      asked.filter(({ form }) => form['grant_type'] === 'refresh_token');

    async function connected() {
      const oauth = await startOAuthServer({ refreshTokens: true });
      onTestFinished(() => oauth.close());
      const account = await createAccount(cluster.api, oauth.url);
      await connectAccount(cluster.api, account);
      return { oauth, account };
    }

    test('two workers whose token is refused at once renew it once', async () => {
      if (!isAtLeast(2, 41)) lacks('lock for renewing tokens');
      const { oauth, account } = await connected();
      const workflow = await create(calling('echo', account));
      oauth.revoke();
      oauth.gatherRefused(2);
      const executions = [await bench.begin(workflow), await bench.begin(workflow)];
      for (const id of executions) expect((await cluster.api.finished(id)).error).toBeUndefined();
      await run(workflow);
      expect(renewals(oauth.tokenRequests)).toHaveLength(1);
    });

    test('a token that another worker renews does not end the session of an agent', async () => {
      const { oauth, account } = await connected();
      const elsewhere = await create(calling('echo', account));
      await using endpoint = await startEndpoint();
      endpoint.play(callOf('echo'), callOf('echo'), { text: 'Done.' });
      const workflow = agentWorkflow(await modelNode(bench, endpoint), [verbatimTool(account)]);
      const pause = endpoint.pauseAt(2);
      const agent = await bench.begin(await create(workflow));
      await pause.reached;
      oauth.revoke();
      await run(elsewhere);
      pause.end();
      expect((await cluster.api.finished(agent)).error).toBeUndefined();
      const begun = oauth.seen.filter(
        ({ message, response }) => message.method === 'initialize' && response.statusCode === 200,
      );
      expect(begun).toHaveLength(2);
      expect(renewals(oauth.tokenRequests)).toHaveLength(1);
    });
  });

  test('a worker that is stopped lets an agent go on with its kept connection and process, and ends them with it', async () => {
    using diary = keepDiary();
    await using endpoint = await startEndpoint();
    await cluster.startWorker();
    await occupyWorker();
    await occupyWorker();
    const local = await bench.stdioCredential(diary.command, diary.args);
    const options = { keepAlive: 60 };
    endpoint.play(callOf('work'), callOf('echo'), callOf('work'), callOf('echo'), { text: 'Done.' });
    const workflow = agentWorkflow(await modelNode(bench, endpoint), [
      verbatimTool(credential, { options }, { name: 'First', id: 'first' }),
      verbatimTool(local, { options }, { name: 'Second', id: 'second' }),
    ]);
    const pause = endpoint.pauseAt(3);
    const execution = await bench.begin(await create(workflow));
    await pause.reached;
    const worker = workerOf(diary.started()[0]!);
    const stopped = worker[Symbol.asyncDispose]();
    await expect.poll(() => worker.output(), patience).toContain('Waiting for 1 active executions');
    pause.end();
    await stopped;
    expect((await cluster.api.finished(execution)).error).toBeUndefined();
    expect(server.calls).toEqual([1, 1]);
    expect(diary.started()).toHaveLength(1);
    await ended();
    await expect.poll(() => diary.running(), patience).toEqual([]);
  });

  test('a worker that is stopped ends what is kept of a step that connects for the first time while it waits', async () => {
    await occupyWorker();
    await occupyWorker();
    await cluster.startWorker();
    await using late = await beginLate(bench, credential);
    const worker = cluster.workers.at(-1)!;
    const stopped = worker[Symbol.asyncDispose]();
    await expect.poll(() => worker.output(), patience).toContain('Waiting for 1 active executions');
    await late.release();
    await stopped;
    expect((await cluster.api.finished(late.execution)).error).toBeUndefined();
    expect(server.calls).toEqual([1]);
    await ended();
  });

  test('a connection that is kept for less time than the model thinks is the same after it has thought', async () => {
    await using endpoint = await startEndpoint();
    const tool = verbatimTool(credential, { options: { keepAlive: 0.1 } });
    await thinkBetweenCalls(bench, endpoint, agentWorkflow(await modelNode(bench, endpoint), [tool]));
    expect(server.calls).toEqual([1, 1]);
    await ended();
  });

  test('a worker that is stopped while a person is asked leaves no process; the call comes from another worker', async () => {
    using diary = keepDiary();
    await using endpoint = await startEndpoint();
    await using messenger = await startMessenger();
    await cluster.startWorker();
    const tool = verbatimTool(await bench.stdioCredential(diary.command, diary.args));
    const execution = await beginReviewed(bench, endpoint, messenger, tool, 'echo');
    expect(diary.running()).toHaveLength(1);
    await workerOf(diary.started()[0]!)[Symbol.asyncDispose]();
    await expect.poll(() => diary.running(), patience).toEqual([]);
    await decide(messenger, 'Approve');
    expect((await cluster.api.finished(execution)).status).toBe('success');
    expect(diary.entries().filter((entry) => entry === 'called echo')).toHaveLength(1);
    expect(diary.started()).toHaveLength(2);
    await expect.poll(() => diary.running(), patience).toEqual([]);
  });

  test('a worker that is stopped takes its kept server processes along, and shuts down as it does without them', async () => {
    using diary = keepDiary();
    await cluster.startWorker();
    const local = await bench.stdioCredential(diary.command, diary.args);
    const workflow = await create(calling('echo', local, { keepAlive: 60 }));
    await occupyWorker();
    await occupyWorker();
    await run(workflow);
    const worker = workerOf(diary.started()[0]!);
    await worker[Symbol.asyncDispose]();
    expect(worker.output()).toContain('Stopping worker...');
    expect(await worker.ended).toBeNull();
    await expect.poll(() => diary.running(), patience).toEqual([]);
  });
});

function parentOf(pid: number): number {
  return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
}
