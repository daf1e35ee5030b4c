import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../../../test-support/free-port.js';
import { N8nApi } from '../../../test-support/n8n/api.js';
import { installCommunityPackage } from '../../../test-support/n8n/community-package.js';
import { quietEnvironment } from '../../../test-support/n8n/environment.js';
import { installHost, type Host } from '../../../test-support/n8n/install.js';
import { startN8n } from '../../../test-support/n8n/start.js';
import { createUserFolder, owner } from '../../../test-support/n8n/user-folder.js';
import { startCluster } from './places/queue/cluster.js';
import { hasRedis } from './places/queue/redis.js';
import { published } from './foreign-servers.js';
import { singleNodeWorkflow, verbatim } from '../../../test-support/n8n/workflows.js';

const { command, args } = published('server-everything');
const data = { command, args: { values: args.map((value) => ({ value })) }, environment: {}, workingDirectory: '' };

const refused = /not allowed on an n8n with several users[^]*MCP_VERBATIM_STDIO=on/;

async function createListing(api: N8nApi): Promise<string> {
  const credential = { mcpVerbatimStdioApi: await api.createCredential('Everything', 'mcpVerbatimStdioApi', data) };
  return await api.createWorkflow(singleNodeWorkflow(verbatim(credential, { operation: 'list' })));
}

async function attempts(api: N8nApi, workflow: string): Promise<string[]> {
  const { id, name } = await api.createCredential('Tested', 'mcpVerbatimStdioApi', data);
  const tested = await api.testCredential(id, name, 'mcpVerbatimStdioApi', data);
  const { status, error } = await api.run(workflow, 'Start');
  return [
    `${tested.status}: ${tested.message}`,
    status === 'error' ? `${error?.message}\n${error?.description}` : status,
  ];
}

async function invite(api: N8nApi): Promise<void> {
  await api.request('POST', '/rest/invitations', [{ email: 'second@example.com', role: 'global:member' }]);
}

const works = [expect.stringMatching(/^OK: Connected to .*Everything/), 'success'];
const isRefused = [expect.stringMatching(refused), expect.stringMatching(refused)];

describe('starting servers by a command', () => {
  let host: Host;
  let userFolder: string;
  let workflow: string;

  beforeAll(async () => {
    host = await installHost();
    userFolder = await createUserFolder(host);
    await installCommunityPackage(userFolder, inject('tarball'));
  });
  afterAll(() => rm(userFolder, { recursive: true, force: true }));

  async function withN8n(env: Record<string, string>, use: (api: N8nApi) => Promise<void>): Promise<void> {
    await using n8n = await startN8n(host, { userFolder, env });
    await use(await N8nApi.login(n8n.url, owner));
  }

  async function onCommandLine(): Promise<string> {
    const env = { ...quietEnvironment(userFolder, await freePort(), await freePort()), EXECUTIONS_MODE: 'regular' };
    const ended = promisify(execFile)(host.node, [host.n8n, 'execute', `--id=${workflow}`], {
      env,
      cwd: userFolder,
      maxBuffer: 1e8,
    });
    const { stdout } = await ended.catch((failed: unknown) => failed as { stdout: string });
    return stdout;
  }

  test('is allowed where n8n has one user, and refused once another one is invited', async () => {
    await withN8n({}, async (api) => {
      workflow = await createListing(api);
      expect(await attempts(api, workflow)).toEqual(works);
      await invite(api);
      expect(await attempts(api, workflow)).toEqual(isRefused);
    });
    expect(await onCommandLine()).toMatch(/several users/);
  });

  test('is allowed to several users where the environment says so', async () => {
    await withN8n({ MCP_VERBATIM_STDIO: 'on' }, async (api) => {
      expect(await attempts(api, workflow)).toEqual(works);
    });
  });

  test('is refused to everyone where the environment says so', async () => {
    await withN8n({ MCP_VERBATIM_STDIO: 'off' }, async (api) => {
      const off = expect.stringMatching(/switched off[^]*MCP_VERBATIM_STDIO=off/);
      expect(await attempts(api, workflow)).toEqual([off, off]);
    });
  });
});

const redis = hasRedis();
if (!redis && process.env['CI']) throw new Error('redis-server is not installed, and the test on a worker needs it.');

test.skipIf(!redis)('a worker asks the same question', async () => {
  await using cluster = await startCluster(inject('tarball'), 1, 1);
  const workflow = await createListing(cluster.api);
  expect(await attempts(cluster.api, workflow)).toEqual(works);
  await invite(cluster.api);
  expect(await attempts(cluster.api, workflow)).toEqual(isRefused);
});
