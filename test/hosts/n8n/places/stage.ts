import { beforeEach } from 'vitest';
import type { N8nApi, WorkflowNode } from '../../../../test-support/n8n/api.js';
import { openBench, used, type Bench, type CredentialReference } from '../harness.js';
import { modelNode } from './agent-run.js';
import { startEndpoint, type Endpoint } from './models/endpoint.js';
import { richTools, slips, startToolServer, type ToolServer, type WireTool } from './tool-server.js';

/** Everything that a working agent needs: an n8n, a chat model and its node, an MCP server and its credential. */
export interface Stage extends AsyncDisposable {
  readonly bench: Bench;
  readonly endpoint: Endpoint;
  readonly chatModel: WorkflowNode;
  readonly server: ToolServer;
  readonly credential: CredentialReference;
  /** Makes the server forget its calls, and the model call `find_relatives` with slips. */
  reset(): void;
}

/**
 * @param n8n default: the one that all files share
 * @param given an existing endpoint
 */
export async function setStage(tools: WireTool[] = richTools, n8n?: N8nApi, given?: Endpoint): Promise<Stage> {
  const bench = await openBench(n8n);
  const endpoint = given ?? (await startEndpoint());
  const server = await startToolServer(tools);
  return {
    bench,
    endpoint,
    chatModel: await modelNode(bench, endpoint),
    server,
    credential: await bench.httpCredential(server.url),
    reset() {
      server.offer(tools);
      endpoint.play({ calls: [{ name: 'find_relatives', arguments: slips }] }, { text: 'Done.' });
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      if (endpoint !== given) await endpoint[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

/** A stage for all tests of a group, reset before each. */
export function useStage(): Stage {
  const stage = used(setStage);
  beforeEach(() => stage.reset());
  return stage;
}
