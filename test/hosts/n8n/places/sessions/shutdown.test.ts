import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { expect, inject, test } from 'vitest';
import { N8nApi } from '../../../../../test-support/n8n/api.js';
import { installCommunityPackage } from '../../../../../test-support/n8n/community-package.js';
import { installHost } from '../../../../../test-support/n8n/install.js';
import { startN8n } from '../../../../../test-support/n8n/start.js';
import { createUserFolder, owner } from '../../../../../test-support/n8n/user-folder.js';
import { openBench } from '../../harness.js';
import type { CredentialReference } from '../../harness.js';
import { callTool, singleNodeWorkflow } from '../../../../../test-support/n8n/workflows.js';
import { keepDiary } from './diary.js';
import { startSessionServer } from './session-server.js';

test('an n8n that is stopped finishes its executions, and leaves neither a process nor a session behind', async () => {
  using diary = keepDiary();
  await using server = await startSessionServer();
  const held = server.hold();
  const host = await installHost();
  const userFolder = await createUserFolder(host);
  await installCommunityPackage(userFolder, inject('tarball'));
  const n8n = await startN8n(host, { userFolder });
  const bench = await openBench(await N8nApi.login(n8n.url, owner));
  try {
    const overHttp = await bench.httpCredential(server.url);
    await bench.begin(await bench.api.createWorkflow(calling('work', overHttp)));
    await expect.poll(() => server.calls, patience).toEqual([1]);
    for (const kept of [
      calling('echo', await bench.stdioCredential(diary.command, diary.args), 60),
      calling('work', overHttp, 60),
    ]) {
      expect((await bench.run(kept)).error).toBeUndefined();
    }
    expect([diary.running().length, server.open.size]).toEqual([1, 2]);

    const stopped = n8n.stop();
    await expect.poll(() => readFileSync(n8n.logFile, 'utf8'), patience).toContain('Waiting for 1 active executions');
    await expect.poll(() => [...server.open], patience).toEqual([1]);
    held.release();
    await stopped;
    expect(server.open.size).toBe(0);
    await expect.poll(() => diary.running(), patience).toEqual([]);
  } finally {
    await n8n.stop();
    await bench[Symbol.asyncDispose]();
    await rm(userFolder, { recursive: true, force: true });
  }
});

/** A limit against hanging. */
const patience = { timeout: 60_000 };

function calling(tool: string, credential: CredentialReference, keepAlive = 0) {
  return singleNodeWorkflow(callTool(credential, tool, { keepAlive }, { id: 'caller' }));
}
