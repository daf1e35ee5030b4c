import { test } from 'vitest';
import { resultText } from '../../../../src/internal.js';
import { verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { openBench } from '../harness.js';
import { expectArrival } from './agent-run.js';
import { expectMeaning } from './expected-schemas.js';
import { openGateway } from './publish.js';
import { richTools, slips, startToolServer } from './tool-server.js';
import { trickyTools } from './tricky-tools.js';

test('MCP Server Trigger makes n8n a gateway', async () => {
  const wire = [...richTools, ...trickyTools];
  await using bench = await openBench();
  await using server = await startToolServer(wire);
  await using gateway = await openGateway(bench.api, [verbatimTool(await bench.httpCredential(server.url))]);
  const { tools } = await gateway.listTools();
  const find = tools.find(({ name }) => name === 'find_relatives')!;
  expectArrival(server, [resultText(await gateway.callTool(find, slips))]);
  const told = tools.map(({ name, inputSchema }) => ({ name, schema: JSON.stringify(inputSchema) }));
  expectMeaning(told, wire);
});
