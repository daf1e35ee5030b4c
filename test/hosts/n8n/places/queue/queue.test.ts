import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../../test-support/free-port.js';
import type { Workflow } from '../../../../../test-support/n8n/api.js';
import { noTaskRunner, quietEnvironment } from '../../../../../test-support/n8n/environment.js';
import { installHost, isAtLeast } from '../../../../../test-support/n8n/install.js';
import {
  agentWorkflow,
  singleNodeWorkflow,
  verbatim,
  verbatimTool,
} from '../../../../../test-support/n8n/workflows.js';
import { startMessenger } from '../../../../../test-support/servers/messenger.js';
import { startOAuthServer } from '../../../../../test-support/servers/oauth.js';
import { resultText } from '../../../../../src/internal.js';
import { connectAccount, createAccount } from '../../account.js';
import { published } from '../../../../../test-support/servers/published.js';
import { lacks, lacksToolkitsOnWorkers, used, usedEach, type CredentialReference } from '../../harness.js';
import { expectArrival, expectCall } from '../agent-run.js';
import { expectMeaning, expectSchemas } from '../expected-schemas.js';
import { openGateway } from '../publish.js';
import { keepDiary } from '../sessions/diary.js';
import { beginReviewed, calling, callOf, decide, patience } from '../sessions/scenes.js';
import { startSessionServer } from '../sessions/session-server.js';
import { setStage } from '../stage.js';
import { correct, richTools, slips } from '../tool-server.js';
import { startCluster } from './cluster.js';
import { hasRedis } from './redis.js';

const redis = hasRedis();
if (!redis && process.env['CI']) throw new Error('redis-server is not installed, and the tests of queue mode need it.');

describe.skipIf(!redis)(
  'queue mode with a main process and two workers, each of which runs one execution at a time',
  () => {
    const cluster = used(() => startCluster(inject('tarball')));
    const stage = used(() => setStage(richTools, cluster.api));
    const server = usedEach(startSessionServer);
    let credential: CredentialReference;

    beforeEach(async () => {
      stage.reset();
      credential = await stage.bench.httpCredential(server.url);
    });

    const create = (workflow: Workflow) => cluster.api.createWorkflow(workflow);
    const begin = async (workflow: Workflow) => await stage.bench.begin(await create(workflow));
    const run = async (id: string) => expect((await cluster.api.run(id, 'Start')).error).toBeUndefined();

    /** Resolves when all sessions of the server have ended. */
    const sessionsEnd = () => expect.poll(() => server.open.size, patience).toBe(0);

    /** The worker that has started a process. */
    const workerOf = (process: number) => cluster.workers.find(({ pid }) => pid === parentOf(process))!;

    /** Keeps one worker busy until the test ends, so that all other executions run on the other worker. */
    async function occupyWorker(): Promise<() => Promise<void>> {
      const elsewhere = await startSessionServer();
      const held = elsewhere.hold();
      const execution = await begin(calling('work', await stage.bench.httpCredential(elsewhere.url)));
      const leave = async () => {
        held.release();
        await cluster.api.finished(execution);
        await elsewhere[Symbol.asyncDispose]();
      };
      onTestFinished(leave);
      await expect.poll(() => elsewhere.calls, patience).toHaveLength(1);
      return leave;
    }

    test.for([2.2, 3.1])('AI Agent %d calls the tools in queue mode', async (typeVersion) => {
      const { bench, endpoint, chatModel } = stage;
      const tool = verbatimTool(stage.credential);
      const execution = await bench.run(agentWorkflow(chatModel, [tool], { agent: { typeVersion } }));
      expectCall(execution, stage.server, endpoint.results());
      expectSchemas(endpoint.offers(), richTools);
    });

    test('Executions on both workers at the same time have their own connections', async () => {
      const { bench, endpoint, chatModel } = stage;
      endpoint.gather(2);
      const workflow = agentWorkflow(chatModel, [verbatimTool(stage.credential)]);
      const both = await Promise.all([bench.run(workflow), bench.run(workflow)]);
      expect(both.map(({ status }) => status)).toEqual(['success', 'success']);
      expect(stage.server.calls().map(({ arguments: args }) => args)).toEqual([correct, correct]);
      const asked = (method: string) => stage.server.methods().filter((sent) => sent === method).length;
      expect([asked('initialize'), asked('tools/list')]).toEqual([2, 2]);
    });

    test('Calls through MCP Server Trigger run on workers', async () => {
      lacksToolkitsOnWorkers();
      await using session = await openGateway(cluster.api, [verbatimTool(stage.credential)]);
      const listed = await session.listTools();
      const result = await session.callTool(listed.find('find_relatives')!, slips);
      const told = listed.tools.map(({ name, inputSchema }) => ({ name, schema: JSON.stringify(inputSchema) }));
      expectMeaning(told, richTools);
      expectArrival(stage.server, [resultText(result)]);
    });

    // Equal names without a prefix do not work here: n8n's worker asks only the called node for its tools.
    test('Behind MCP Server Trigger, a prefix tells two nodes with equal tool names apart, and their sessions end', async () => {
      lacksToolkitsOnWorkers();
      await using other = await startSessionServer();
      const options = { toolNamePrefix: 'other' };
      await using session = await openGateway(cluster.api, [
        verbatimTool(credential, {}, { name: 'First' }),
        verbatimTool(await stage.bench.httpCredential(other.url), { options }, { name: 'Second' }),
      ]);
      const listed = await session.listTools();
      for (const name of ['work', 'other_work']) {
        expect(resultText(await session.callTool(listed.find(name)!, {}))).toContain('Worked.');
      }
      expect([server.calls.length, other.calls.length]).toEqual([1, 1]);
      await expect.poll(() => [...server.open, ...other.open], patience).toEqual([]);
    });

    test('A kept connection serves the executions of its own worker only', async () => {
      const held = server.hold();
      const workflow = await create(calling('work', credential, { keepConnection: 60 }));
      const first = await stage.bench.begin(workflow);
      await expect.poll(() => server.calls, patience).toEqual([1]);
      await run(workflow);
      await run(workflow);
      expect(server.calls).toEqual([1, 2, 2]);
      held.release();
      expect((await cluster.api.finished(first)).status).toBe('success');
      expect([server.begun, server.open]).toEqual([[1, 2], new Set([1, 2])]);
    });

    test('A forgotten kept session is opened again, and a changed credential gets its own connection', async () => {
      await occupyWorker();
      const workflow = await create(calling('work', credential, { keepConnection: 60 }));
      await run(workflow);
      server.forget();
      await run(workflow);
      await run(workflow);
      const { id, name } = credential['mcpVerbatimHttpApi']!;
      const data = { url: server.url, transport: 'http', authentication: 'bearer', token: 'renewed' };
      await cluster.api.request('PATCH', `/rest/credentials/${id}`, { name, type: 'mcpVerbatimHttpApi', data });
      await run(workflow);
      expect(server.calls).toEqual([1, 2, 2, 3]);
    });

    test.for([2.2, 3.1])(
      'Stopping AI Agent %d cancels the call at the server and ends the session',
      async (typeVersion) => {
        stage.endpoint.play(callOf('work'), { text: 'Done.' });
        server.hold();
        const agent = { typeVersion };
        const execution = await begin(agentWorkflow(stage.chatModel, [verbatimTool(credential)], { agent }));
        await expect.poll(() => server.calls, patience).toHaveLength(1);
        await cluster.api.request('POST', `/rest/executions/${execution}/stop`);
        expect((await cluster.api.finished(execution)).status).toBe('canceled');
        await expect.poll(() => server.cancelled.length, patience).toBe(1);
        await sessionsEnd();
      },
    );

    describe('of a server that wants OAuth2', () => {
      const oauth = usedEach(() => startOAuthServer({ refreshTokens: true }));
      let account: CredentialReference;

      beforeEach(async () => {
        account = await createAccount(cluster.api, oauth.url);
        await connectAccount(cluster.api, account);
      });

      const renewals = () => oauth.tokenRequests.filter(({ form }) => form['grant_type'] === 'refresh_token');

      test('Two workers whose token is rejected at the same time renew it once', async () => {
        if (!isAtLeast(2, 41)) lacks('lock for renewing tokens');
        const workflow = await create(calling('echo', account));
        oauth.revoke();
        oauth.gatherRefused(2);
        const executions = [await stage.bench.begin(workflow), await stage.bench.begin(workflow)];
        for (const id of executions) expect((await cluster.api.finished(id)).error).toBeUndefined();
        await run(workflow);
        expect(renewals()).toHaveLength(1);
      });

      test('A token that another worker renews does not end the session of an agent', async () => {
        const elsewhere = await create(calling('echo', account));
        const { endpoint, chatModel } = stage;
        endpoint.play(callOf('echo'), callOf('echo'), { text: 'Done.' });
        const pause = endpoint.pauseAt(2);
        const agent = await begin(agentWorkflow(chatModel, [verbatimTool(account)]));
        await pause.reached;
        oauth.revoke();
        await run(elsewhere);
        pause.end();
        expect((await cluster.api.finished(agent)).error).toBeUndefined();
        const begun = oauth.seen.filter(
          ({ message, response }) => message.method === 'initialize' && response.statusCode === 200,
        );
        expect(begun).toHaveLength(2);
        expect(renewals()).toHaveLength(1);
      });
    });

    describe('who may start servers by a command', () => {
      const { command, args } = published('server-everything');
      const data = {
        command,
        args: { values: args.map((value) => ({ value })) },
        environment: {},
        workingDirectory: '',
      };
      const refused = /not allowed on an n8n with several users[^]*MCP_VERBATIM_STDIO=on/;

      /** The main process runs the credential's test, a worker the workflow. */
      async function attempts(workflow: string, { id, name }: { id: string; name: string }): Promise<string[]> {
        const tested = await cluster.api.testCredential(id, name, 'mcpVerbatimStdioApi', data);
        const { status, error } = await cluster.api.run(workflow, 'Start');
        const ran = status === 'error' ? `${error?.message}\n${error?.description}` : status;
        return [`${tested.status}: ${tested.message}`, ran];
      }

      async function onCommandLine(workflow: string): Promise<string> {
        const host = await installHost();
        const cwd = cluster.userFolder;
        const quiet = quietEnvironment(cwd, await freePort(), await freePort());
        const options = { cwd, env: { ...quiet, ...noTaskRunner, EXECUTIONS_MODE: 'regular' }, maxBuffer: 1e8 };
        const executed = promisify(execFile)(host.node, [host.n8n, 'execute', `--id=${workflow}`], options);
        return (await executed.catch((failed: unknown) => failed as { stdout: string })).stdout;
      }

      test('In queue mode, every process lets a single user start servers by a command, and none of several users', async () => {
        const reference = await cluster.api.createCredential('Everything', 'mcpVerbatimStdioApi', data);
        const list = verbatim({ mcpVerbatimStdioApi: reference }, { operation: 'list' });
        const workflow = await create(singleNodeWorkflow(list));
        expect(await attempts(workflow, reference)).toEqual([
          expect.stringMatching(/^OK: Connected to .*Everything/),
          'success',
        ]);
        const [second] = await cluster.api.request<{ user: { id: string } }[]>('POST', '/rest/invitations', [
          { email: 'second@example.com', role: 'global:member' },
        ]);
        onTestFinished(() => cluster.api.request('DELETE', `/rest/users/${second!.user.id}`));
        const isRefused: unknown = expect.stringMatching(refused);
        expect(await attempts(workflow, reference)).toEqual([isRefused, isRefused]);
        expect(await onCommandLine(workflow)).toMatch(/several users/);
      });
    });

    // The last test: it leaves one worker.
    test('A stopped worker leaves no kept process and no process of a call that waits for a person; another worker makes that call', async () => {
      using kept = keepDiary();
      using reviewed = keepDiary();
      await using messenger = await startMessenger();
      const { bench, endpoint } = stage;
      const leave = await occupyWorker();
      const local = await bench.stdioCredential(kept.command, kept.args);
      await run(await create(calling('echo', local, { keepConnection: 60 })));
      const tool = verbatimTool(await bench.stdioCredential(reviewed.command, reviewed.args));
      const execution = await beginReviewed(bench, endpoint, messenger, tool, 'echo');
      expect([kept.running().length, reviewed.running().length]).toEqual([1, 1]);
      const worker = workerOf(kept.started()[0]!);
      await worker[Symbol.asyncDispose]();
      expect(worker.output()).toContain('Stopping worker...');
      expect(await worker.ended).toBeNull();
      await expect.poll(() => [...kept.running(), ...reviewed.running()], patience).toEqual([]);
      await leave();
      await decide(messenger, 'Approve');
      expect((await cluster.api.finished(execution)).status).toBe('success');
      expect(reviewed.entries().filter((entry) => entry === 'called echo')).toHaveLength(1);
      expect(reviewed.started()).toHaveLength(2);
      await expect.poll(() => reviewed.running(), patience).toEqual([]);
    });
  },
);

function parentOf(pid: number): number {
  return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
}
