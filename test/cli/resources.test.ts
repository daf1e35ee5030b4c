import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHttpServer } from '../../test-support/servers/http.js';
import type { Program } from '../../test-support/servers/program.js';
import { startEverything } from '../../test-support/servers/published.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { cli, containing, matching } from './run.js';

describe('resources of a published server', () => {
  let server: Program;
  beforeAll(async () => {
    server = await startEverything();
  });
  afterAll(() => server.close());

  const ran = (...argv: string[]) => cli([...argv, '--url', server.url]);

  test('Resources are one line each when piped, and templates are marked', async () => {
    const { code, stdout } = await ran('resources');
    expect(code).toBe(0);
    const rows = stdout.trimEnd().split('\n');
    expect(rows[0]).toMatch(/^demo:\S+\/architecture\.md\tarchitecture\.md\ttext\/markdown\t/);
    expect(rows.at(-1)).toMatch(/^demo:\/\/resource\/dynamic\/blob\/\{resourceId\}\t.*\ttemplate$/);
    const { stdout: shown } = await cli(['resources', '--url', server.url], { columns: 80, env: { NO_COLOR: '1' } });
    expect(shown.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test("A resource is read as text, or with --json as the server's object", async () => {
    const uri = 'demo://resource/static/document/architecture.md';
    const { code, stdout } = await ran('read', uri);
    expect(code).toBe(0);
    const { stdout: json } = await ran('read', uri, '--json');
    expect(JSON.parse(json)).toEqual([{ uri, mimeType: 'text/markdown', text: stdout.slice(0, -1) }]);
    expect(await ran('read', 'demo://none')).toMatchObject({ code: 4, stderr: containing('demo://none not found') });
  });

  test('Prompts are listed with their arguments, and can be filled in', async () => {
    expect(await ran('prompts')).toMatchObject({ code: 0, stdout: matching(/^args-prompt\tcity, state\?\tA prompt/m) });
    const filled = await ran('prompt', 'args-prompt', 'city=Paris', 'state=Texas');
    expect(filled).toMatchObject({ code: 0, stdout: "user\nWhat's weather in Paris, Texas?\n" });
    const json = await ran('prompt', 'args-prompt', 'city=Paris', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ messages: [{ role: 'user', content: { type: 'text' } }] });
    expect(await ran('prompt', 'args-prompt')).toMatchObject({ code: 4 });
    const wrong = await ran('prompt', 'args-prompt', 'city');
    expect(wrong).toMatchObject({ code: 2, stderr: containing('"city" is not of the form') });
  });
});

describe('a resource of any server', () => {
  const folder = temporaryFolder();
  const served = (content: object = {}) =>
    startHttpServer({
      initialize: ({ introduce }) => introduce({ capabilities: { resources: {} } }),
      'resources/read': { contents: [{ blob: Buffer.from('bytes').toString('base64'), ...content }] },
    });

  test.each([
    ['image/jpeg', 'a:b', 'jpg'],
    ['text/plain; charset=utf-8', 'a:b', 'txt'],
    ['image/svg+xml', 'a:b', 'svg'],
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'a:b', 'xlsx'],
    ['application/x-msdownload', 'a:b', 'bin'],
    ['../../evil', 'a:b', 'bin'],
    [undefined, 'files://type/report.pdf', 'pdf'],
  ])('A resource of the type %s at %s is saved as .%s', async (mimeType, uri, suffix) => {
    await using server = await served({ uri, mimeType });
    const file = join(folder, suffix, `result-1.${suffix}`);
    const ran = await cli(['read', uri, '--save', join(folder, suffix), '--url', server.url]);
    expect(ran).toMatchObject({ code: 0, stdout: containing(`written to ${file}`) });
    expect(readFileSync(file, 'utf8')).toBe('bytes');
  });

  test('A prompt has its files numbered through all its messages', async () => {
    const content = { type: 'image', mimeType: 'image/png', data: '' };
    await using server = await startHttpServer({
      initialize: ({ introduce }) => introduce({ capabilities: { prompts: {} } }),
      'prompts/get': { messages: [[content, content], content].map((content) => ({ role: 'user', content })) },
    });
    const { code } = await cli(['prompt', 'a', '--save', 'prompt', '--url', server.url], { cwd: folder });
    const written = readdirSync(join(folder, 'prompt'));
    expect([code, written]).toEqual([0, ['result-1.png', 'result-2.png', 'result-3.png']]);
  });

  test.each(['', 'x'.repeat(300), '/dev/null/x'])(
    'A resource is not requested if the path cannot be a folder, and the error names the path: %j',
    async (name) => {
      await using server = await served();
      const { code, stderr } = await cli(['read', 'a:b', '--save', name, '--url', server.url], { cwd: folder });
      expect([code, server.methods()]).toEqual([2, []]);
      expect(stderr).toMatch(name === '' ? /--save names no folder/ : /cannot be written: E[A-Z]+/);
    },
  );
});
