import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { serverForAll, startServer } from '../langchain/server.js';
import { findPersons, tool } from '../langchain/tools.js';
import { commands } from '../../src/cli/commands.js';
import { findTool } from '../../src/cli/servers/tools.js';
import { readCatalogue } from '../../src/internal.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { cli, containing, matching } from './run.js';

const folder = temporaryFolder();

const picture = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
const either = { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] };
const server = serverForAll(
  [
    { definition: findPersons },
    tool('greet', { title: 'Greeter', annotations: { readOnlyHint: true } }, ({ name }) => ({
      content: [{ type: 'text', text: `Hello ${String(name)}` }],
    })),
    tool('picture', {}, () => ({ content: [picture] })),
    tool('failing', {}, () => ({ content: [{ type: 'text', text: 'No such table.' }], isError: true })),
    tool('evil', { description: 'Clears \u001b[2Jthe screen \u202eand reverses.' }),
    { definition: { name: 'either', inputSchema: { properties: {}, ...either } } },
    { definition: { name: 'broken', inputSchema: null } },
  ],
  'cli-server',
);

const at = () => ['--url', server.url];

describe('call', () => {
  test('call shows the rest of a result if one of its files cannot be written', async () => {
    const content = [picture, { type: 'text', text: 'A chair.' }];
    await using pictured = await startServer([tool('pictured', {}, () => ({ content }))]);
    mkdirSync(join(folder, 'full', 'result-1.png'), { recursive: true });
    const ran = await cli(['call', 'pictured', '--save', 'full', '--url', pictured.url], { cwd: folder });
    expect(ran).toEqual({
      code: 2,
      stdout: '[image/png, 8 bytes, not written]\nA chair.\n',
      stderr: matching(/^error: \S+result-1\.png cannot be written: EISDIR/),
    });
  });

  test('call says by its exit code that the tool failed', async () => {
    expect(await cli(['call', 'failing', ...at()])).toMatchObject({ code: 1, stdout: 'No such table.\n' });
  });
});

describe('check', () => {
  const findingsIn = (json: string) => (JSON.parse(json) as { findings: object[] }).findings;

  test('check finds what providers reject and leave out, and what is skipped', async () => {
    const { code, stdout } = await cli(['check', '--json', '--only', 'openai,anthropic,google', ...at()]);
    expect(code).toBe(1);
    for (const [rule, tool, level] of [
      ['skipped-tool', 'broken', 'error'],
      ['openai-root-combinator', 'either', 'error'],
      ['anthropic-root-combinator', 'either', 'error'],
      ['google-removed-keyword', 'find_relatives', 'warning'],
    ])
      expect(findingsIn(stdout)).toContainEqual(expect.objectContaining({ rule, tool, level }));
  });

  test('check finds errors in a schema itself', async () => {
    await using odd = await startServer([
      tool('dangling', { inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/gone' } } } }),
    ]);
    const { code, stdout } = await cli(['check', '--json', '--only', 'schema', '--url', odd.url]);
    expect(code).toBe(1);
    const where = { tool: 'dangling', location: '#/properties/a/$ref' };
    expect(findingsIn(stdout)).toMatchObject([{ ...where, rule: 'unresolved-reference', level: 'error' }]);
  });

  test('check fails for errors, with --strict also for warnings, and shows notes on request', async () => {
    await using server = await startServer([
      tool('undescribed', { description: '', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } }),
    ]);
    const ran = (...options: string[]) => cli(['check', ...options, '--url', server.url], { cwd: folder });
    const note = matching(/note +missing-argument-description/);
    expect(await ran()).toMatchObject({ code: 0, stdout: expect.not.stringMatching(/note +missing/) as string });
    expect(await ran('--strict')).toMatchObject({ code: 1, stdout: note });
    expect(await ran('--only', 'missing-argument-description')).toMatchObject({ code: 0, stdout: note });
    expect(await ran('--only', 'schema', '--strict')).toMatchObject({ code: 1, stdout: note });
  });

  test('check weighs a finding about one provider less, unless the provider is named', async () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string', description: 'A.' } } };
    const dialect = { $schema: 'http://json-schema.org/draft-07/schema#', additionalProperties: false };
    const described = (more: object) =>
      startServer([tool('a', { description: 'A.', inputSchema: { ...inputSchema, ...more } })]);
    await using clean = await described(dialect);
    const ran = (...options: string[]) => cli(['check', '--url', clean.url, ...options], { cwd: folder });
    expect(await ran('--strict')).toMatchObject({ code: 0 });
    expect(await ran('--strict', '--only', 'cohere')).toMatchObject({ code: 1, stdout: containing('cohere-rebuilt') });
    await using refused = await described({ anyOf: [{ required: ['a'] }] });
    expect(await cli(['check', '--url', refused.url])).toMatchObject({ code: 0, stdout: containing('warning') });
    expect(await cli(['check', '--only', 'openai', '--url', refused.url])).toMatchObject({ code: 1 });
  });

  test.each(['everything', 'filesystem', 'memory', 'sequential-thinking'])(
    'check passes the official server "%s"',
    async (name) => {
      const main = new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url);
      const started = ['--', process.execPath, fileURLToPath(main), ...(name === 'filesystem' ? [folder] : [])];
      expect(await cli(['check', '--strict', '--only', 'schema', ...started])).toMatchObject({ code: 0 });
      expect(await cli(['check', ...started])).toMatchObject({ code: 0 });
    },
  );

  test('check counts all tools, even if the server has findings or a tool is skipped', async () => {
    await using odd = await startServer(
      [tool('a', { description: 'A.' }), tool('b\u202e', { inputSchema: 5 }), tool('c', { inputSchema: 5 })],
      'odd\u200b',
    );
    const at = ['--only', 'schema', '--url', odd.url];
    const { stdout } = await cli(['check', ...at], { cwd: folder });
    expect(stdout).toContain('of 3 tools, 2 with errors; for the server: warning\n');
    expect(stdout).toContain(String.raw`at /serverInfo/name: "odd\u200b"`);
  });
});

test.each([
  [['list', '--repair', 'all', '--url', 'http://x'], 2, 'no option --repair'],
  [['call', 'greet', '{oops', '--url', 'http://x'], 2, 'not JSON'],
  [['call', 'greet', '--repair', 'constructor', '--url', 'http://x'], 2, '"constructor" is no choice of repairs'],
  [['call', 'greet', '--repair', '', '--url', 'http://x'], 2, '"" is no choice of repairs'],
  [['call', 'greet', '--save', '/dev/null/x', '--url', 'http://x'], 2, '/dev/null/x cannot be written'],
  [['list', '--header', 'X: ${NOT_SET_ANYWHERE}', '--url', 'http://x'], 2, 'NOT_SET_ANYWHERE is not set'],
  [['list', '--', '/no/such/program'], 4, '/no/such/program'],
])('The line %j gives an error in one sentence, without a stack trace', async (argv, code, text) => {
  const ran = await cli(argv, { cwd: folder + '/out' });
  expect(ran).toMatchObject({ code, stderr: containing(text) });
  expect(ran.stderr).not.toMatch(/\n\s+at /);
});

test('A taken port or an unusable entry gives an error without a stack trace', async () => {
  const { port } = new URL(server.url);
  const taken = await cli(['serve', '--port', port, '--url', server.url]);
  expect(taken).toMatchObject({ code: 2, stderr: containing(`127.0.0.1:${port} (EADDRINUSE)`) });
  const entry = { url: server.url, maxResultLength: '20000' };
  writeFileSync(join(folder, 'long.json'), JSON.stringify({ mcpServers: { long: entry } }));
  const wrong = await cli(['serve', '--config', 'long.json'], { cwd: folder });
  expect(wrong).toMatchObject({ code: 2, stderr: containing('"maxResultLength" of the server "long"') });
});

test('An unknown tool gives an error with the tool that was probably meant, however long its name is', async () => {
  expect((await cli(['call', 'gret', ...at()])).stderr).toContain('Did you mean greet?');
  const name = 'find_'.repeat(20);
  const catalogue = readCatalogue([{ name, inputSchema: { type: 'object' } }]);
  expect(() => findTool(catalogue, name.replace('find', 'fnd'))).toThrow(`Did you mean ${name}?`);
});

describe('help', () => {
  const names = Object.keys(commands);

  test.each(names)('The help of %s has examples and fits a terminal of 80 columns', async (name) => {
    const { stdout } = await cli([name, '--help']);
    expect(stdout).toMatch(/\nExamples\n {2}mcp-verbatim /);
    expect((await cli(['help', name])).stdout).toBe(stdout);
    const { stdout: overview } = await cli(['--help']);
    expect(overview).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    expect(`${overview}\n${stdout}`.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});
