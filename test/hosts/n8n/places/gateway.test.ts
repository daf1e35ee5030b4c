import { describe, expect, test } from 'vitest';
import { sentSchema } from '../../../../src/projections/index.js';
import { disagreements, fateOf, fatesOfAll } from '../../../nodes/same-meaning.js';
import { corpusTools } from '../../../../test-support/schemas/corpus.js';
import { corpusIsComplete, sharedFolder } from '../../../../test-support/shared.js';
import { isAtLeast } from '../../../../test-support/n8n/install.js';
import { used } from '../harness.js';
import { verbatimTool } from '../../../../test-support/n8n/workflows.js';
import { messageNodes, messageWorkflow } from './message-nodes.js';
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

// Combinations at the root are resolved before n8n's types are made.
const apart = 'combinations at the root told in words';
const fatesAtOpenAi = {
  ...Object.fromEntries(Object.entries(fatesOfAll).filter(([fate]) => fate !== apart)),
  'annotations at the root left out: discriminator, x-content-type': 7,
  'annotations at the root left out: x-content-type': 107,
  'identical but for $schema': 1083,
  'said at greater length': 1614,
};

describe.skipIf(!folder)('all tools of published servers, where n8n knows only Zod', () => {
  // One server has all of them, so their names are just numbers.
  const tools = (folder ? corpusTools(folder) : []).map(
    ({ inputSchema }, index) => ({ name: `t${index}`, inputSchema }) as WireTool,
  );
  const stage = used(() => setStage(tools));

  test('MCP Server Trigger', async () => {
    await using session = await openGateway(stage.bench.api, [verbatimTool(stage.credential)]);
    const listed = await session.listTools();
    const told = new Map(listed.tools.map(({ name, inputSchema }) => [name, inputSchema]));
    expectSameMeaning(told, isAtLeast(2, 41) ? toldAs2020 : fatesOfAll);
  });

  test('"Message a model"', async () => {
    const { bench, endpoint } = stage;
    endpoint.play({ text: 'Thank you.' });
    const openAi = messageNodes.find(({ name }) => name === 'OpenAI 1.8')!;
    await bench.run(await messageWorkflow(bench.api, endpoint, openAi, verbatimTool(stage.credential)));
    const told = new Map(endpoint.offers().map((offer) => [offer.name, JSON.parse(offer.schema) as object]));
    // The node sends to OpenAI, so it gets the form that OpenAI accepts.
    expectSameMeaning(told, fatesAtOpenAi, (schema) => sentSchema(schema, 'openai').schema);
  });

  function expectSameMeaning(
    told: Map<string, object>,
    fates: Record<string, number>,
    sent = (schema: WireTool['inputSchema']): object => schema,
  ): void {
    const counts: Record<string, number> = {};
    for (const { name, inputSchema } of tools) {
      const [wire, schema] = [sent({ type: 'object', ...inputSchema }), told.get(name) ?? {}];
      const fate = fateOf(wire, schema);
      counts[fate] = (counts[fate] ?? 0) + 1;
      if (!sameMeaning.includes(fate)) expect(disagreements(wire, schema)).toEqual([]);
    }
    if (corpusIsComplete()) expect(counts).toEqual(fates);
  }
});
