import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approvedFileText, approveTools, readCatalogue } from '../../src/internal.js';
import { fetchedPackages } from '../../test-support/packages.js';
import { startServer, type TestServer } from '../langchain/server.js';
import { tool } from '../langchain/tools.js';
import { compile, typesFound } from './compile.js';
import { writeNpx } from './npx.js';
import { type Block, blocksIn, pages, root } from './pages.js';
import { startResponsesModel } from './responses-model.js';
import { startRunner } from './runner.js';

const host = fetchedPackages('test/langchain/hosts/newest');
/** The programs of docs/api.md are in docblocks, which api.test.ts runs. */
const programs = pages
  .filter((page) => page !== 'docs/api.md')
  .flatMap(blocksIn)
  .filter(({ language }) => /^(ts|js)$/.test(language));
const runHere = programs.filter(({ comment }) => comment === undefined);

/**
 * Found by a line of the program: a part of its output, and the calls that the server of https://example.com received.
 */
const outcomes: [line: string, prints: string | RegExp, calls?: unknown[]][] = [
  ['answer(question: string, user: User)', 'Done.', [{ id: 7 }]],
  ['handler(request: Request)', 'Done.', [{ id: 7 }]],
  ["arguments: { ...args, tenant: 'acme' }", 'Done.', [{ id: 7, tenant: 'acme' }]],
  ['fixed: { delete:', 'Done.', [{ id: 7, tenant: 'acme' }]],
  ['interruptOn(tools)', '1\nDone.', [{ id: 7 }]],
  ["content: 'Delete record 7.'", 'Done.', [{ id: 7 }]],
  ["content: 'How much is 19 and 23? Use a tool.'", 'Done.'],
  ['repairArguments(compiled', "{ limit: 10, zip: '01234' }"],
  ['evaluate(compiled', /^valid\ninvalid$/],
  ["callTool(session, sum, { a: '1', b: 2 })", 'The sum of 1 and 2 is 3.'],
  ["callTool(session, sum, { a: '19', b: 23 })", 'The sum of 19 and 23 is 42.'],
  ["remove?.call('{", 'false deleted', [{ id: 7 }]],
  ['standardSchema(tool)', 'mcp-verbatim'],
  ['session.onListChanged', "name: 'delete'"],
  ['elicit: (question)', ''],
];

/** Programs that only define something, and code that uses it. */
const callers: Record<string, string> = {
  'answer(question: string, user: User)': `
    import { answer } from 'PROGRAM';
    console.log(await answer('Delete record 7.', { tenant: 'acme', token: async () => 'secret' }));`,
  'handler(request: Request)': `
    import handler from 'PROGRAM';
    const request = new Request('http://localhost/', { method: 'POST', body: 'Delete record 7.' });
    console.log(await (await handler(request)).text());`,
};

test.each(programs.filter(({ comment }) => comment !== undefined))(
  'The program at $page, line $line, has a reason not to be run here',
  ({ page, comment = '' }) => {
    const [, file] = /^run by (\S+)$/.exec(comment) ?? [];
    if (file === undefined) expect(comment).toMatch(/^not run: \w/);
    else expect(readFileSync(join(root, file), 'utf8')).toContain(page);
  },
);

describe.skipIf(host === undefined)('the programs of the docs (packages: npm run fetch:packages)', () => {
  const folder = join(host ?? root, 'node_modules', '.docs');
  const nameOf = ({ page, line }: Block) => join(folder, `${page.replace(/\W/g, '-')}-${line}`);
  const fileOf = (block: Block) => `${nameOf(block)}.mjs`;
  /** The settings of a TypeScript user; JavaScript is not type-checked. */
  const sourceOf = (block: Block) => `${nameOf(block)}.${block.language === 'ts' ? 'mts' : 'js.txt'}`;
  const inputSchema = { type: 'object', properties: { id: { type: 'integer' }, tenant: { type: 'string' } } };
  const definitions = [
    tool('delete', { inputSchema }, () => ({ content: [{ type: 'text', text: 'deleted' }] })),
    tool('read', { annotations: { readOnlyHint: true } }),
  ];
  let server: TestServer;
  let model: Awaited<ReturnType<typeof startResponsesModel>>;
  let runner: ReturnType<typeof startRunner>;

  beforeAll(async () => {
    server = await startServer(definitions);
    model = await startResponsesModel({ 'get-sum': { a: '19', b: 23 }, delete: { id: 7 } });
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const block of runHere) {
      writeFileSync(sourceOf(block), block.code);
      // Node 20 does not have `await using`.
      writeFileSync(fileOf(block), (await transform(block.code, { loader: 'ts', target: 'node20' })).code);
    }
    for (const file of readdirSync(join(root, 'examples')))
      writeFileSync(join(folder, file), readFileSync(join(root, 'examples', file), 'utf8'));
    const approved = approveTools(readCatalogue(definitions.map(({ definition }) => definition)), {
      url: 'https://example.com/mcp',
    });
    writeFileSync(join(folder, 'mcp-verbatim.lock.json'), approvedFileText({ example: approved }));
    writeNpx(folder);
    const PATH = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
    const env = { PATH, OPENAI_API_KEY: 'none', OPENAI_BASE_URL: model.url, EXAMPLE_COM: server.url };
    runner = startRunner(folder, { env, preload: [join(root, 'test/docs/example-com.mjs')] });
  });
  afterAll(async () => {
    runner.kill();
    await model.stop();
    await server.close();
  });

  test('The programs of the docs compile in strict mode under NodeNext, as in usage.ts, and find the same types under bundler resolution', async () => {
    const settings = JSON.parse(readFileSync(join(host!, 'tsconfig.json'), 'utf8')) as { compilerOptions: object };
    const compilerOptions = { ...settings.compilerOptions, typeRoots: [join(root, 'node_modules/@types')] };
    const include = ['*.mts', join(host!, 'usage.ts')];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
    expect(await compile(folder)).toBe('');
    expect(typesFound(folder, 'Bundler')).toEqual(typesFound(folder, 'NodeNext'));
  });

  test.each(runHere)('The program at $page, line $line, runs as it is written', async (block) => {
    const outcome = outcomes.find(([line]) => block.code.includes(line));
    expect(outcome, 'this test has to know what the program prints').toBeDefined();
    const [line, prints, calls] = outcome!;
    server.calls.length = 0;
    const caller = callers[line];
    const main = caller === undefined ? fileOf(block) : `${nameOf(block)}-caller.mjs`;
    if (caller !== undefined) writeFileSync(main, caller.replace('PROGRAM', pathToFileURL(fileOf(block)).href));
    expect(await runner.printed(main)).toMatch(typeof prints === 'string' ? new RegExp(escaped(prints)) : prints);
    if (calls !== undefined) expect(server.calls.map(({ arguments: args }) => args)).toEqual(calls);
  });

  test.each([
    ['langchain-agent.mjs', /^repaired \/a: "19" -> 19\nDone\.$/],
    [
      'plain-script.mjs',
      /^\d+ tools, 0 skipped\nThe sum of 19 and 23 is 42\.[^]*\/a: must be number, received string "many"/,
    ],
  ])('The program examples/%s runs as it is written', async (file, output) => {
    expect(await runner.printed(join(folder, file))).toMatch(output);
  });

  test('The programs of the docs leave nothing open that would keep their process', async () => {
    expect(await runner.end()).toBe(0);
  });
});

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

test('Every program of the docs is among the tested ones', () => {
  expect(programs.length).toBeGreaterThan(20);
});
