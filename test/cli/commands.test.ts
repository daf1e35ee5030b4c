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
const plainTerminal = { columns: 80, env: { NO_COLOR: '1' } };

describe('list', () => {
  test.each([
    ['a terminal', { columns: 80 }, true],
    ['a terminal with NO_COLOR', plainTerminal, false],
    ['a pipe with FORCE_COLOR', { env: { FORCE_COLOR: '1' } }, false],
  ])('list has colours on a terminal, unless colours are switched off: %s', async (_case, about, coloured) => {
    const { stdout } = await cli(['list', ...at()], about);
    expect(stdout.includes('\u001b[')).toBe(coloured);
  });
});

test.each([
  ['a terminal', undefined, true],
  ['a file, though the output goes to a terminal', 'stdout' as const, false],
])('Colours on stderr depend on where stderr goes: %s', async (_case, only, coloured) => {
  const argv = ['call', 'find_relatives', '{"limit":"x"}', ...at()];
  const { stderr } = await cli(argv, { columns: 80, ...(only && { only }) });
  expect(stderr.includes('\u001b[31m')).toBe(coloured);
});

test('A terminal of unknown width counts as 80 columns wide', async () => {
  const { stdout } = await cli(['list', ...at()], { ...plainTerminal, columns: 0 });
  expect(stdout).toBe((await cli(['list', ...at()], plainTerminal)).stdout);
});

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

describe('the configuration file', () => {
  const write = (content: unknown) =>
    writeFileSync(join(folder, 'mcp.json'), typeof content === 'string' ? content : JSON.stringify(content));
  const ran = (argv: readonly string[], env: Record<string, string> = {}) =>
    cli([...argv, '--config', 'mcp.json'], { cwd: folder, env });
  const list = (env?: Record<string, string>) => ran(['list'], env);

  test('A configuration file may have comments, trailing commas, CRLF and a byte order mark, as VS Code writes them', async () => {
    const note = '"note": "/* // ,}", "args": [1, ],';
    write(`\uFEFF{ // ours\r\n"servers": { /* one: {} */ "one": { "url": "${server.url}", ${note} }, }, /**/ }`);
    expect(await list()).toMatchObject({ code: 0, stdout: containing('find_relatives') });
  });

  test.each([
    [{ command: 'node', url: 'http://127.0.0.1:1/' }, '"command" and "url" exclude each other'],
    [{ command: ['node'] }, '"command" has to be a text'],
    [{ command: 'node', args: 'server.js' }, '"args" has to be a list of texts'],
    [{ command: 'node', args: [{}] }, '"args" has to be a list of texts'],
    [{ command: 'node', env: ['A=b'] }, '"env" has to be an object of texts'],
    [{ url: 'http://127.0.0.1:1/', headers: { Authorization: null } }, '"headers" has to be an object of texts'],
    [{ serverUrl: 5 }, '"url" has to be a text'],
    [{ type: 'ws', url: 'wss://127.0.0.1:1/' }, 'WebSocket is no transport of MCP'],
  ])('A configuration is refused if its entry %j would not reach the server as it is written', async (entry, words) => {
    write({ mcpServers: { odd: entry } });
    expect(await list()).toMatchObject({ code: 2, stderr: containing(`server "odd": ${words}.`) });
  });

  test.each(['url', 'serverUrl', 'httpUrl'])(
    'A configuration may name an address by the key %s, as clients do',
    async (key) => {
      write({ mcpServers: { one: { [key]: server.url } } });
      expect((await list()).stdout).toContain('find_relatives');
    },
  );

  test.each(['${command:pat}', '${file:/pat}'])(
    'A configuration with the placeholder %s is refused, since it would be sent as it is',
    async (value) => {
      write({ servers: { one: { url: server.url, headers: { Authorization: `Bearer ${value}` } } } });
      const why = containing(`${value} is filled in by VS Code alone. Write \${NAME}`);
      expect(await list()).toMatchObject({ code: 2, stderr: why });
    },
  );

  test('A configuration without a server or JSON gives an error that does not quote its text', async () => {
    write({ mcpServers: {} });
    expect(await list()).toMatchObject({ code: 2, stderr: containing('holds no server') });
    write('{"mcpServers": {"a": {"url": "http://x", "headers": {"Authorization": s3cr3t-t0ken}}}}');
    const unreadable = await list();
    expect(unreadable).toMatchObject({ code: 2, stderr: containing('is not JSON') });
    expect(unreadable.stderr).not.toContain('s3c');
  });
});

test.each([
  [['list'], 2, 'Which server?'],
  [['list', '--foo'], 2, 'list has no option --foo'],
  [['list', '--repair', 'all', '--url', 'http://x'], 2, 'no option --repair'],
  [['show', '--url', 'http://x'], 2, 'name of a tool'],
  [['call', 'greet', '{oops', '--url', 'http://x'], 2, 'not JSON'],
  [['list', '--url', 'nonsense'], 2, 'not a valid http'],
  [['list', '--url', 'http://127.0.0.1:1/'], 4, 'http://127.0.0.1:1/'],
  [['list', '--idle-timeout', '99999999', '--url', 'http://x'], 2, 'up to 2147483'],
  [['list', '--header', 'X: y', '--', 'node'], 2, '--header only works with --url'],
  [['list', '--env', 'X=y', '--url', 'http://x'], 2, '--env only works with a server command'],
  [['list', '--server', 'x', '--url', 'http://x'], 2, '--server only works with servers of a configuration file'],
  [['call', 'greet', '--repair', 'constructor', '--url', 'http://x'], 2, '"constructor" is no choice of repairs'],
  [['call', 'greet', '--repair', '', '--url', 'http://x'], 2, '"" is no choice of repairs'],
  [['check', '--only', ',', '--url', 'http://x'], 2, '--only names nothing'],
  [['serve', '--always', 'a', '--url', 'http://x'], 2, '--always only works with --tool-search'],
  [['call', 'greet', '--decline', '--answer', 'a=b', '--url', 'http://x'], 2, '--decline cannot be combined'],
  [['call', 'greet', '--json', '--save', '.', '--url', 'http://x'], 2, '--save only works with a result'],
  [['call', 'greet', '--save', '/dev/null/x', '--url', 'http://x'], 2, '/dev/null/x cannot be written'],
  [['list', '--tokens', '--schema', 'greet', '--url', 'http://x'], 2, '--schema only works with a list'],
  [['check', '--only', 'openai,zodd', '--url', 'http://x'], 2, '--only does not know "zodd"'],
  [['list', '--header', 'X: ${NOT_SET_ANYWHERE}', '--url', 'http://x'], 2, 'NOT_SET_ANYWHERE is not set'],
  [['list', '--', '/no/such/program'], 4, '/no/such/program'],
  [['login', '--', 'node'], 2, 'Only a server with a URL'],
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

  test.each([[['--help']], [['help']], [[]]])('The line %j prints the overview of the help', async (argv) => {
    expect(await cli(argv)).toMatchObject({ code: 0, stdout: containing('Exit codes') });
  });

  test.each(names)('The help of %s has examples and fits a terminal of 80 columns', async (name) => {
    const { stdout } = await cli([name, '--help']);
    expect(stdout).toMatch(/\nExamples\n {2}mcp-verbatim /);
    expect((await cli(['help', name])).stdout).toBe(stdout);
    const { stdout: overview } = await cli(['--help']);
    expect(overview).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    expect(`${overview}\n${stdout}`.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test.each([
    [['--url', 'http://x'], 'mcp-verbatim has no option --url'],
    [['--', 'node'], 'no command ""'],
    [['lst', '--help'], 'no command "lst"'],
    [['list', '--url'], "'--url <value>' argument missing"],
    [['list', 'greet'], 'list does not take the argument "greet". Put the server command after --.'],
    [['list', '--'], 'After --, the command that starts the server is missing'],
  ])('The line %j does not ask for help', async (argv, text) => {
    expect(await cli(argv)).toMatchObject({ code: 2, stderr: containing(text) });
  });

  test('A command may follow its options', async () => {
    expect(await cli(['--json', 'list', ...at()])).toMatchObject({ code: 0, stdout: matching(/^\[/) });
  });
});
