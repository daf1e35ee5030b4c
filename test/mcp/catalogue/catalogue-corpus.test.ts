import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../../src/mcp/index.js';
import { sampled } from '../../../test-support/law-runs.js';
import { readCorpus } from '../../../test-support/servers/corpus.js';
import { startReplayServer, type ReplayServer } from '../../../test-support/servers/replay.js';
import { sharedFolder } from '../../../test-support/shared.js';

const folder = sharedFolder('corpus');
const corpus = folder ? readCorpus(folder) : [];

describe.skipIf(!folder)('given the recorded answers of published servers', () => {
  let server: ReplayServer;
  beforeAll(async () => {
    server = await startReplayServer();
  });
  afterAll(() => server.close());

  test.each(sampled(corpus).map(({ name, toolsListLines }) => [name, toolsListLines] as const))(
    '%s: every tool is as its server wrote it',
    async (name, lines) => {
      await using session = await connect({ url: server.url(name) });
      const { tools, skipped } = await session.listTools();
      const wire = lines.flatMap((line) => (JSON.parse(line) as { result: { tools: object[] } }).result.tools);
      expect(skipped).toEqual([]);
      expect(tools.map(({ definition }) => JSON.stringify(definition))).toEqual(
        wire.map((tool) => JSON.stringify(tool)),
      );
      const bytes = lines.join('\n');
      for (const { name, text } of tools) {
        expect(bytes.includes(text!.definition), `the text of ${name} is a substring of the wire`).toBe(true);
        expect(text!.definition.includes(text!.inputSchema), `the schema of ${name} is one of its text`).toBe(true);
      }
    },
  );
});
