import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { exposedTool, readCatalogue } from '../../src/internal.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';

/** Mostly absent: otherwise the SDK could read nearly no tool. */
const odd = fc.oneof({ weight: 1, arbitrary: fc.jsonValue() }, { weight: 4, arbitrary: fc.constant(undefined) });
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

// If the SDK cannot read one tool, it loses the whole list.
test('A tool is exposed in a form that the official SDK can read, unchanged if possible', () => {
  const numRuns = lawRuns(1000);
  const isRead = (...tools: unknown[]) => ListToolsResultSchema.safeParse({ tools }).success;
  const read = { adapted: 0, untouched: 0 };
  fc.assert(
    fc.property(definition, (entry) => {
      const [tool] = readCatalogue([JSON.parse(JSON.stringify(entry))]).tools;
      if (!tool) return;
      const { text, differences } = exposedTool(tool, tool.name);
      expect(isRead(JSON.parse(text)), text).toBe(true);
      // The SDK may parse an output schema that it cannot compile.
      const isOwn = isRead(tool.definition) && !differences.some((difference) => difference.includes('outputSchema'));
      read[isOwn ? 'untouched' : 'adapted']++;
      if (isOwn) expect(text).toBe(JSON.stringify(tool.definition));
    }),
    { numRuns },
  );
  for (const count of Object.values(read)) expect(count).toBeGreaterThan(numRuns / 100);
});
