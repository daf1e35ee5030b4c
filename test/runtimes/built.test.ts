import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { parseSync } from 'rolldown/utils';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startOAuthServer } from '../../test-support/servers/oauth.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';

// The output of `npm run build`.
const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'packages/mcp-verbatim/dist');

/** The globals of every web runtime, and those that jose probes and does without. */
const ofTheWeb =
  `AbortController AbortSignal CompressionStream CryptoKey DecompressionStream EdgeRuntime Headers ReadableStream Request
  Response TextDecoder TextEncoder TransformStream URL URLSearchParams WebSocketPair atob btoa clearTimeout console crypto fetch navigator
  performance setTimeout structuredClone`.split(/\s+/);
const ofNode = ['Buffer', 'clearImmediate', 'global', 'process', 'require', 'setImmediate'];
const anyOfNode = `(?:${ofNode.join('|')})\\b`;
const memberOfGlobalThis = new RegExp(
  `\\bglobalThis *(?:\\??\\. *|(?:\\?\\.)? *\\[ *["'\`])${anyOfNode}|\\{[^{}]*\\b${anyOfNode}[^{}]*\\} *= *globalThis\\b`,
);

describe('The build for the web', () => {
  const files = readdirSync(join(dist, 'web')).filter((name) => name.endsWith('.js'));

  test.each(files)('The build for the web uses no global of Node: %s', (name) => {
    const code = readFileSync(join(dist, 'web', name), 'utf8');
    expect(globalsIn(code).filter((used) => !ofTheWeb.includes(used.name))).toEqual([]);
    expect(code).not.toMatch(memberOfGlobalThis);
  });

  test('The build for the web connects, adapts a schema and calls a tool without a global of Node', async () => {
    const inputSchema = { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] };
    const { url, close } = await startHttpServer({ 'tools/list': { tools: [{ name: 'echo', inputSchema }] } });
    onTestFinished(close);
    const program = `
      const used = new Set();
      for (const name of ${JSON.stringify(ofNode)}) {
        const value = globalThis[name];
        const get = () => {
          if (/dist\\/web\\//.test(new Error().stack.split('\\n')[2])) used.add(name);
          return value;
        };
        Object.defineProperty(globalThis, name, { get, configurable: true });
      }
      const { mcpTools } = await import(${JSON.stringify(join(dist, 'web/langchain.js'))});
      const tools = await mcpTools({ url: ${JSON.stringify(url)} });
      const schema = JSON.stringify(tools[0].schema);
      const result = await tools[0].invoke({ a: 'said' });
      await tools.close();
      console.log(JSON.stringify({ used: [...used], isAdapted: !schema.includes('anyOf'), result }));`;
    const { stdout, stderr } = await ran(['--input-type=module', '-e', program]);
    expect(JSON.parse(stdout)).toMatchObject({ used: [], isAdapted: true, result: expect.stringContaining('said') });
    expect(stderr).toMatch(/^\[MCP_VERBATIM_ADAPTED\] No model is named/);
  });
});

const token = 'the-refresh-token-of-the-user';
const program = (load: string) => `${load}
  const provider = {
    redirectUrl: 'http://localhost/callback',
    clientMetadata: { redirect_uris: ['http://localhost/callback'] },
    clientInformation: () => ({ client_id: 'registered' }),
    tokens: () => ({ access_token: 'old', token_type: 'Bearer', refresh_token: '${token}' }),
    saveTokens() {}, saveCodeVerifier() {}, codeVerifier: () => 'v', redirectToAuthorization() {},
  };
  connect({ url: process.argv[1], authProvider: provider }).catch((error) => console.error(error.code, error));`;
const library = (folder: string, load: string, type: string) => (url: string) =>
  ran([`--input-type=${type}`, '-e', program(load.replace('$', join(dist, folder, 'index.js'))), url]);
const command = (name: string, input: string) => (url: string) => {
  const home = temporaryFolder(onTestFinished);
  mkdirSync(join(home, 'mcp-verbatim'));
  const tokens = { access_token: 'old', token_type: 'Bearer', refresh_token: token };
  const kept = { [url]: { tokens, clientInformation: { client_id: 'registered' } } };
  writeFileSync(join(home, 'mcp-verbatim', 'tokens.json'), JSON.stringify(kept));
  return ran([join(dist, 'esm/cli.js'), name, '--url', url], { XDG_CONFIG_HOME: home }, input);
};
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
const messages = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
];
const hosts: [string, (url: string) => Promise<{ stdout: string; stderr: string }>][] = [
  ['the ES modules', library('esm', "import { connect } from '$';", 'module')],
  ['the CommonJS modules', library('cjs', "const { connect } = require('$');", 'commonjs')],
  ['the build for the web', library('web', "import { connect } from '$';", 'module')],
  ['mcp-verbatim list', command('list', '')],
  ['mcp-verbatim serve', command('serve', messages.map((message) => `${JSON.stringify(message)}\n`).join(''))],
];

test.each(
  hosts.flatMap(([host, run]) => ['invalid_grant', 'server_error'].map((error) => [host, error, run] as const)),
)('A refresh token that a server rejects and repeats is not shown by %s (%s)', async (_, error, run) => {
  const refusal = (form: Record<string, string>) => ({ error, error_description: `not ${form['refresh_token']}` });
  const server = await startOAuthServer({ refusal });
  onTestFinished(() => server.close());
  const { stdout, stderr } = await run(server.url);
  expect(server.tokenRequests.map(({ form }) => form['refresh_token'])).toContain(token);
  expect(stdout + stderr).not.toContain(token);
  expect(stdout + stderr).not.toContain('mcp-sdk');
});

/** The build gives packages a console that shows nothing (build.mjs), so all remaining uses are the library's own. */
test.each([
  ['packages/mcp-verbatim/dist/esm', 'console.error(`MCP-VERBATIM '],
  ['packages/mcp-verbatim/dist/cjs', 'console.error(`MCP-VERBATIM '],
  ['packages/mcp-verbatim/dist/web', 'console.warn(`[${'],
  ['dist', 'console.error(`MCP-VERBATIM '],
])('The code in %s writes to the console only by %s', (folder, own) => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const uses = files
    .filter((name) => /\.c?js$/.test(name))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
    .filter((code) => code.includes('console'))
    .flatMap(globalsIn)
    .filter(({ name }) => name === 'console');
  expect(uses.map(({ text }) => text.slice(0, own.length))).toEqual([own]);
});

interface Reference {
  readonly identifier: { name: string; range: [number, number] };
}
// ESLint's own scopes; its rules take five times as long.
const { analyze } = createRequire(import.meta.resolve('eslint'))('eslint-scope') as {
  analyze(program: unknown, options: object): { globalScope: { through: Reference[] } };
};

const ofLanguage = new Set(runInNewContext('Object.getOwnPropertyNames(globalThis)') as string[]);
// V8 brings these, too.
for (const name of ['console', 'WebAssembly']) ofLanguage.delete(name);

/** Several builds have the same files. */
const known = new Map<string, { name: string; text: string }[]>();

/** The undeclared globals of a program, `typeof` included, with the text that follows. */
function globalsIn(code: string) {
  const before = known.get(code);
  if (before) return before;
  const { program, errors } = parseSync('file.js', code, { range: true });
  expect(errors).toEqual([]);
  const { through } = analyze(program, { ecmaVersion: 2025, sourceType: 'module' }).globalScope;
  const globals = through
    .map(({ identifier: { name, range } }) => ({ name, text: code.slice(range[0]).split('\n', 1)[0]! }))
    .filter(({ name }) => !ofLanguage.has(name));
  known.set(code, globals);
  return globals;
}

function ran(args: string[], env: Record<string, string> = {}, input = '') {
  const running = promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'], ...env } });
  running.child.stdin?.end(input);
  // A command that is meant to fail keeps its output.
  return running.catch((error: unknown) => error as { stdout: string; stderr: string });
}
