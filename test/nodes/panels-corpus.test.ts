import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawServer, startRawServer } from '../hosts/n8n/raw-server.js';
import { readCorpus } from '../../test-support/servers/corpus.js';
import { sharedFolder } from '../../test-support/shared.js';
import { atUrl, editor, named } from './context.js';
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
      const summary = await about.methods?.resourceMapping?.['getToolsNotice']?.call(
        editor({ type: about, credentials, settings: { credentials: { mcpVerbatimHttpApi: { id: '1', name } } } }),
      );
      const said = summary?.emptyFieldsNotice ?? '';
      if (!said.includes('<b>raw 1.0.0</b>: ') || !isReadable(said)) wrong.push(name);
      for (const tool of tools) {
        for (const argumentsMode of ['form', 'json']) {
          const parameters = { operation: 'call', tool: named(tool.name), argumentsMode };
          const notice = await call.methods?.resourceMapping?.['getToolNotice']?.call(
            editor({ type: call, parameters, credentials }),
          );
          const text = notice?.emptyFieldsNotice ?? '';
          lengths.push(text.length);
          if (text === '' || !isReadable(text)) wrong.push(`${name} ${tool.name} ${argumentsMode}`);
        }
        const form = await call.methods?.resourceMapping?.['getToolFields']?.call(
          editor({ type: call, parameters: { operation: 'call', tool: named(tool.name) }, credentials }),
        );
        if (form === undefined || form.fields.length > 100) wrong.push(`${name} ${tool.name} form`);
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
