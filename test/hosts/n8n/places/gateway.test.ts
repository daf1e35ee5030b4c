import { describe, expect, test } from 'vitest';
import { disagreements, fateOf, fatesOfAll } from '../../../../test-support/schemas/same-meaning.js';
import { corpusTools } from '../../../../test-support/schemas/corpus.js';
import { corpusIsComplete, sharedFolder } from '../../../../test-support/shared.js';
import { isAtLeast } from '../../../../test-support/n8n/install.js';
import { used } from '../harness.js';
import { verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { openGateway } from './publish.js';
import { setStage } from './stage.js';
import type { WireTool } from './tool-server.js';

const folder = sharedFolder('corpus');

/** These differ in wording at most, so they are not compared once more. */
const sameMeaning = ['identical but for $schema', 'equal as JSON', 'said at greater length'];

const toldAs2020 = {
  ...fatesOfAll,
  'identical but for $schema': 918,
  'equal as JSON': 411,
  'said at greater length': 1612,
  // n8n writes the boolean bounds of draft-04 as 2020-12 has them.
  changed: 1,
};

describe.skipIf(!folder)('all tools of published servers, where n8n knows only Zod', () => {
  // One server has all of them, so their names are just numbers.
  const tools = (folder ? corpusTools(folder) : []).map(
    ({ inputSchema }, index) => ({ name: `t${index}`, inputSchema }) as WireTool,
  );
  const stage = used(() => setStage(tools));

  test('MCP Server Trigger passes on all tools of published servers', async () => {
    await using session = await openGateway(stage.bench.api, [verbatimTool(stage.credential)]);
    const listed = await session.listTools();
    const told = new Map(listed.tools.map(({ name, inputSchema }) => [name, inputSchema as object]));
    const counts: Record<string, number> = {};
    for (const { name, inputSchema } of tools) {
      const [wire, schema] = [{ type: 'object', ...inputSchema }, told.get(name) ?? {}];
      const fate = fateOf(wire, schema);
      counts[fate] = (counts[fate] ?? 0) + 1;
      if (!sameMeaning.includes(fate)) expect(disagreements(wire, schema)).toEqual([]);
    }
    if (corpusIsComplete()) expect(counts).toEqual(isAtLeast(2, 41) ? toldAs2020 : fatesOfAll);
  });
});
