import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Execution } from '../../../../../test-support/n8n/api.js';
import { useBench, type CredentialReference } from '../../harness.js';
import { callTool, singleNodeWorkflow } from '../../../../../test-support/n8n/workflows.js';
import { assembled, extended, node } from '../assemble.js';
import { postPublished, publish } from '../publish.js';
import { keepDiary, type Diary } from './diary.js';

describe('a server process', () => {
  const bench = useBench();
  let diary: Diary;
  let credential: CredentialReference;

  beforeEach(async () => {
    diary = keepDiary();
    credential = await bench.stdioCredential(diary.command, diary.args);
  });
  afterEach(() => diary[Symbol.dispose]());

  const calling = (tool: 'echo' | 'hang', options: object) => callTool(credential, tool, options, { id: 'caller' });

  /** Begins an execution whose call never ends, and waits until the server has it. */
  async function beginHanging(
    options: object,
    settings: object = {},
  ): Promise<{ workflow: string; execution: string }> {
    const whole = singleNodeWorkflow(calling('hang', options));
    const workflow = await bench.api.createWorkflow({ ...whole, settings: { ...whole.settings, ...settings } });
    const execution = await bench.begin(workflow);
    await expect.poll(() => diary.entries(), patience).toContain('called hang');
    return { workflow, execution };
  }

  const stop = (execution: string) => bench.api.request('POST', `/rest/executions/${execution}/stop`);

  const ends: { what: string; status: string; end(options: object): Promise<Execution> }[] = [
    {
      what: 'has finished',
      status: 'success',
      end: (options) => bench.run(singleNodeWorkflow(calling('echo', options))),
    },
    {
      what: 'has failed in a later node',
      status: 'error',
      async end(options) {
        const failing = node('Fail', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'Enough.' });
        const connections = [{ from: 'MCP Verbatim', to: 'Fail', type: 'main' }];
        return await bench.run(extended(singleNodeWorkflow(calling('echo', options)), [failing], connections));
      },
    },
    {
      what: 'was stopped',
      status: 'canceled',
      async end(options) {
        const { execution } = await beginHanging(options);
        await stop(execution);
        return await bench.api.finished(execution);
      },
    },
    {
      what: 'took longer than its workflow may',
      status: 'canceled',
      async end(options) {
        const { execution } = await beginHanging(options, { executionTimeout: 10 });
        return await bench.api.finished(execution);
      },
    },
  ];

  describe.for(ends)('of an execution that $what', ({ status, end }) => {
    test.for([
      ['ends with it', {}],
      ['ends, if it was kept, when nobody has used it for as long as it was to be kept', { keepAlive: 0.1 }],
    ] as const)('%s', async ([, options]) => {
      expect((await end(options)).status).toBe(status);
      await expect.poll(() => diary.running(), patience).toEqual([]);
      expect(diary.started()).toHaveLength(1);
    });
  });

  test('that is kept survives an execution that is stopped: it is told of that, and serves the next one', async () => {
    const { workflow, execution } = await beginHanging({ keepAlive: 60 });
    await stop(execution);
    await expect.poll(() => diary.entries(), patience).toContainEqual(expect.stringContaining('cancelled'));
    await bench.api.request(
      'PATCH',
      `/rest/workflows/${workflow}`,
      singleNodeWorkflow(calling('echo', { keepAlive: 0.1 })),
    );
    expect((await bench.api.run(workflow, 'Start')).error).toBeUndefined();
    expect(diary.started()).toHaveLength(1);
    // The use that began last decides for how long it is kept.
    await expect.poll(() => diary.running(), patience).toEqual([]);
  });

  test('that was kept ends also when its workflow is not active any more', async () => {
    const path = randomUUID();
    const trigger = node(
      'Webhook',
      'n8n-nodes-base.webhook',
      2,
      { path, httpMethod: 'POST', responseMode: 'lastNode', options: {} },
      { webhookId: path },
    );
    const call = calling('echo', { keepAlive: 1 });
    const id = await publish(
      bench.api,
      assembled('Published', [trigger, call], [{ from: 'Webhook', to: call.name, type: 'main' }]),
    );
    expect((await postPublished(`${bench.api.url}/webhook/${path}`, {})).status).toBe(200);
    await bench.api.request('POST', `/rest/workflows/${id}/deactivate`);
    expect(diary.started()).toHaveLength(1);
    await expect.poll(() => diary.running(), patience).toEqual([]);
  });
});

/** A limit against hanging. */
const patience = { timeout: 60_000 };
