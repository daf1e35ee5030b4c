import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawServer, startRawServer } from '../hosts/n8n/raw-server.js';
import { readCorpus } from '../../test-support/servers/corpus.js';
import { sharedFolder } from '../../test-support/shared.js';
import { atUrl, fieldsOf, named, noticeOf } from './context.js';
import { unpackedPackage } from './packed.js';

const folder = sharedFolder('corpus');

describe.skipIf(folder === undefined)('the panels with the tools of the recorded servers', () => {
  const packed = folder === undefined ? undefined : unpackedPackage();
  let server: RawServer;

  beforeAll(async () => {
    server = await startRawServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test('say something of every tool, at a length that can be read and in no markup but their own', async () => {
    const wrong: string[] = [];
    const lengths: number[] = [];
    for (const { name, toolsListLines } of readCorpus(folder!)) {
      const tools = toolsListLines.flatMap(
        (line) => (JSON.parse(line) as { result: { tools: { name: string }[] } }).result.tools,
      );
      server.play((method) => (method === 'tools/list' ? { result: JSON.stringify({ tools }) } : undefined));
      // By its address, the nodes take each for a server of its own.
      const credentials = atUrl(`${server.url}/${name}`);
      const [about, call] = [packed!.node('McpVerbatimTool'), packed!.node('McpVerbatim')];
      const settings = { credentials: { mcpVerbatimHttpApi: { id: '1', name } } };
      const said = await noticeOf({ type: about, credentials, settings }, 'getToolsNotice');
      if (!said.includes('<b>raw 1.0.0</b>: ') || !isReadable(said)) wrong.push(name);
      for (const tool of tools) {
        for (const argumentsMode of ['form', 'json']) {
          const parameters = { operation: 'call', tool: named(tool.name), argumentsMode };
          const text = await noticeOf({ type: call, parameters, credentials }, 'getToolNotice');
          lengths.push(text.length);
          if (text === '' || !isReadable(text)) wrong.push(`${name} ${tool.name} ${argumentsMode}`);
        }
        const parameters = { operation: 'call', tool: named(tool.name) };
        const fields = await fieldsOf({ type: call, parameters, credentials }, 'getToolFields');
        if (fields.length > 100) wrong.push(`${name} ${tool.name} form`);
      }
    }
    lengths.sort((a, b) => a - b);
    console.log(
      `notices: ${lengths.length}, median ${lengths[lengths.length >> 1]} characters, longest ${lengths.at(-1)}`,
    );
    expect(wrong).toEqual([]);
  });
});

function isReadable(html: string): boolean {
  return html.length < 10_000 && !/<(?!\/?(?:b|br|ul|li|code|small)>)/.test(html);
}
