import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawServer, startRawServer } from '../../test-support/servers/raw-server.js';
import { lawRuns, sampled } from '../../test-support/law-runs.js';
import { readCorpus } from '../../test-support/servers/corpus.js';
import { sharedFolder } from '../../test-support/shared.js';
import { atUrl, fieldsOf, named, noticeOf } from './context.js';
import { built } from './packed.js';

const folder = sharedFolder('corpus');

/** A sample of the recorded tools, at even distances; at hand of one of three servers. */
const step = Math.ceil(4_000 / lawRuns(1_000));

describe.skipIf(folder === undefined)('the panels with the tools of the recorded servers', () => {
  let server: RawServer;

  beforeAll(async () => {
    server = await startRawServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test('The panels describe every recorded tool in a readable length and without foreign markup', async () => {
    const wrong: string[] = [];
    for (const { name, toolsListLines } of sampled(readCorpus(folder!), 3)) {
      const tools = toolsListLines.flatMap(
        (line) => (JSON.parse(line) as { result: { tools: { name: string }[] } }).result.tools,
      );
      server.play((method) => (method === 'tools/list' ? { result: JSON.stringify({ tools }) } : undefined));
      // The path differs for each server, so the nodes keep their sessions apart.
      const credentials = atUrl(`${server.url}/${name}`);
      const [about, call] = [built.node('McpVerbatimTool'), built.node('McpVerbatim')];
      const settings = { credentials: { mcpVerbatimHttpApi: { id: '1', name } } };
      const said = await noticeOf({ type: about, credentials, settings }, 'getToolsNotice');
      if (!isReadable(said)) wrong.push(name);
      for (const tool of tools.filter((_, index) => index % step === 0)) {
        for (const argumentsMode of ['form', 'json']) {
          const parameters = { operation: 'call', tool: named(tool.name), argumentsMode };
          const text = await noticeOf({ type: call, parameters, credentials }, 'getToolNotice');
          if (!isReadable(text)) wrong.push(`${name} ${tool.name} ${argumentsMode}`);
          const help = await noticeOf({ type: call, parameters, credentials }, 'getToolHelp');
          if (help === '' || !isReadable(help)) wrong.push(`${name} ${tool.name} help`);
        }
        const parameters = { operation: 'call', tool: named(tool.name) };
        const fields = await fieldsOf({ type: call, parameters, credentials }, 'getToolFields');
        if (fields.length > 100) wrong.push(`${name} ${tool.name} form`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

function isReadable(html: string): boolean {
  return html.length < 10_000 && !/<(?!\/?(?:b|br|ul|li|code|small)>)/.test(html);
}
