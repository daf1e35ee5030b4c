import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAtLeast } from '../../../../../test-support/n8n/install.js';
import { type CredentialReference, lacks, openBench, startOwnN8n, used } from '../../harness.js';
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
  const endpoint = used(startEndpoint);
  const tunnel = used(() => startTunnel(endpoint));
  const server = used(() => startToolServer(offered));
  const host = used(() => startOwnN8n(through(tunnel)));
  const bench = used(() => openBench(host.api));
  let credential: CredentialReference;

  beforeAll(async () => {
    credential = await bench.httpCredential(server.url);
  });
  afterAll(async () => {
    table.print();
  });

  test.for(fixedChatModels)('$name', async (chatModel) => {
    const [major, minor, what] = chatModel.since ?? [0, 0, ''];
    if (!isAtLeast(major, minor)) lacks(what);
    server.offer(offered);
    endpoint.play({ calls: [{ name: 'find_relatives', arguments: slips }] }, { text: 'Done.' });
    const workflow = agentWorkflow(await modelNode(bench, endpoint, chatModel), [verbatimTool(credential)]);
    const execution = await bench.run(workflow);
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
