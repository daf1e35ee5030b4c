import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approvedFileText, approveTools, readCatalogue } from '../../src/internal.js';
import { startModel } from '../../test-support/model/model.js';
import type { ScriptedModel } from '../../test-support/model/model.js';
import { call, steps } from '../../test-support/model/script.js';
import { fetchedPackages } from '../../test-support/packages.js';
import { startServer } from './server.js';
import type { TestServer } from './server.js';
import { tool } from './tools.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = join(root, 'test/langchain/hosts/newest/examples');
const names = readdirSync(examples).map((file) => file.replace(/\.ts$/, ''));
const host = fetchedPackages('test/langchain/hosts/newest');
const run = promisify(execFile);

const sourceOf = (name: string) => readFileSync(join(examples, `${name}.ts`), 'utf8');

test.each(names)('docs/langchain.md shows the example %s as it is compiled and run', (name) => {
  expect(readFileSync(join(root, 'docs/langchain.md'), 'utf8')).toContain(sourceOf(name).trim());
});

test('docs/langchain.md shows no other program', () => {
  const shown = readFileSync(join(root, 'docs/langchain.md'), 'utf8').matchAll(/^```ts\n(.*?)^```/gms);
  const known = names.map((name) => sourceOf(name).trim());
  expect(new Set(Array.from(shown, ([, code = '']) => code.trim()))).toEqual(new Set(known));
});

describe.skipIf(host === undefined)('the examples of docs/langchain.md (packages: npm run fetch:packages)', () => {
  const inputSchema = { type: 'object', properties: { id: { type: 'integer' }, tenant: { type: 'string' } } };
  const definitions = [
    tool('delete', { inputSchema }, () => ({ content: [{ type: 'text', text: 'deleted' }] })),
    tool('read', { annotations: { readOnlyHint: true } }),
  ];
  const lockFile = join(host ?? root, 'mcp-verbatim.lock.json');
  let server: TestServer;
  let model: ScriptedModel;

  beforeAll(async () => {
    server = await startServer(definitions);
    const approved = approveTools(readCatalogue(definitions.map(({ definition }) => definition)), { url: server.url });
    writeFileSync(lockFile, approvedFileText({ example: approved }));
    model = await startModel(steps(call('delete', { id: 7 }), { text: 'Done.' }));
  });
  afterAll(async () => {
    rmSync(lockFile);
    await model.stop();
    await server.close();
  });

  test.each([
    ['NodeNext', ['--module', 'nodenext']],
    ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ])('compile in strict mode under %s resolution, and so do the uses in usage.ts', async (_resolution, options) => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    await expect(run(process.execPath, [compiler, '-p', host!, ...options])).resolves.toMatchObject({ stdout: '' });
  });

  test.each([
    ['quick-start', '', 'Done.', { id: 7 }],
    ['hooks', '', 'Done.', { id: 7, tenant: 'acme' }],
    ['review', '', '1\nDone.', { id: 7 }],
    ['retry', '', 'Done.', { id: 7 }],
    ['broken-calls', '', 'Done.', { id: 7 }],
    ['verbatim-tools', '', 'Done.', { id: 7 }],
    ['many-tools', '', 'Done.', { id: 7 }],
    ['fixed', '', 'Done.', { id: 7, tenant: 'acme' }],
    ['approved', '', 'Done.', { id: 7 }],
    [
      'per-user',
      `import { answer } from 'EXAMPLE';
       console.log(await answer('Delete record 7.', { tenant: 'acme', token: async () => 'secret' }));`,
      'Done.',
      { id: 7 },
    ],
    [
      'serverless',
      `import handler from 'EXAMPLE';
       const request = new Request('http://localhost/', { method: 'POST', body: 'Delete record 7.' });
       console.log(await (await handler(request)).text());`,
      'Done.',
      { id: 7 },
    ],
  ])('%s runs as it stands', async (name, caller, output, received) => {
    server.calls.length = 0;
    expect(await printed(name, caller)).toBe(output);
    expect(server.calls).toEqual([{ name: 'delete', arguments: received }]);
  });

  /** What an example prints, run beside the packages; only the addresses of the server and the model are others. */
  async function printed(name: string, caller: string): Promise<string> {
    const folder = join(host!, 'node_modules', '.examples');
    mkdirSync(folder, { recursive: true });
    const example = join(folder, `${name}.mts`);
    const scripted = `new ChatOpenAI({ model: 'gpt-4.1', useResponsesApi: false })`;
    const source = sourceOf(name).replace('https://example.com/mcp', server.url);
    const program = source.replace(`'openai:gpt-4.1'`, scripted);
    writeFileSync(example, `import { ChatOpenAI } from '@langchain/openai';\n${program}`);
    const main = caller === '' ? example : join(folder, `${name}-caller.mts`);
    if (caller !== '') writeFileSync(main, caller.replace('EXAMPLE', pathToFileURL(example).href));
    const loader = pathToFileURL(join(root, 'node_modules/tsx/dist/loader.mjs')).href;
    const env = { ...process.env, OPENAI_API_KEY: 'none', OPENAI_BASE_URL: model.url };
    const { stdout } = await run(process.execPath, ['--import', loader, main], { cwd: host!, env });
    return stdout.trim();
  }
});
