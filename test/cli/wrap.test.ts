import { lstatSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startReplayServer } from '../../test-support/servers/replay.js';
import { cli } from './run.js';

const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
const config = `{
  "theme": 1.0,
  "account": { "note": "${token}" },
  "mcpServers": {
    "github": { "command": "npx", "args": ["-y", "server-github"], "env": { "GITHUB_TOKEN": "${token}" }, "disabled": true },
    "web": { "type": "http", "url": "https://example.com/mcp?api_key=k123456", "headers": { "Authorization": "Bearer ${token}" } },
    "old": { "url": "https://example.com/sse", "type": "sse" }
  }
}
`;

interface Written {
  mcpServers: Record<string, { command: string; args: string[]; env?: object; type?: string; disabled?: boolean }>;
}

function fileWith(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'wrap-')), 'mcp.json');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

describe('wrap', () => {
  test('shows what it would write, without secrets, and writes nothing', async () => {
    const file = fileWith(config);
    const { code, stdout, stderr } = await cli(['wrap', file]);
    expect(code).toBe(0);
    expect(stdout).toContain('"mcp-verbatim"');
    expect(stdout + stderr).not.toContain(token);
    expect(stdout + stderr).not.toContain('k123456');
    expect(stderr).toContain('Nothing is written yet');
    expect(readFileSync(file, 'utf8')).toBe(config);
  });

  test('writes every server behind serve, keeps what else is there, and a copy', async () => {
    const file = fileWith(config);
    expect((await cli(['wrap', file, '--write'])).code).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('"theme": 1.0');
    const { mcpServers } = JSON.parse(text) as Written;
    const serve = ['-y', 'mcp-verbatim', 'serve'];
    expect(mcpServers).toEqual({
      github: {
        command: 'npx',
        args: [...serve, '--env', 'GITHUB_TOKEN', '--', 'npx', '-y', 'server-github'],
        env: { GITHUB_TOKEN: token },
        disabled: true,
      },
      web: {
        type: 'stdio',
        command: 'npx',
        args: [...serve, '--url', 'MCP_SERVER_URL', '--header', 'Authorization=MCP_SERVER_HEADER_1'],
        env: { MCP_SERVER_URL: 'https://example.com/mcp?api_key=k123456', MCP_SERVER_HEADER_1: `Bearer ${token}` },
      },
      old: {
        type: 'stdio',
        command: 'npx',
        args: [...serve, '--url', 'MCP_SERVER_URL', '--sse'],
        env: { MCP_SERVER_URL: 'https://example.com/sse' },
      },
    });
    expect(readFileSync(`${file}.before-mcp-verbatim`, 'utf8')).toBe(config);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(`${file}.before-mcp-verbatim`).mode & 0o777).toBe(0o600);
  });

  test('keeps comments, a byte order mark and trailing commas where they are', async () => {
    const commented = `\uFEFF{\n  // the team's\n  "servers": {\n    /* "old": {} */\n    "web": { "url": "https://example.com/mcp", }, // live\n  },\n}\n`;
    const file = fileWith(commented);
    expect(await cli(['wrap', file, '--write'])).toMatchObject({ code: 0 });
    const [before, after] = commented.split('{ "url": "https://example.com/mcp", }');
    const written = readFileSync(file, 'utf8');
    expect(written.startsWith(before!)).toBe(true);
    expect(written.endsWith(after!)).toBe(true);
    expect(JSON.parse(written.slice(before!.length, -after!.length))).toMatchObject({
      command: 'npx',
      env: { MCP_SERVER_URL: 'https://example.com/mcp' },
    });
    expect((await cli(['wrap', file, '--write'])).stderr).toContain('Nothing is left to do');
  });

  test('leaves alone what is wrapped already, and never overwrites a copy', async () => {
    const file = fileWith(config);
    await cli(['wrap', file, '--write']);
    const once = readFileSync(file, 'utf8');
    expect((await cli(['wrap', file, '--write'])).stderr).toContain('Nothing is left to do');
    expect(readFileSync(file, 'utf8')).toBe(once);
    writeFileSync(file, config);
    await cli(['wrap', file, '--write']);
    expect(readdirSync(join(file, '..')).sort()).toEqual([
      'mcp.json',
      'mcp.json.before-mcp-verbatim',
      'mcp.json.before-mcp-verbatim-2',
    ]);
    expect(readFileSync(`${file}.before-mcp-verbatim`, 'utf8')).toBe(config);
  });

  const wrapped = async (entry: object, env: Record<string, string> = {}) => {
    const file = fileWith(JSON.stringify({ mcpServers: { it: entry } }));
    const { stderr } = await cli(['wrap', file, '--write'], { env });
    return { entry: (JSON.parse(readFileSync(file, 'utf8')) as Written).mcpServers['it'], stderr };
  };

  test.each([
    ['by a version', { command: 'npx', args: ['-y', 'mcp-verbatim@1.2.3', 'serve', '--', 'node', 's.js'] }],
    ['by a path', { command: '/usr/local/bin/mcp-verbatim', args: ['serve', '--', 'node', 's.js'] }],
    ['on Windows', { command: 'C:\\npm\\mcp-verbatim.cmd', args: ['serve', '--', 'node', 's.js'] }],
  ])('knows itself %s', async (_how, entry) => {
    expect((await wrapped(entry)).entry).toEqual(entry);
  });

  test('takes no other words for itself', async () => {
    const entry = { command: 'node', args: ['serve', 'mcp-verbatim'] };
    expect((await wrapped(entry)).entry?.args).toContain('--');
  });

  test('starts through cmd on Windows, as the entry did', async () => {
    expect((await wrapped({ command: 'cmd', args: ['/c', 'npx', '-y', 'server'] })).entry).toEqual({
      command: 'cmd',
      args: ['/c', 'npx', '-y', 'mcp-verbatim', 'serve', '--', 'cmd', '/c', 'npx', '-y', 'server'],
    });
  });

  test('no header becomes a variable that means something', async () => {
    const headers = { Path: '/a', 'Http-Proxy': 'b', 'X-A': 'c', X_A: 'd' };
    const { entry } = await wrapped({ url: 'https://example.com/mcp', headers });
    expect(entry).toMatchObject({
      args: expect.arrayContaining(['Path=MCP_SERVER_HEADER_1', 'X_A=MCP_SERVER_HEADER_4']),
      env: { MCP_SERVER_URL: 'https://example.com/mcp', MCP_SERVER_HEADER_1: '/a', MCP_SERVER_HEADER_4: 'd' },
    });
    expect(Object.keys(entry?.env ?? {})).toHaveLength(5);
  });

  test.each(['serverUrl', 'httpUrl'])('knows an address by the name %s', async (field) => {
    const { entry } = await wrapped({ [field]: 'https://example.com/mcp' });
    expect(entry).toEqual({
      command: 'npx',
      args: ['-y', 'mcp-verbatim', 'serve', '--url', 'MCP_SERVER_URL'],
      env: { MCP_SERVER_URL: 'https://example.com/mcp' },
    });
  });

  test('leaves alone what it does not understand, and wraps the others', async () => {
    const file = fileWith('{"mcpServers":{"odd":{"socket":"/a"},"none":null,"good":{"command":"node"}}}');
    const { code, stderr } = await cli(['wrap', file, '--write']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('odd: left as it is') });
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as Written;
    expect(mcpServers).toMatchObject({ odd: { socket: '/a' }, none: null, good: { command: 'npx' } });
  });

  test('says where the client may have signed in, and what is not handed on', async () => {
    expect((await wrapped({ url: 'https://example.com/mcp' })).stderr).toContain('OAuth');
    expect((await wrapped({ command: 'node', envFile: '.env' })).stderr).toContain('envFile');
  });

  test('writes through a link to the file that it names', async () => {
    const file = fileWith(config);
    const link = join(mkdtempSync(join(tmpdir(), 'wrap-')), 'mcp.json');
    symlinkSync(file, link);
    await cli(['wrap', link, '--write']);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain('mcp-verbatim');
    expect(readFileSync(`${link}.before-mcp-verbatim`, 'utf8')).toBe(config);
  });

  test.each([
    ['a missing quote', '{ "mcpServers": { "a: { "command": "x" } } }'],
    ['a comment that does not end', '{ "mcpServers": { "a": { "command": "x" } } /* }'],
  ])('a file with %s is refused, and stays as it is', async (_what, text) => {
    const file = fileWith(text);
    const { code, stderr } = await cli(['wrap', file, '--write']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('is not JSON, apart from comments') });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(join(file, '..'))).toEqual(['mcp.json']);
  });

  test.each([
    [['wrap'], 'wrap needs a file'],
    [['wrap', '/nowhere/mcp.json'], 'cannot be read'],
  ])('%j is refused', async (argv, why) => {
    const { code, stderr } = await cli(argv);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
  });
});

test('headers and variables take their values from variables, whatever these are called', async () => {
  const server = await startReplayServer({ s: ['{"jsonrpc":"2.0","id":0,"result":{"tools":[]}}'] });
  const header = await cli(['list', '--url', server.url('s'), '--header', 'X-Key=SOME_KEY']);
  expect(header.stderr).toContain('The environment variable SOME_KEY is not set.');
  await server.close();
  const told = 'process.exit(process.env["npm_config_//h/:_t"] === "a b" ? 7 : 8)';
  const { stderr } = await cli(['list', '--env', 'npm_config_//h/:_t', '--', process.execPath, '-e', told], {
    env: { 'npm_config_//h/:_t': 'a b' },
  });
  expect(stderr).toContain('exit code 7');
});

test('a variable or header by its name alone takes its value from the environment', async () => {
  const address = await cli(['list', '--url', 'SOME_URL'], { env: { SOME_URL: 'http://127.0.0.1:9/mcp' } });
  expect(address.stderr).toContain('127.0.0.1:9');
  const missing = await cli(['list', '--url', 'http://127.0.0.1:9/mcp', '--header', 'Authorization']);
  expect(missing.stderr).toContain('The environment variable AUTHORIZATION is not set.');
  const told = 'process.exit(process.env.SOME_KEY === "its value" ? 7 : 8)';
  const { stderr } = await cli(['list', '--env', 'SOME_KEY', '--', process.execPath, '-e', told], {
    env: { SOME_KEY: 'its value' },
  });
  expect(stderr).toContain('exit code 7');
});
