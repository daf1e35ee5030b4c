import { setImmediate as immediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { disagreements, fateOf, fatesOfAll } from '../../../nodes/same-meaning.js';
import { corpusTools } from '../../../../test-support/schemas/corpus.js';
import { sharedFolder } from '../../../../test-support/shared.js';
import { isAtLeast } from '../../../../test-support/n8n/install.js';
import { useBench, used } from '../harness.js';
import { verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { messageNodes, messageWorkflow } from './message-nodes.js';
import { startEndpoint } from './models/endpoint.js';
import { openGateway } from './publish.js';
import { startToolServer, type WireTool } from './tool-server.js';

const folder = sharedFolder('corpus');

describe.skipIf(!folder)('all tools of published servers, where n8n knows only Zod', () => {
  // One server offers them all, so their names say no more than which is which.
  const tools = (folder ? corpusTools(folder) : []).map(
    ({ inputSchema }, index) => ({ name: `t${index}`, inputSchema }) as WireTool,
  );
  const bench = useBench();
  const endpoint = used(startEndpoint);
  const server = used(() => startToolServer(tools));

  test('MCP Server Trigger', async () => {
    const told = await toldByGateway();
    expect(fates(told)).toEqual(isAtLeast(2, 41) ? toldAs2020 : fatesOfAll);
    expect(await otherMeaning(told)).toBe(0);
  });

  test('"Message a model"', async () => {
    const told = await toldByMessage();
    expect(fates(told)).toEqual(fatesOfAll);
    expect(await otherMeaning(told)).toBe(0);
  });

  const toldAs2020 = {
    ...fatesOfAll,
    'identical but for $schema': 918,
    'equal as JSON': 411,
    'said at greater length': 1612,
    // n8n writes the boolean bounds of draft-04 as 2020-12 has them.
    changed: 1,
  };

  async function toldByGateway(): Promise<Map<string, object>> {
    await using session = await openGateway(bench.api, [verbatimTool(await bench.httpCredential(server.url))]);
    const listed = await session.listTools();
    return new Map(listed.tools.map(({ name, inputSchema }) => [name, inputSchema]));
  }

  async function toldByMessage(): Promise<Map<string, object>> {
    const tool = verbatimTool(await bench.httpCredential(server.url));
    endpoint.play({ text: 'Thank you.' });
    const openAi = messageNodes.find(({ name }) => name.startsWith('OpenAI 1.8'))!;
    await bench.run(await messageWorkflow(bench.api, endpoint, openAi, tool));
    return new Map(endpoint.offers().map((offer) => [offer.name, JSON.parse(offer.schema) as object]));
  }

  function fates(told: Map<string, object>): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { name, inputSchema } of tools) {
      const fate = fateOf({ type: 'object', ...inputSchema }, told.get(name) ?? {});
      counts[fate] = (counts[fate] ?? 0) + 1;
    }
    return counts;
  }

  async function otherMeaning(told: Map<string, object>): Promise<number> {
    let count = 0;
    for (const { name, inputSchema } of tools) {
      if (disagreements({ type: 'object', ...inputSchema }, told.get(name) ?? {}).length > 0) count++;
      await immediate(); // n8n closes idle connections in the meantime, and fetch has to notice
    }
    return count;
  }
});
