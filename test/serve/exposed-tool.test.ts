import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { readCatalogue } from '../../src/internal.js';
import { exposedTool } from '../../src/serve/clients/exposed-tool.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';

const odd = fc.oneof(fc.jsonValue(), fc.constant(undefined));
const schema = fc.record(
  {
    type: fc.oneof(fc.constant('object'), fc.constant(['object', 'null']), fc.constant(undefined)),
    properties: fc.oneof(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.oneof(fc.boolean(), fc.constant({}), fc.jsonValue())),
      odd,
    ),
    required: fc.oneof(fc.array(fc.string()), odd),
  },
  { requiredKeys: [] },
);
const definition = fc.record(
  {
    name: fc.constant('t'),
    inputSchema: schema,
    outputSchema: fc.oneof(schema, odd),
    title: odd,
    description: odd,
    annotations: fc.oneof(fc.record({ title: odd, readOnlyHint: odd, idempotentHint: odd }, { requiredKeys: [] }), odd),
    icons: fc.oneof(
      fc.array(fc.record({ src: odd, sizes: odd, theme: odd, mimeType: odd }, { requiredKeys: [] })),
      odd,
    ),
    execution: fc.oneof(fc.record({ taskSupport: odd }, { requiredKeys: [] }), odd),
    _meta: odd,
  },
  { requiredKeys: ['name', 'inputSchema'] },
);

describe('a tool as a client gets it', () => {
  const numRuns = lawRuns(1000);

  test('can always be read by the official SDK, which else loses the whole list', () => {
    let read = 0;
    fc.assert(
      fc.property(definition, (entry) => {
        const { tools } = readCatalogue([JSON.parse(JSON.stringify(entry))]);
        read += tools.length;
        const sent = tools.map((tool) => JSON.parse(exposedTool(tool, tool.name).text) as unknown);
        expect(ListToolsResultSchema.safeParse({ tools: sent }).error?.issues).toBeUndefined();
      }),
      { numRuns },
    );
    expect(read).toBeGreaterThan(numRuns / 10);
  });

  test("is the server's own text where the SDK reads that", () => {
    fc.assert(
      fc.property(definition, (entry) => {
        const [tool] = readCatalogue([JSON.parse(JSON.stringify(entry))]).tools;
        if (!tool || !ListToolsResultSchema.safeParse({ tools: [tool.definition] }).success) return;
        const { text, differences } = exposedTool(tool, tool.name);
        // An output schema that the SDK parses may still be one that it cannot compile.
        if (differences.some((remark) => remark.includes('outputSchema'))) return;
        expect(text).toBe(JSON.stringify(tool.definition));
      }),
      { numRuns },
    );
  });
});
