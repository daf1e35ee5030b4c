import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cli } from './run.js';

const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
const config = `{
  "theme": 1.0,
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
        args: [...serve, '--url', 'https://example.com/mcp?api_key=k123456', '--header', 'Authorization'],
        env: { AUTHORIZATION: `Bearer ${token}` },
      },
      old: { type: 'stdio', command: 'npx', args: [...serve, '--url', 'https://example.com/sse', '--sse'] },
    });
    expect(readFileSync(`${file}.before-mcp-verbatim`, 'utf8')).toBe(config);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(`${file}.before-mcp-verbatim`).mode & 0o777).toBe(0o600);
  });

  test('leaves alone what is wrapped already, and never overwrites a copy', async () => {
    const file = fileWith(config);
    await cli(['wrap', file, '--write']);
    const once = readFileSync(file, 'utf8');
    await cli(['wrap', file, '--write']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(once));
    expect(readdirSync(join(file, '..')).sort()).toEqual([
      'mcp.json',
      'mcp.json.before-mcp-verbatim',
      'mcp.json.before-mcp-verbatim-2',
    ]);
    expect(readFileSync(`${file}.before-mcp-verbatim`, 'utf8')).toBe(config);
  });

  test.each([
    [['wrap'], 'wrap needs a file'],
    [['wrap', '/nowhere/mcp.json'], 'cannot be read'],
  ])('%j is refused', async (argv, why) => {
    const { code, stderr } = await cli(argv);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
  });
});

test('a variable or header by its name alone takes its value from the environment', async () => {
  const missing = await cli(['list', '--url', 'http://127.0.0.1:9/mcp', '--header', 'Authorization']);
  expect(missing.stderr).toContain('The environment variable AUTHORIZATION is not set.');
  const told = 'process.exit(process.env.SOME_KEY === "its value" ? 7 : 8)';
  const { stderr } = await cli(['list', '--env', 'SOME_KEY', '--', process.execPath, '-e', told], {
    env: { SOME_KEY: 'its value' },
  });
  expect(stderr).toContain('exit code 7');
});
