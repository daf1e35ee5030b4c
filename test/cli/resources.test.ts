import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startHttpServer } from '../../test-support/servers/http.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { cli, containing } from './run.js';

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
