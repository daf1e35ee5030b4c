import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { seconds } from '../../src/cli/command.js';
import { addressIn, envFileTexts, inputsIn, readConfig } from '../../src/cli/servers/config-file.js';
import { secretFrom, variablesIn } from '../../src/cli/servers/config-file.js';
import { serverSettings } from '../../src/cli/servers/settings.js';
import { signInStore } from '../../src/cli/servers/sign-in.js';
import type { Context } from '../../src/cli/context.js';
import { serverCode } from '../../test-support/servers/code.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { cli, containing } from './run.js';

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  env = { HOME: join(folder, 'home') };
});

async function named(...tools: string[]) {
  const listed = tools.map((name) => ({ name, inputSchema: { type: 'object' } }));
  const text = ({ message, result }: { message: { params?: object }; result: (value: object) => void }) =>
    result({ content: [{ type: 'text', text: JSON.stringify({ ...message.params, _meta: undefined }) }] });
  const server = await startHttpServer({ 'tools/list': { tools: listed }, 'tools/call': text as never });
  onTestFinished(() => server.close());
  return { url: server.url };
}

function write(content: object, name = 'mcp.json'): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
  return path;
}

test('A dot in the name of a tool is not taken for that behind a server if --server names the server', async () => {
  const mcpServers = { a: await named('a.look', 'look'), 'a.b': await named('look') };
  const call = async (...words: string[]) => {
    const { stdout } = await cli(['call', ...words, '--config', write({ mcpServers })], { env, cwd: folder });
    return stdout;
  };
  expect(await call('a.look', '--server', 'a')).toContain('"name":"a.look"');
  expect(await call('a.look')).toContain('"name":"look"');
  expect(await call('a.b.look')).toContain('"name":"look"');
});

test('The settings of a server are its own before those of the command line, but for a length and fixed values', () => {
  const entry = { include: ['a'], readOnly: true, maxResultLength: 900, fixed: { search: { tenant: '${T}', n: 1 } } };
  const given = { include: ['b'], exclude: ['c'], fixed: ['search.n=2', 'other.x=${T}'], approved: undefined };
  const line = { words: [], command: undefined };
  const address = { url: 'http://127.0.0.1:9/mcp' };
  const settings = (more: object, count = 1) =>
    serverSettings({ ...line, ...given, 'read-only': false, 'max-result-length': undefined, ...more }, count, {
      cwd: folder,
      env: { T: 'acme' },
    } as unknown as Context); // only the members that are read
  expect(settings({})({ name: 'one', entry, address })).toEqual({
    policy: {
      approved: undefined,
      selection: { include: ['a'], exclude: ['c'], readOnly: true },
      fixed: { search: { tenant: 'acme', n: '2' }, other: { x: 'acme' } },
      shared: [],
    },
    maxResultLength: 900,
  });
  const { policy, maxResultLength } = settings({ fixed: [], 'max-result-length': 500 }, 2)({ entry, address });
  expect([policy?.shared, maxResultLength]).toEqual([['exclude'], 500]);
  expect(() => settings({}, 2)).toThrow('--fixed is for one server');
});

test('A sign-in is kept for an address with its query, in the folder of settings that XDG names, for its user alone', () => {
  const both = { ...env, XDG_CONFIG_HOME: join(folder, 'xdg'), APPDATA: join(folder, 'app') };
  const [one, other] = ['1', '2'].map((of) => signInStore(`https://a.example/mcp?of=${of}`, both));
  one!.write({ scope: 'a' });
  chmodSync(join(folder, 'xdg', 'mcp-verbatim', 'tokens.json'), 0o644);
  other!.write({ scope: 'b' });
  expect([one!.read(), other!.read()]).toEqual([{ scope: 'a' }, { scope: 'b' }]);
  const place = join(folder, 'xdg', 'mcp-verbatim');
  expect([statSync(place), statSync(join(place, 'tokens.json'))].map(({ mode }) => mode & 0o777)).toEqual([
    0o700, 0o600,
  ]);
});

test('An agreement to a configuration keeps the earlier ones', async () => {
  const names = ['one', 'other'];
  const places = names.map((name) => join(folder, name));
  const server = await named('look');
  for (const name of names) write({ mcpServers: { [name]: server } }, `${name}/mcp.json`);
  let asked = 0;
  for (const cwd of [...places, ...places]) {
    const { code } = await cli(['list'], { env, cwd, answer: () => (asked++, 'y') });
    expect(code).toBe(0);
  }
  expect(asked).toBe(2);
});

test('A configuration that the command line names is not compared with those that lie in the folder', async () => {
  const server = await named('look');
  const files = ['mcp.json', '.vscode/mcp.json'].map((name) => write({ mcpServers: { one: server } }, name));
  const { stderr } = await cli(['list', '--config', files[1]!], { env, cwd: folder });
  expect(stderr).toBe(`servers from ${files[1]!}\n`);
  mkdirSync(join(folder, 'empty', 'mcp.json'), { recursive: true });
  expect(await cli(['list'], { env, cwd: join(folder, 'empty') })).toMatchObject({
    code: 2,
    stderr: containing('Which server?'),
  });
});

test('An input with choices is asked for three times', async () => {
  const inputs = [{ id: 'region', type: 'pickString', options: ['eu', 'us'] }];
  const one = { ...(await named('look')), headers: { 'X-Region': '${input:region}' } };
  const file = write({ inputs, servers: { one } });
  const answers = ['asia', 'africa', 'eu'];
  const answer = () => answers.shift()!;
  expect(await cli(['list', '--config', file], { env, cwd: folder, answer })).toMatchObject({ code: 0 });
});

test('Secrets come without white space at their ends, and variables of a text without those of the folder', () => {
  writeFileSync(join(folder, 'token'), ' of the file \n');
  const about = { cwd: folder, env: { T: ' of T\n' } };
  expect([secretFrom('token', '${T}', about), secretFrom('token', '@token', about)]).toEqual(['of T', 'of the file']);
  expect(variablesIn('${A} ${env:B} ${input:c} ${workspaceFolder} ${userHome} ${D:-e}')).toEqual(['A', 'B', 'D']);
});

test('A configuration is read with comments, from all places of servers, and each address is filled in', () => {
  const variables = '# of one\nexport A="a b" # c\nB=\'b c\'\n C = c#d # e\nD=\n\nE=f g\t\r\nno line\n2=x\nF="open\n';
  writeFileSync(join(folder, 'own.env'), variables);
  const entry = {
    ...{ command: '${RUN}', args: [1, true, '${A:-a} ${input:i}', '${workspaceFolder}'], cwd: '${userHome}/in' },
    ...{ envFile: '${FILE}', env: { A: '${env:OTHER}', N: 5, B: false } },
  };
  const headers = { a: '${A:-a}', b: 5, c: '${NONE:-}' };
  const content = {
    ...{ mcpServers: { one: entry, same: 1 }, servers: { two: { serverUrl: '${RUN}/x', type: 'sse', headers } } },
    mcp: {
      servers: { same: { httpUrl: 'a', transport: 'sse' }, far: { envFile: 'none.env' } },
      inputs: [{ id: 'of mcp' }],
    },
    ...{ inputs: [5, { id: 'i' }], projects: { '/p~/q': { mcpServers: { three: { url: '${input:i}' } } } } },
  };
  const text = `\uFEFF// a\n${JSON.stringify(content).replace(/}$/, ', /* b */ }')}`;
  mkdirSync(join(folder, '.cursor'));
  const path = join(folder, '.cursor', 'mcp.json');
  writeFileSync(path, text);
  const config = readConfig(path, '/p~/q');
  const entries = {
    ...{ one: entry, same: content.mcp.servers.same, two: content.servers.two, far: content.mcp.servers.far },
    three: { url: '${input:i}' },
  };
  expect(config).toEqual({ path, text, folder, entries, inputs: [{ id: 'i' }] });
  expect([readConfig(path, '/p').folder, Object.keys(readConfig(path, '/p').entries)]).toEqual([
    folder,
    ['one', 'same', 'two', 'far'],
  ]);
  const own = { RUN: 'http://run', FILE: 'own.env', OTHER: 'of other', HOME: '/home/me' };
  const addressOf = (name: string) => addressIn(config, name, own, new Map([['i', 'given']]));
  expect(['one', 'two', 'same', 'three'].map(addressOf)).toEqual([
    {
      transport: 'stdio',
      command: 'http://run',
      args: ['1', 'true', 'a given', folder],
      env: { A: 'of other', N: '5', B: 'false', C: 'c#d', D: '', E: 'f g', F: '"open' },
      cwd: '/home/me/in',
    },
    { transport: 'sse', url: 'http://run/x', headers: { a: 'a', b: '5', c: '' } },
    { transport: 'sse', url: 'a', headers: {} },
    { url: 'given', headers: {} },
  ]);
  expect(envFileTexts(config, own)).toEqual([variables, '', '', '', '']);
  expect(inputsIn('${input:a.b-c} ${A} ${env:B} ${input:d}')).toEqual(['a.b-c', 'd']);
});

test('A time of less than a millisecond is a millisecond: zero would be without end', () => {
  expect(seconds('').read(['0.0001'], 'idle-timeout')).toBe(1);
});

test('Of several servers, those that can be reached are approved, and observed beside the others', async () => {
  const mcpServers = { away: { url: 'http://127.0.0.1:9/mcp' }, here: await named('look') };
  const file = write({ mcpServers });
  expect(await cli(['approve', '--config', file], { env, cwd: folder })).toMatchObject({ code: 4 });
  const { servers } = JSON.parse(readFileSync(join(folder, 'mcp-verbatim.lock.json'), 'utf8')) as { servers: object };
  expect(Object.keys(servers)).toEqual(['here']);
});

test('observe ends with the code of a server without tools', async () => {
  const file = write({ mcpServers: { here: await named() } });
  expect(await cli(['observe', '--play', '--config', file], { env, cwd: folder })).toMatchObject({ code: 4 });
});

test('Everything behind the first -- is the command of the server, and options may follow the subject of help', async () => {
  const results = "'tools/list': { tools: [{ name: process.argv.slice(1).join(), inputSchema: {} }] }";
  const server = [process.execPath, '-e', serverCode({ results }), '--', 'a', '--', '--json'];
  expect((await cli(['list', '--', ...server], { env, cwd: folder })).stdout).toMatch(/^a,--,--json\t/);
  expect(await cli(['help', 'list', '--no-color'])).toEqual(await cli(['help', 'list']));
});
