import { afterAll, beforeAll, describe, test } from 'vitest';
import { openBench } from '../harness.js';
import type { Bench, CredentialReference } from '../harness.js';
import { agentWorkflow, verbatimTool } from '../workflows.js';
import { expectCall, modelNode } from './agentRun.js';
import { chatModels } from './chatModels.js';
import { expectSchemas, matrix } from './matrix.js';
import { startEndpoint } from './models/endpoint.js';
import type { Endpoint } from './models/endpoint.js';
import { richTools, rootAlternatives, slips, startToolServer } from './toolServer.js';
import type { ToolServer } from './toolServer.js';

const offered = [...richTools, rootAlternatives];

describe('AI Agent 3.1 with the chat model', () => {
  const table = matrix('AI Agent 3.1 with the chat model');
  let bench: Bench;
  let endpoint: Endpoint;
  let server: ToolServer;
  let credential: CredentialReference;

  beforeAll(async () => {
    bench = await openBench();
    endpoint = await startEndpoint();
    server = await startToolServer(offered);
    credential = await bench.httpCredential(server.url);
  });
  afterAll(async () => {
    table.print();
    await server[Symbol.asyncDispose]();
    await endpoint[Symbol.asyncDispose]();
    await bench[Symbol.asyncDispose]();
  });

  test.for(chatModels)('$name', async (chatModel) => {
    server.offer(offered);
    endpoint.play({ calls: [{ name: 'fg_findPersons', arguments: slips }] }, { text: 'Done.' });
    const workflow = agentWorkflow(await modelNode(bench, endpoint, chatModel), [verbatimTool(credential)]);
    const execution = await bench.run(workflow);
    const call = expectCall(execution, server, endpoint.results());
    table.row(chatModel.name, expectSchemas(endpoint.offers(), offered, chatModel.deviation), call);
  });
});
