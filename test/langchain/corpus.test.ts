import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { describe, expect, test } from 'vitest';
import { mcpTools } from '../../src/langchain/index.js';
import { sampled } from '../../test-support/law-runs.js';
import { readCorpus } from '../../test-support/servers/corpus.js';
import { startReplayServer } from '../../test-support/servers/replay.js';
import { sharedFolder } from '../../test-support/shared.js';

const folder = sharedFolder('corpus');

describe.skipIf(!folder)('every recorded tool', () => {
  test('With providerSafe off, every recorded tool reaches the model to the character, except for what its root lacks', async () => {
    const corpus = sampled(readCorpus(folder ?? ''), 3);
    const server = await startReplayServer();
    const changed: string[] = [];
    let told = 0;
    let offered = 0;
    for (const { name, toolsListLines } of corpus) {
      const wire = toolsListLines.flatMap(
        (line) => (JSON.parse(line) as { result: { tools: { name: string; inputSchema: object }[] } }).result.tools,
      );
      offered += wire.length;
      await using tools = await mcpTools({ url: server.url(name) }, { providerSafe: false });
      for (const tool of tools) {
        told++;
        const inputSchema = wire.find((candidate) => candidate.name === tool.tool.name)?.inputSchema;
        // Existing members keep their places.
        const expected = { type: 'object', ...inputSchema };
        const whole = 'properties' in expected ? expected : { ...expected, properties: {} };
        const ordered = 'type' in (inputSchema ?? {}) ? { ...inputSchema, ...whole } : whole;
        if (JSON.stringify(convertToOpenAITool(tool).function.parameters) !== JSON.stringify(ordered))
          changed.push(`${name}: ${tool.name}`);
      }
    }
    await server.close();
    expect(changed).toEqual([]);
    expect(told).toBe(offered);
  });
});
