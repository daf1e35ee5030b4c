import { afterAll, beforeAll, expect, test } from 'vitest';
import { pinFileText, pinTools, readCatalogue, readPinFile } from '../../src/index.js';
import { mcpTools } from '../../src/langchain/index.js';
import { startServer } from './server.js';
import type { TestServer } from './server.js';
import { tool } from './tools.js';

const search = tool('search', { inputSchema: { type: 'object', properties: { limit: { maximum: 100 } } } });
const changed = tool('search', { inputSchema: { type: 'object', properties: { limit: { maximum: 500 } } } });

/** What was approved: search as it was, and close. */
const approved = readCatalogue([search.definition, tool('close').definition]);
let server: TestServer;

beforeAll(async () => {
  server = await startServer([changed, tool('close'), tool('fresh')]);
});
afterAll(() => server.close());

const pins = () => pinTools(approved, { url: server.url });
const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

test('what has changed and what is new is set aside, and reported in words', async () => {
  await using tools = await mcpTools({ url: server.url }, { pins: pins() });
  expect(names(tools)).toEqual(['close']);
  expect(tools.report[0]).toMatchObject({
    status: 'connected',
    setAside: [
      { name: 'search', position: 0, reason: { code: 'changed-since-approved' } },
      { name: 'fresh', position: 2, reason: { code: 'not-approved' } },
    ],
    differences: [
      { kind: 'changed', changes: ['/inputSchema/properties/limit: maximum was 100 and is 500'] },
      { kind: 'added', tool: 'fresh' },
    ],
  });
});

test("what has changed is offered with 'warn', and what is new is not", async () => {
  await using tools = await mcpTools({ url: server.url }, { pins: pins(), whenChanged: 'warn' });
  expect(names(tools)).toEqual(['search', 'close']);
  expect(tools.report[0]?.differences.map(({ kind }) => kind)).toEqual(['changed', 'added']);
});

test("a lone server fails with 'fail', and one of several does not keep the others", async () => {
  await expect(mcpTools({ url: server.url }, { pins: pins(), whenChanged: 'fail' })).rejects.toMatchObject({
    code: 'PINS_DIFFER',
    message: expect.stringContaining('maximum was 100 and is 500') as string,
  });
  await using other = await startServer([tool('close')]);
  const servers = { mcpServers: { changed: { url: server.url }, same: { url: other.url } } };
  const same = pinTools(readCatalogue([tool('close').definition]), { url: other.url });
  const file = readPinFile(pinFileText({ changed: pins(), same }));
  await using tools = await mcpTools(servers, { pins: file, whenChanged: 'fail' });
  expect(names(tools)).toEqual(['same__close']);
  expect(tools.report.map(({ status }) => status)).toEqual(['failed', 'connected']);
});

test('a server that was not approved, or is another one, offers nothing', async () => {
  const file = readPinFile(pinFileText({ other: pins() }));
  const servers = { mcpServers: { tracker: { url: server.url } } };
  await using unknown = await mcpTools(servers, { pins: file });
  expect(names(unknown)).toEqual([]);
  const elsewhere = pinTools(approved, { url: 'https://example.com/mcp' });
  await using moved = await mcpTools({ url: server.url }, { pins: elsewhere });
  expect(names(moved)).toEqual([]);
  expect(moved.report[0]?.differences[0]).toMatchObject({ kind: 'server' });
});

test("'whenChanged' without pins is an error", async () => {
  await expect(mcpTools({ url: server.url }, { whenChanged: 'fail' })).rejects.toThrow('needs "pins"');
});

test('the instructions of a server are cut where they are too long', async () => {
  const { instructions } = await longWinded();
  expect(instructions).toHaveLength(10_000);
  expect(instructions.endsWith('…')).toBe(true);
});

async function longWinded() {
  const session = await mcpTools({ url: server.url }).then((tools) => tools.session());
  return await mcpTools(
    Object.create(session, { instructions: { value: 'word '.repeat(20_000) } }) as typeof session, // of its prototype
  );
}
