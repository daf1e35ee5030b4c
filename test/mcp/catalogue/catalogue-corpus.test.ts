import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../../src/mcp/index.js';
import { readCorpus } from '../../../test-support/servers/corpus.js';
import { startReplayServer, type ReplayServer } from '../../../test-support/servers/replay.js';
import { sharedFolder } from '../../../test-support/shared.js';

const folder = sharedFolder('corpus');
const corpus = folder ? readCorpus(folder) : [];

/** Servers that escape more than JSON.stringify does (`\u0027`, `\u003c`): no writer but their own gives their very bytes. */
const escapesMore = ['azure__mcp-linux-x64', 'digitalocean__mcp', 'microsoft__fabric-mcp', 'microsoft__workiq'];

describe.skipIf(!folder)('given the recorded answers of published servers', () => {
  let server: ReplayServer;
  beforeAll(async () => {
    server = await startReplayServer();
  });
  afterAll(() => server.close());

  test.each(corpus.map(({ name, toolsListLines }) => [name, toolsListLines] as const))(
    '%s: every tool as its server wrote it',
    async (name, lines) => {
      await using session = await connect({ url: server.url(name) });
      const { tools, skipped } = await session.listTools();

      const wire = lines.flatMap((line) => (JSON.parse(line) as { result: { tools: object[] } }).result.tools);
      expect(skipped).toEqual([]);
      expect(tools.map(({ definition }) => JSON.stringify(definition))).toEqual(
        wire.map((tool) => JSON.stringify(tool)),
      );
      if (escapesMore.includes(name)) return;
      const bytes = lines.join('\n');
      for (const { name, definition, inputSchema } of tools) {
        expect(bytes.includes(JSON.stringify(definition)), `the definition of ${name} is a substring of the wire`).toBe(
          true,
        );
        expect(
          bytes.includes(`"inputSchema":${JSON.stringify(inputSchema)}`),
          `the inputSchema of ${name} is a substring of the wire`,
        ).toBe(true);
      }
    },
  );

  test.each(escapesMore.filter((name) => corpus.some((server) => server.name === name)))(
    '%s: its bytes differ from canonical JSON by escapes alone',
    (name) => {
      const { toolsListLines } = corpus.find((server) => server.name === name)!;
      for (const line of toolsListLines) expect(unescape(line)).toBe(unescape(JSON.stringify(JSON.parse(line))));
    },
  );
});

/** Replaces the escapes of characters that need none. */
function unescape(json: string): string {
  return json
    .replace(/\\u([0-9a-fA-F]{4})/g, (escape, hex: string) => {
      const char = String.fromCharCode(parseInt(hex, 16));
      return char === '"' ? '\\"' : char === '\\' || char < ' ' ? escape : char;
    })
    .replaceAll('\\/', '/');
}
