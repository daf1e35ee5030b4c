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

test('The fixed arguments of an entry apply to its server alone', async () => {
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

test('The tools of a server that could not be reached are listed once it can', async () => {
  const one = recording(listing('search'));
  const late = join(temporaryFolder(onTestFinished), 'late.cjs');
  const gateway = connected(['--config', configured({ one: entryOf(one), late: entryOf({ file: late }) })]);
  expect(await gateway.names()).toEqual(['one_search']);
  writeFileSync(late, `require(${JSON.stringify(one.file)})`);
  expect(await gateway.names()).toEqual(['one_search', 'late_search']);
});
