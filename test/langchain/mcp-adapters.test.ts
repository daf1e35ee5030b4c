import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { mcpTools, type McpToolsOptions, type McpToolsSource } from '../../src/langchain/index.js';
import { fetchedPackages } from '../../test-support/packages.js';
import { serverForAll } from './server.js';
import { tool, toolCall } from './tools.js';

/**
 * Runs configurations for @langchain/mcp-adapters with the adapters themselves, too.
 */
const peers = fetchedPackages('bench/peers');
const page = readFileSync(fileURLToPath(new URL('../../docs/migrate.md', import.meta.url)), 'utf8');

/** A mark in each kind of content, by which it is found again. */
const marks = { text: 'WORDS', image: 'aW1hZ2U=', audio: 'c291bmQ=', resource: 'A FILE', resource_link: 'mark://link' };
const everyKind = [
  { type: 'text', text: marks.text },
  { type: 'image', data: marks.image, mimeType: 'image/png' },
  { type: 'audio', data: marks.audio, mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'mark://file', mimeType: 'text/plain', text: marks.resource } },
  { type: 'resource_link', uri: marks.resource_link, name: 'link' },
];

const server = serverForAll([
  tool('everything', {}, () => ({ content: everyKind })),
  tool('two', {}, () => ({ content: ['one', 'two'].map((text) => ({ type: 'text', text })) })),
  tool('counting', { inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } }),
  tool('failing', {}, () => ({ content: [{ type: 'text', text: 'no such file' }], isError: true })),
  tool('figures', {}, () => ({ content: [everyKind[1]], structuredContent: { rows: [1] } })),
  tool('twice', {}, () => ({
    content: [{ type: 'resource', resource: { uri: 'mark://rows', text: '{"rows":[1]}' } }],
    structuredContent: { rows: [1] },
  })),
]);

type Configuration = Record<string, unknown>;
const marksIn = (content: unknown) =>
  Object.keys(marks).filter((kind) => JSON.stringify(content).includes(marks[kind as keyof typeof marks]));

async function contentOf(name: string, source: Configuration, options: McpToolsOptions = {}): Promise<unknown> {
  await using tools = await mcpTools(source as unknown as McpToolsSource, options); // as from a file
  const found = tools.find((each) => [name, `a__${name}`].includes(each.name));
  // LangChain's types let a tool return anything.
  return ((await found?.invoke(toolCall(name, {}))) as unknown as { content: unknown }).content;
}

describe.skipIf(peers === undefined)('beside @langchain/mcp-adapters (npm run fetch:packages)', () => {
  interface Schema {
    shape?: Record<string, unknown>;
    _def: { left?: Schema; right?: Schema; schema?: Schema; options?: Schema[] };
  }
  interface PeerTool {
    name: string;
    description: string;
    invoke(call: object): Promise<{ content: unknown; text: string }>;
  }
  let schemas: Record<string, Schema>;
  let MultiServerMCPClient: new (config: object) => { getTools(): Promise<PeerTool[]>; close(): Promise<void> };

  beforeAll(async () => {
    const folder = join(peers!, 'node_modules/@langchain/mcp-adapters/dist');
    schemas = (await import(pathToFileURL(join(folder, 'types.js')).href)) as typeof schemas;
    ({ MultiServerMCPClient } = createRequire(join(folder, 'index.cjs'))('./index.cjs') as never);
  });

  /** The results of both packages for one server and the same options. */
  async function both<Result>(
    read: (tools: readonly PeerTool[]) => Result,
    [theirs, own]: readonly [object, McpToolsOptions] = [{}, { prefix: false }],
  ): Promise<[peer: Awaited<Result>, own: Awaited<Result>]> {
    const mcpServers = { a: { url: server.url } };
    const client = new MultiServerMCPClient({ mcpServers, useStandardContentBlocks: true, ...theirs });
    await using tools = await mcpTools({ mcpServers }, own);
    try {
      return [await read(await client.getTools()), await read(tools as unknown as PeerTool[])]; // `read` treats both alike
    } finally {
      await client.close();
    }
  }
  const called = (name: string, args: object) => (tools: readonly PeerTool[]) =>
    tools
      .find((each) => each.name === name)!
      .invoke(toolCall(name, args as Record<string, unknown>))
      .then(({ text }) => text, String);

  test.each<[what: string, options: readonly [object, McpToolsOptions]]>([
    ['alone', [{}, { prefix: false }]],
    ['with the server', [{ prefixToolNameWithServerName: true }, { prefix: true }]],
  ])('Tools have the same names as with the adapters: %s', async (_what, options) => {
    const [peer, own] = await both((tools) => tools.map(({ name }) => name), options);
    expect(own).toEqual(peer);
  });

  test('Text results and valid arguments are the same as with the adapters', async () => {
    for (const args of [{ n: 1 }, {}]) {
      const [peer, own] = await both(called('counting', args));
      expect(own).toBe(peer);
    }
  });

  test.each<[why: string, name: string, args: object, peer: RegExp, own: string]>([
    ['an error is an answer for the model', 'failing', {}, /ToolException.*no such file/s, 'no such file'],
    ['a malformed argument is repaired', 'counting', { n: '1' }, /did not match expected schema/, '{"n":1}'],
    ['texts are one text, which every provider takes', 'two', {}, /^onetwo$|^one\ntwo$/, 'one\n\ntwo'],
  ])('A difference from the adapters is as the docs say: %s', async (why, name, args, peer, own) => {
    expect(page.replace(/\s+/g, ' ')).toContain(why);
    expect(await both(called(name, args))).toEqual([expect.stringMatching(peer), own]);
  });

  const namesIn = ({ shape, _def: { left, right, schema, options = [] } }: Schema): string[] => [
    ...Object.keys(shape ?? {}),
    ...[left, right, schema, ...options].flatMap((part) => (part ? namesIn(part) : [])),
  ];

  test('Every option of the adapters is in the docs, and is supported or refused with a replacement', async () => {
    const beside = new Set(namesIn(schemas['clientConfigSchema']!));
    const own = new Set([
      ...namesIn(schemas['stdioConnectionSchema']!),
      ...namesIn(schemas['streamableHttpConnectionSchema']!),
    ]);
    expect([beside.size, own.size]).toEqual([19, 16]);
    const supported = [
      ...['mcpServers', 'defaultToolTimeout', 'outputHandling', 'transport', 'type', 'command', 'args', 'env', 'cwd'],
      ...['stderr', 'url', 'headers', 'authProvider', 'automaticSSEFallback'],
    ];
    for (const name of new Set([...beside, ...own])) {
      expect(page).toContain(name);
      if (supported.includes(name)) continue;
      const address = { url: server.url };
      const sources = [{ mcpServers: { a: address }, [name]: {} }, { mcpServers: { a: { ...address, [name]: {} } } }];
      for (const source of sources)
        await expect(mcpTools(source as never), name).rejects.toThrow(
          /(here it is "|leave it out, |in the options of )/,
        );
    }
  });

  test.each([
    ['all for the model', 'content', undefined],
    ['nothing for the model', 'artifact', undefined],
    [
      "a server's own over those for all",
      { text: 'content', image: 'artifact', audio: 'artifact', resource: 'artifact', resource_link: 'artifact' },
      { image: 'content', audio: 'content' },
    ],
  ])('A model reads the same of an answer as with the adapters: %s', async (_case, outputHandling, own) => {
    const source = { mcpServers: { a: { url: server.url, ...(own && { outputHandling: own }) } }, outputHandling };
    const client = new MultiServerMCPClient({ ...source, useStandardContentBlocks: true });
    const [peer] = await client.getTools();
    const { content } = await peer!.invoke(toolCall('everything', {}));
    await client.close();
    expect(marksIn(await contentOf('everything', source))).toEqual(marksIn(content));
  });
});

describe('outputHandling', () => {
  test('outputHandling may also be an option for all servers, beside other kinds for one server', async () => {
    const servers = { mcpServers: { a: { url: server.url, outputHandling: { image: 'content' } } } };
    const options: McpToolsOptions = { outputHandling: { image: 'artifact', resource: 'artifact' } };
    const read = marksIn(await contentOf('everything', servers, options));
    expect(read).toEqual(['text', 'image', 'audio', 'resource_link']);
  });

  test('outputHandling keeps everything in the artifact', async () => {
    await using tools = await mcpTools({ url: server.url }, { outputHandling: 'artifact' });
    expect(await tools[0]?.invoke(toolCall('everything', {}))).toMatchObject({
      content: 'The tool has answered. Its answer is kept for the program that called it.',
      artifact: { result: { content: everyKind } },
    });
  });

  test('outputHandling leaves the model the text of an error, by which it corrects its call', async () => {
    expect(await contentOf('failing', { url: server.url }, { outputHandling: 'artifact' })).toBe('no such file');
  });

  test('outputHandling also withholds structured content that repeats a withheld resource', async () => {
    const content = await contentOf('twice', { url: server.url }, { outputHandling: { resource: 'artifact' } });
    expect(content).not.toContain('rows');
    expect(await contentOf('twice', { url: server.url })).toContain('rows');
  });

  test('outputHandling treats other structured content as text', async () => {
    const [text, image] = ['text', 'image'].map((kind) =>
      contentOf('figures', { url: server.url }, { outputHandling: { [kind]: 'artifact' } }),
    );
    expect(await text).toMatchObject([{ type: 'image_url' }]);
    expect(await image).toBe('{"rows":[1]}');
  });
});
