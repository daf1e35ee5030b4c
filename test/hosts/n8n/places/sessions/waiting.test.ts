import { expect, test } from 'vitest';
import { useBench } from '../../harness.js';
import { verbatimTool } from '../../../../../test-support/n8n/workflows.js';
import { startMessenger } from '../../../../../test-support/servers/messenger.js';
import { startEndpoint } from '../models/endpoint.js';
import { beginReviewed, decide, patience } from './scenes.js';
import { startSessionServer } from './session-server.js';

const bench = useBench();

test.for(['Approve', 'Decline'])(
  'The session of an execution outlives its wait for a person, and ends with the execution: %s',
  async (decision) => {
    await using server = await startSessionServer();
    await using endpoint = await startEndpoint();
    await using messenger = await startMessenger();
    const tool = verbatimTool(await bench.httpCredential(server.url));
    const execution = await beginReviewed(bench, endpoint, messenger, tool, 'work');
    expect([...server.open]).toEqual([1]);

    await decide(messenger, decision);
    expect((await bench.api.finished(execution)).status).toBe('success');
    expect(server.calls).toEqual(decision === 'Approve' ? [1] : []);
    await expect.poll(() => [...server.open], patience).toEqual([]);
  },
);
