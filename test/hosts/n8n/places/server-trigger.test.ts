import { test } from 'vitest';
import { resultText } from '../../../../src/internal.js';
import { isAtLeast } from '../../../../test-support/n8n/install.js';
import { verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { openBench } from '../harness.js';
import { expectArrival } from './agent-run.js';
import { expectMeaning, matrix } from './matrix.js';
import { openGateway } from './publish.js';
import { richTools, slips, startToolServer } from './tool-server.js';
import { expectTricky, trickyTools } from './tricky-tools.js';

test('MCP Server Trigger: n8n as a gateway', async () => {
  const table = matrix('Gateway');
  const wire = [...richTools, ...trickyTools];
  await using bench = await openBench();
  await using server = await startToolServer(wire);
  await using gateway = await openGateway(bench.api, [verbatimTool(await bench.httpCredential(server.url))]);
  const { tools } = await gateway.listTools();
  const result = await gateway.callTool(
    tools.find(({ name }) => name === 'find_relatives')!,
    slips,
  );
  const told = tools.map(({ name, inputSchema }) => ({ name, schema: JSON.stringify(inputSchema) }));
  expectTricky(told, dialect);
  table.row('MCP Server Trigger (gateway)', expectMeaning(told, wire), expectArrival(server, [resultText(result)]));
  table.print();
});

/** What n8n's copy of the MCP SDK turns Zod types into. */
const dialect = isAtLeast(2, 41)
  ? 'https://json-schema.org/draft/2020-12/schema'
  : 'http://json-schema.org/draft-07/schema#';
