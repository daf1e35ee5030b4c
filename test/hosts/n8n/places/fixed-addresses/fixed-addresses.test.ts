import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { N8nApi } from '../../../../../test-support/n8n/api.js';
import { installCommunityPackage } from '../../../../../test-support/n8n/community-package.js';
import { installHost, isAtLeast } from '../../../../../test-support/n8n/install.js';
import { startN8n, type RunningN8n } from '../../../../../test-support/n8n/start.js';
import { createUserFolder, owner } from '../../../../../test-support/n8n/user-folder.js';
import { type CredentialReference, lacks, used } from '../../harness.js';
import { agentWorkflow, verbatimTool } from '../../../../../test-support/n8n/workflows.js';
import { expectCall, modelNode } from '../agent-run.js';
import { fixedChatModels } from '../chat-models.js';
import { expectSchemas, matrix } from '../matrix.js';
import { startEndpoint } from '../models/endpoint.js';
import { richTools, rootAlternatives, slips, startToolServer } from '../tool-server.js';
import { startTunnel, type Tunnel } from './tunnel.js';

const offered = [...richTools, rootAlternatives];

describe('AI Agent 3.1 with a chat model whose address is fixed', () => {
  const table = matrix('AI Agent 3.1 with the chat model');
  let userFolder: string | undefined;
  let n8n: RunningN8n | undefined;
  let api: N8nApi;
  const endpoint = used(startEndpoint);
  const tunnel = used(() => startTunnel(endpoint));
  const server = used(() => startToolServer(offered));
  let credential: CredentialReference;

  beforeAll(async () => {
    const host = await installHost();
    userFolder = await createUserFolder(host);
    await installCommunityPackage(userFolder, inject('tarball'));
    n8n = await startN8n(host, { userFolder, env: through(tunnel) });
    api = await N8nApi.login(n8n.url, owner);
    const data = { url: server.url, transport: 'http', authentication: 'none' };
    credential = { mcpVerbatimHttpApi: await api.createCredential('Server', 'mcpVerbatimHttpApi', data) };
  });
  afterAll(async () => {
    table.print();
    await n8n?.stop();
    if (userFolder !== undefined) await rm(userFolder, { recursive: true, force: true });
  });

  test.for(fixedChatModels)('$name', async (chatModel) => {
    const [major, minor, what] = chatModel.since ?? [0, 0, ''];
    if (!isAtLeast(major, minor)) lacks(what);
    server.offer(offered);
    endpoint.play({ calls: [{ name: 'find_relatives', arguments: slips }] }, { text: 'Done.' });
    const workflow = agentWorkflow(await modelNode({ api }, endpoint, chatModel), [verbatimTool(credential)]);
    const execution = await api.run(await api.createWorkflow(workflow), 'Start');
    const call = expectCall(execution, server, chatModel.losesResults ? undefined : endpoint.results());
    expect([...tunnel.hosts].at(-1)).toContain(chatModel.name.toLowerCase());
    table.row(chatModel.name, expectSchemas(endpoint.offers(), offered, chatModel.deviation), call);
  });
});

/** The environment of an n8n, and of the SDKs in it, behind a proxy. */
function through({ url }: Tunnel): Record<string, string> {
  return {
    HTTPS_PROXY: url,
    NO_PROXY: '127.0.0.1,localhost',
    NODE_USE_ENV_PROXY: '1',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  };
}
