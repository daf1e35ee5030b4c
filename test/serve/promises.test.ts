import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cli } from '../cli/run.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { configured, connected, entryOf, listing, recording } from './as-process.js';

test.each(['short', '0123456789abcde', '0123456789 abcdef', '0123456789\nabcdef', 'ünïcödé-0123456789'])(
  'The token cannot be %j',
  async (token) => {
    const file = join(temporaryFolder(onTestFinished), 'token');
    writeFileSync(file, token);
    for (const from of [`@${file}`, '${MCP_TOKEN}']) {
      const args = ['serve', '--port', '0', '--token', from, ...recording('').command];
      const { code, stderr } = await cli(args, { env: { MCP_TOKEN: token } });
      expect([code, stderr]).toEqual([2, expect.stringContaining('16 or more visible ASCII characters')]);
    }
  },
);

test('The arguments that the entry of a server fixes are fixed for that server alone', async () => {
  const search = { name: 'search', inputSchema: { type: 'object', properties: { tenant: { type: 'string' } } } };
  const server = recording(
    `${listing(search)} 'tools/call': { content: [{ type: 'text', text: JSON.stringify(params?.arguments) }] },`,
  );
  const one = entryOf(server, { fixed: { search: { tenant: '${TENANT}' } } });
  const gateway = connected(['--config', configured({ one, two: entryOf(server) })], { env: { TENANT: 'acme' } });
  const { tools } = (await gateway.request('tools/list')).result;
  expect(tools.map(({ inputSchema }) => JSON.stringify(inputSchema).includes('tenant'))).toEqual([false, true]);
  for (const [name, tenant] of [
    ['one_search', 'acme'],
    ['two_search', 'evil'],
  ] as const)
    expect((await gateway.call(name, { tenant: 'evil' })).result.content[0]!.text).toBe(`{"tenant":"${tenant}"}`);
});

test('Prompts have the name of their server in front, and a resource is read from the server that listed it', async () => {
  const server = (uri: string) =>
    recording(
      `'prompts/list': { prompts: [{ name: 'p' }] }, 'prompts/get': { messages: [] },
      'resources/list': { resources: [{ uri: '${uri}', name: 'r' }] }, 'resources/read': { contents: [{ uri: params?.uri, text: '${uri}' }] },`,
      '',
      'tools: {}, prompts: {}, resources: {}',
    );
  const [one, two] = [server('r:1'), server('r:2')];
  const gateway = connected(['--config', configured({ one: entryOf(one), two: entryOf(two) })]);
  expect((await gateway.request('prompts/list')).result).toMatchObject({
    prompts: [{ name: 'one_p' }, { name: 'two_p' }],
  });
  await gateway.request('prompts/get', { name: 'two_p' });
  expect([one.got('prompts/get'), two.got('prompts/get').length]).toEqual([[], 1]);
  await gateway.request('resources/list');
  const read = await gateway.request('resources/read', { uri: 'r:2' });
  expect(read.result).toMatchObject({ contents: [{ text: 'r:2' }] });
  expect(one.got('resources/read')).toEqual([]);
});

test('A server that cannot be reached is listed once it is there', async () => {
  const one = recording(listing('search'));
  const late = join(temporaryFolder(onTestFinished), 'late.cjs');
  const gateway = connected(['--config', configured({ one: entryOf(one), late: entryOf({ file: late }) })]);
  expect(await gateway.names()).toEqual(['one_search']);
  writeFileSync(late, `require(${JSON.stringify(one.file)})`);
  expect(await gateway.names()).toEqual(['one_search', 'late_search']);
});
