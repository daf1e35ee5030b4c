import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Program } from '../../test-support/servers/program.js';
import { startEverything } from '../../test-support/servers/published.js';
import { serve } from '../langchain/server.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { cli, containing, matching } from './run.js';

describe('resources of a published server', () => {
  let server: Program;
  beforeAll(async () => {
    server = await startEverything();
  });
  afterAll(() => server.close());

  const ran = (...argv: string[]) => cli([...argv, '--url', server.url]);

  test('resources are one line each when piped, and templates are marked', async () => {
    const { code, stdout } = await ran('resources');
    expect(code).toBe(0);
    const rows = stdout.trimEnd().split('\n');
    expect(rows[0]).toMatch(
      /^demo:\/\/resource\/static\/document\/architecture\.md\tarchitecture\.md\ttext\/markdown\t/,
    );
    expect(rows.at(-1)).toMatch(/^demo:\/\/resource\/dynamic\/blob\/\{resourceId\}\t.*\ttemplate$/);
  });

  test('a resource is read: a text as it is, with --json as the server has it', async () => {
    const uri = 'demo://resource/static/document/architecture.md';
    const { code, stdout } = await ran('read', uri);
    expect(code).toBe(0);
    const { stdout: json } = await ran('read', uri, '--json');
    expect(JSON.parse(json)).toEqual([{ uri, mimeType: 'text/markdown', text: stdout.slice(0, -1) }]);
    expect(await ran('read', 'demo://none')).toMatchObject({ code: 4, stderr: containing('demo://none not found') });
  });

  test('prompts are listed with their arguments, and filled in', async () => {
    expect(await ran('prompts')).toMatchObject({ code: 0, stdout: matching(/^args-prompt\tcity, state\?\tA prompt/m) });
    const filled = await ran('prompt', 'args-prompt', 'city=Paris', 'state=Texas');
    expect(filled).toMatchObject({ code: 0, stdout: "user\nWhat's weather in Paris, Texas?\n" });
    const json = await ran('prompt', 'args-prompt', 'city=Paris', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ messages: [{ role: 'user', content: { type: 'text' } }] });
    expect(await ran('prompt', 'args-prompt')).toMatchObject({ code: 4 });
    expect(await ran('prompt', 'args-prompt', 'city')).toMatchObject({
      code: 2,
      stderr: containing('"city" is not of the form'),
    });
  });
});

describe('resources of any server', () => {
  const folder = temporaryFolder();
  let url: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ url, close } = await serve(hostile));
  });
  afterAll(() => close());

  test('its texts are never commands of the terminal or of CI', async () => {
    for (const argv of [['resources'], ['prompts'], ['prompt', 'evil'], ['read', 'evil://1']]) {
      const { code, stdout } = await cli([...argv, '--url', url], { columns: 80, env: { NO_COLOR: '1' } });
      expect(code).toBe(0);
      expect(stdout).not.toMatch(/\u001b|^\s*::/m);
      expect(stdout).toContain(String.raw`\u001b[2J`);
      if (argv.length === 1) expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }
  });

  test.each([
    ['files://type/image%2Fjpeg', 'jpg'],
    ['files://type/text%2Fplain;%20charset=utf-8', 'txt'],
    ['files://type/image%2Fsvg+xml', 'svg'],
    ['files://type/application%2Fvnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
    ['files://type/application%2Fx-msdownload', 'bin'],
    ['files://type/..%2F..%2Fevil', 'bin'],
    ['files://type/report.pdf', 'pdf'],
  ])('%s is saved as .%s', async (uri, suffix) => {
    const file = join(folder, suffix, `result-1.${suffix}`);
    const ran = await cli(['read', uri, '--save', join(folder, suffix), '--url', url]);
    expect(ran).toMatchObject({ code: 0, stdout: containing(`written to ${file}`) });
    expect(readFileSync(file, 'utf8')).toBe('bytes');
  });

  test.each(['', 'x'.repeat(300), '/dev/null/x'])(
    'a path that cannot be a folder is named before anything is sent: %j',
    async (name) => {
      const { code, stderr } = await cli(['read', 'evil://1', '--save', name, '--url', url], { cwd: folder });
      expect(code).toBe(2);
      expect(stderr).toMatch(name === '' ? /--save names no folder/ : /cannot be written: E[A-Z]+/);
    },
  );
});

const evil = 'A \u001b[2J clear\n::error::gone';

function hostile(): McpServer {
  const server = new McpServer({ name: 'hostile', version: '1' });
  server.registerResource('plain', 'evil://1', { title: evil, description: evil }, () => ({
    contents: [{ uri: 'evil://1', text: evil }],
  }));
  server.registerResource(
    'typed',
    new ResourceTemplate('files://type/{type}', { list: undefined }),
    {},
    ({ href }, { type }) => {
      const named = decodeURIComponent(String(type));
      const blob = Buffer.from('bytes').toString('base64');
      return { contents: [{ uri: href, blob, ...(named.includes('/') && { mimeType: named }) }] };
    },
  );
  server.registerPrompt('evil', { title: evil, description: evil }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: evil } }],
  }));
  return server;
}
