import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callTool, connect, type TypedCallTool } from '../../src/index.js';
import { serverForAll, startServer } from '../langchain/server.js';
import { tool } from '../langchain/tools.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { refusedLines } from '../../test-support/compiled.js';
import { cli } from './run.js';

const folder = temporaryFolder();
const greet = (name: object) => {
  const inputSchema = { type: 'object', properties: { name }, required: ['name'], additionalProperties: false };
  return tool('greet', { description: 'Greets.', inputSchema });
};
const server = serverForAll([greet({ type: 'string' }), tool('other')], 'types-server');

test('A module has the types of the tools, and a callTool that the compiler checks', async () => {
  const { code, stdout } = await cli(['types', '--url', server.url]);
  expect(code).toBe(0);
  // Stands in for the library, so that the library is not compiled here.
  const library = `type TypedCallTool<Tools> = <Name extends keyof Tools & string>(session: object, tool: Name, args: Tools[Name]) => void;\ndeclare const call: TypedCallTool<any>;`;
  const source = stdout.replace(/^import .*$/m, library);
  const calls = ["'greet', { name: 'Ada' }", "'greet', { name: 1 }", "'greet', { name: 'Ada', more: 1 }", "'none', {}"];
  const [compiled] = refusedLines([{ source, lines: calls.map((args) => `callTool({}, ${args});`) }]);
  expect([compiled?.isUsable, ...(compiled?.lines ?? [])]).toEqual([true, 1, 2, 3]);
});

test('A written file still matches after formatting, and no longer once a tool has changed', async () => {
  const out = join(folder, 'tools.ts');
  expect(await cli(['types', '--url', server.url, '--out', out])).toMatchObject({ code: 0, stdout: '' });
  writeFileSync(out, readFileSync(out, 'utf8').replace(/^ {2}/gm, '\t'));
  expect(await cli(['types', '--url', server.url, '--check', out])).toMatchObject({ code: 0, stdout: '' });

  // Parts that are in no type may change, and so may the order.
  await using alike = await startServer([tool('other', { title: 'Other' }), greet({ type: 'string' })]);
  expect(await cli(['types', '--url', alike.url, '--check', out])).toMatchObject({ code: 0 });
  await using changed = await startServer([greet({ type: 'integer' }), tool('other')]);
  const { code, stdout } = await cli(['types', '--url', changed.url, '--check', out]);
  const advice = `${out} no longer matches the tools. Write it again: mcp-verbatim types --out ${out} …\n`;
  expect([code, stdout]).toEqual([1, advice]);
});

test('The generated callTool calls a tool by its name', async () => {
  await using session = await connect({ url: server.url });
  const typed: TypedCallTool<{ greet: { name: string } }> = callTool;
  const { result } = await typed(session, 'greet', { name: 'Ada' });
  expect(result.isError).toBe(false);
  const unknown = { code: 'UNKNOWN_TOOL', message: 'The server has no tool "none".' };
  await expect(callTool(session, 'none', {})).rejects.toMatchObject(unknown);
});
