import { beforeEach, describe, expect, test } from 'vitest';
import { isAtLeast } from '../../../../../test-support/n8n/install.js';
import { agentWorkflow, verbatimTool } from '../../../../../test-support/n8n/workflows.js';
import { lacks, startOwnN8n, used } from '../../harness.js';
import { expectCall, modelNode } from '../agent-run.js';
import { fixedChatModels } from '../chat-models.js';
import { expectSchemas } from '../expected-schemas.js';
import { startEndpoint } from '../models/endpoint.js';
import { setStage } from '../stage.js';
import { richTools, rootAlternatives } from '../tool-server.js';
import { startTunnel, type Tunnel } from './tunnel.js';

const offered = [...richTools, rootAlternatives];

describe('AI Agent with a chat model whose address is fixed', () => {
  const endpoint = used(startEndpoint);
  const tunnel = used(() => startTunnel(endpoint));
  const host = used(() => startOwnN8n(through(tunnel)));
  const stage = used(() => setStage(offered, host.api, endpoint));

  beforeEach(() => stage.reset());

  test.for(fixedChatModels)(
    'AI Agent with $name, whose address is fixed, sends every schema and calls a tool',
    async (chatModel) => {
      const [major, minor, what] = chatModel.since ?? [0, 0, ''];
      if (!isAtLeast(major, minor)) lacks(what);
      const { bench, credential, server } = stage;
      const model = await modelNode(bench, endpoint, chatModel);
      const execution = await bench.run(agentWorkflow(model, [verbatimTool(credential)]));
      expectCall(execution, server, chatModel.losesResults ? undefined : endpoint.results());
      expect([...tunnel.hosts].at(-1)).toContain(chatModel.name.toLowerCase());
      expectSchemas(endpoint.offers(), offered, chatModel.deviation);
    },
  );
});

/** The environment of an n8n, and of its SDKs, behind a proxy. */
function through({ url }: Tunnel): Record<string, string> {
  return {
    HTTPS_PROXY: url,
    NO_PROXY: '127.0.0.1,localhost',
    NODE_USE_ENV_PROXY: '1',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  };
}
