import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Execution } from '../../../../../test-support/n8n/api.js';
import { useBench, type CredentialReference } from '../../harness.js';
import { callTool, singleNodeWorkflow } from '../../../../../test-support/n8n/workflows.js';
import { assembled, extended, node, webhook } from '../assemble.js';
import { postPublished, publish } from '../publish.js';
import { keepDiary, type Diary } from './diary.js';
import { patience } from './scenes.js';

interface Program {
  diary: Diary;
  credential: CredentialReference;
}

describe('a server process', () => {
  const bench = useBench();
  let program: Program;
  let other: Program;

  async function createProgram(): Promise<Program> {
    const diary = keepDiary();
    return { diary, credential: await bench.stdioCredential(diary.command, diary.args) };
  }

  beforeEach(async () => {
    [program, other] = [await createProgram(), await createProgram()];
    return () => [program, other].forEach(({ diary }) => diary[Symbol.dispose]());
  });

  const calling = (tool: 'echo' | 'hang', { credential }: Program, options: object = {}) =>
    callTool(credential, tool, options, { id: 'caller' });

  /** Begins an execution whose call never ends, and resolves when the server has received it. */
  async function beginHanging(of: Program, options: object, settings: object = {}) {
    const whole = singleNodeWorkflow(calling('hang', of, options));
    const workflow = await bench.api.createWorkflow({ ...whole, settings: { ...whole.settings, ...settings } });
    const execution = await bench.begin(workflow);
    await expect.poll(() => of.diary.entries(), patience).toContain('called hang');
    return { workflow, execution };
  }

  const stop = (execution: string) => bench.api.request('POST', `/rest/executions/${execution}/stop`);

  const ends: { what: string; status: string; end(of: Program, options: object): Promise<Execution> }[] = [
    {
      what: 'has finished',
      status: 'success',
      end: (of, options) => bench.run(singleNodeWorkflow(calling('echo', of, options))),
    },
    {
      what: 'has failed in a later node',
      status: 'error',
      async end(of, options) {
        const failing = node('Fail', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'Enough.' });
        const connections = [{ from: 'MCP Verbatim', to: 'Fail', type: 'main' }];
        return await bench.run(extended(singleNodeWorkflow(calling('echo', of, options)), [failing], connections));
      },
    },
    {
      what: 'was stopped',
      status: 'canceled',
      async end(of, options) {
        const { execution } = await beginHanging(of, options);
        await stop(execution);
        return await bench.api.finished(execution);
      },
    },
    {
      what: 'took longer than its workflow may',
      status: 'canceled',
      async end(of, options) {
        const { execution } = await beginHanging(of, options, { executionTimeout: 10 });
        return await bench.api.finished(execution);
      },
    },
  ];

  test.for(ends)(
    'A server process ends with an execution that $what, or if it was kept, after its idle time',
    async ({ status, end }) => {
      const executions = await Promise.all([end(program, {}), end(other, { keepConnection: 0.1 })]);
      expect(executions.map((execution) => execution.status)).toEqual([status, status]);
      for (const { diary } of [program, other]) {
        await expect.poll(() => diary.running(), patience).toEqual([]);
        expect(diary.started()).toHaveLength(1);
      }
    },
  );

  test('A kept server process survives a stopped execution: it is told to cancel, and serves the next one', async () => {
    const { diary } = program;
    const { workflow, execution } = await beginHanging(program, { keepConnection: 60 });
    await stop(execution);
    await expect.poll(() => diary.entries(), patience).toContainEqual(expect.stringContaining('cancelled'));
    const next = singleNodeWorkflow(calling('echo', program, { keepConnection: 0.1 }));
    await bench.api.request('PATCH', `/rest/workflows/${workflow}`, next);
    expect((await bench.api.run(workflow, 'Start')).error).toBeUndefined();
    expect(diary.started()).toHaveLength(1);
    // The latest use decides how long the connection is kept.
    await expect.poll(() => diary.running(), patience).toEqual([]);
  });

  test('A kept server process ends when its workflow is deactivated', async () => {
    const path = randomUUID();
    const call = calling('echo', program, { keepConnection: 1 });
    const id = await publish(
      bench.api,
      assembled('Published', [webhook(path, 'lastNode'), call], [{ from: 'Webhook', to: call.name, type: 'main' }]),
    );
    expect((await postPublished(`${bench.api.url}/webhook/${path}`, {})).status).toBe(200);
    await bench.api.request('POST', `/rest/workflows/${id}/deactivate`);
    expect(program.diary.started()).toHaveLength(1);
    await expect.poll(() => program.diary.running(), patience).toEqual([]);
  });
});
