import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startHttpServer } from '../../test-support/servers/http.js';
import { startServer } from '../langchain/server.js';
import { tool } from '../langchain/tools.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { cli, containing, matching } from './run.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
});

const config = (servers: Record<string, string>) => {
  const mcpServers = Object.fromEntries(Object.entries(servers).map(([name, url]) => [name, { url }]));
  writeFileSync(join(folder, 'servers.json'), JSON.stringify({ mcpServers }));
};
const ran = (command: string, ...options: string[]) =>
  cli([command, '--config', 'servers.json', ...options], { cwd: folder });
const lock = () => readFileSync(join(folder, 'mcp-verbatim.lock.json'), 'utf8');

const search = (limit: object, description = 'Finds issues.') =>
  tool('search', { description, inputSchema: { type: 'object', properties: { limit } } });

test('The instructions of a server are approved with its tools', async () => {
  let instructions = 'Be exact.';
  await using saying = await startHttpServer({
    initialize: ({ introduce }) => introduce({ instructions }),
    'tools/list': { tools: [search({}).definition] },
  });
  config({ tracker: saying.url });
  await ran('approve');
  expect(JSON.parse(lock())).toMatchObject({ servers: { tracker: { instructions: { text: 'Be exact.' } } } });
  expect((await ran('diff')).code).toBe(0);
  instructions = 'Be exact\u200b.';
  const { code, stdout } = await ran('diff');
  expect(code).toBe(1);
  expect(stdout).toContain(String.raw`/instructions was "Be exact." and is "Be exact\u200b."`);
  const checked = await ran('check', '--approved', '--only', 'not-as-approved');
  expect(checked).toMatchObject({ code: 1, stdout: containing("server's instructions") });
  const noted = await ran('check', '--only', 'invisible-characters');
  expect(noted.stdout).toContain(String.raw`/instructions: "Be exact\u200b."`);
});

test('The command approve names invisible characters', async () => {
  await using odd = await startServer([search({}, 'Finds\u200b issues.'), tool('close')]);
  config({ tracker: odd.url });
  const { stdout } = await ran('approve');
  expect(stdout).toMatch(
    /^tracker 2 tools approved\n {2}search: Invisible characters, .* \/description: "Finds\\u200b issues."\.\n$/,
  );
});

test('Approved tools are written down, and their differences are reported and can be approved again', async () => {
  await using before = await startServer([search({ type: 'integer', maximum: 100 }), tool('close')]);
  await using after = await startServer([
    search({ type: 'string' }, 'Finds\u200b issues.'),
    tool('purge', { description: 'Does close.' }),
  ]);
  config({ tracker: before.url });
  expect(await ran('approve')).toMatchObject({ code: 0, stdout: 'tracker 2 tools approved\n' });
  const text = JSON.stringify(search({ type: 'integer', maximum: 100 }).definition);
  const tools = { close: {}, search: { digest: matching(/^sha256-/), text } };
  expect(JSON.parse(lock())).toMatchObject({ version: 1, servers: { tracker: { server: before.url, tools } } });
  expect(await ran('diff')).toMatchObject({ code: 0, stdout: 'tracker as approved\n' });
  expect(await ran('check', '--approved', '--only', 'not-as-approved')).toMatchObject({ code: 0 });

  config({ tracker: after.url });
  const { code, stdout } = await ran('diff');
  expect(code).toBe(1);
  expect(stdout.split('\n')).toEqual([
    'tracker 3 differences',
    `  The server is ${after.url}; approved was ${before.url}.`,
    '  "search" has changed since it was approved.',
    String.raw`    /description was "Finds issues." and is "Finds\u200b issues."`,
    '    /inputSchema/properties/limit/type was "integer" and is "string"',
    '    /inputSchema/properties/limit/maximum was removed: 100',
    '  "purge" was approved under the name "close".',
    '',
  ]);
  const checked = await ran('check', '--approved', '--only', 'not-as-approved');
  expect(checked).toMatchObject({ code: 1, stdout: containing('not-as-approved') });
  const differences = [{ kind: 'server' }, { kind: 'changed', tool: 'search' }, { kind: 'renamed', formerly: 'close' }];
  expect(JSON.parse((await ran('diff', '--json')).stdout)).toMatchObject({ server: 'tracker', differences });

  expect((await ran('approve')).stdout).toContain('"search" has changed since it was approved.');
  expect((await ran('diff')).code).toBe(0);
});

test('A server without a name is recognised by its address, and another address is reported', async () => {
  await using one = await startServer([tool('one')]);
  await using two = await startServer([tool('one')]);
  const at = (url: string, command: string) => cli([command, '--url', url], { cwd: folder });
  await at(`${one.url}?key=sk-0123456789abcdef0123`, 'approve');
  expect(lock()).not.toContain('sk-0123');
  expect((await at(`${one.url}?key=sk-9876543210fedcba9876`, 'diff')).code).toBe(0);
  expect((await at(one.url, 'diff')).code).toBe(1);
  expect(await at(two.url, 'diff')).toMatchObject({ code: 1, stdout: containing('The server is') });
});
