import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { interruptOn, mcpTools, type McpTools, type McpToolsOptions } from '../../src/langchain/index.js';
import { prefixesForModels, startHostileServer } from '../../test-support/servers/hostile.js';
import { startServer } from './server.js';
import { tool, toolCall } from './tools.js';

const lineBreak = /[\r\n\v\f\u0085\u2028\u2029]/;

describe.each(Object.entries(prefixesForModels))('a server whose texts begin with %s', (_name, prefix) => {
  let url: string;
  let close: () => Promise<void>;
  let tools: McpTools;
  const opened = (options?: McpToolsOptions) => mcpTools({ mcpServers: { hostile: { url } } }, options);
  beforeAll(async () => {
    ({ url, close } = await startHostileServer(prefix));
    tools = await opened();
  });
  afterAll(async () => {
    await tools.close();
    await close();
  });

  test('A hostile server cannot speak for another server or for this package in the instructions', async () => {
    await using honest = await startServer([tool('honest')]);
    const away = { url: 'http://127.0.0.1:9/mcp' };
    await using all = await mcpTools({ mcpServers: { hostile: { url }, honest: { url: honest.url }, away } });
    const ours = all.instructions.split(lineBreak).filter((line) => line !== '' && !line.startsWith('> '));
    expect(ours).toEqual([
      'About the tools of "hostile":',
      'The server "away" is not available: its tools are missing.',
    ]);
  });

  test("A hostile server's tools have legal names, and consent is asked for each under its own name", () => {
    expect(tools.map(({ tool: { name } }) => name)).toContain(`${prefix}named`);
    for (const { name } of tools) expect(name).toMatch(/^[\w-]{1,64}$/);
    expect(Object.entries(interruptOn(tools, 'all'))).toEqual(tools.map(({ name }) => [name, true]));
  });

  test('A hostile server adds no line to a refusal, by a name or a schema', async () => {
    for (const each of tools) {
      const args = { [`${prefix}property`]: 5, choice: prefix, constant: prefix, number: prefix, pattern: prefix };
      const { content, status } = (await each.invoke(toolCall(each.name, args))) as never as Message;
      expect(status).toBe('error');
      const [title, ...lines] = content.split(lineBreak);
      expect(title).toBe(`Invalid arguments for tool ${quoted(each.tool.name)}. The tool was not called.`);
      expect(lines.pop()).toMatch(/^Correct them and call it again\./);
      for (const line of lines) expect(line).toMatch(/^- \//);
    }
  });

  test('A hostile server adds no tool to those that a search finds', async () => {
    await using searching = await opened({ toolSearch: 'on' });
    const [search] = searching;
    expect(search!.description).not.toMatch(lineBreak);
    const call = toolCall(search!.name, { query: 'say fail refuse' });
    const { content, artifact } = (await search!.invoke(call)) as never as Message;
    expect(artifact.found.length).toBeGreaterThan(2);
    expect(content.split(lineBreak).map((line) => /^[\w-]+(?=\()/.exec(line)?.[0])).toEqual([
      undefined,
      ...artifact.found,
    ]);
  });

  test('A hostile server sets only the type in the address of an image', async () => {
    const say = tools.find(({ name }) => name === 'say')!;
    const { content } = (await say.invoke(toolCall('say', {}))) as never as { content: Block[] };
    expect(content.length).toBeGreaterThan(7);
    for (const { image_url: image } of content)
      if (image) expect(image.url).toMatch(/^data:image\/[\w.+-]+;base64,AAAA$/);
    // The package's own words about a block are on one line, in brackets.
    for (const { text = '' } of content) if (text.startsWith('[')) expect(text.split(lineBreak)[0]).toMatch(/^\[.*\]$/);
  });

  test('A hostile server forges no lines of the report', () => {
    const [report] = tools.report;
    expect(report!.skipped.length).toBe(2);
    const messages = [...report!.notes, ...report!.skipped.map(({ reason }) => reason)].map(({ message }) => message);
    for (const message of messages) expect(message).not.toMatch(lineBreak);
  });
});

interface Message {
  content: string;
  status: string;
  artifact: { found: string[] };
}

interface Block {
  text?: string;
  image_url?: { url: string };
}

/** Quoted as JSON, on one line. */
function quoted(name: string): string {
  return JSON.stringify(name).replaceAll('\u2028', '\\u2028');
}
