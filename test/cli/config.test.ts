import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { serverCode } from '../../test-support/servers/code.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { serverForAll } from '../langchain/server.js';
import { tool } from '../langchain/tools.js';
import { until } from '../../test-support/waiting.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { bin } from './built.js';
import { cli, containing, matching } from './run.js';

const { mistakes } = JSON.parse(readFileSync(new URL('./mistakes.json', import.meta.url), 'utf8')) as {
  mistakes: [text: string, place: string][];
};

const message = { type: 'object', properties: { message: { type: 'string' } } };
const integer = { type: 'integer' };
const properties = {
  filter: { $ref: '#/$defs/filter' },
  rows: { type: 'array', items: { type: 'object', properties: { size: {} } } },
  either: { anyOf: [{ properties: { width: {} } }, { properties: { length: {} } }] },
  map: { type: 'object', properties: { a: {} }, additionalProperties: integer },
  any: { type: 'object' },
};
const $defs = { filter: { type: 'object', properties: { color: {} } } };
const nested = { type: 'object', properties, patternProperties: { '^x-': integer }, $defs };
const server = serverForAll(
  [tool('say', { inputSchema: message }), tool('other'), tool('nested', { inputSchema: nested })],
  'configured',
);

/** The arguments that started the server, as the name of its only tool. */
const telling = (what: string) => ({
  command: process.execPath,
  args: ['-e', serverCode({ results: `'tools/list': { tools: [{ name: String(${what}), inputSchema: {} }] }` })],
});

let folder: string;
let home: string;

beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  home = join(folder, 'home');
  mkdirSync(home);
});

function write(content: object, name = 'servers.json'): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const list = (file: string, more: string[] = [], about: Parameters<typeof cli>[1] = {}) =>
  cli(['list', '--config', file, ...more], { cwd: folder, env: { HOME: home }, ...about });

describe('an entry of a configuration', () => {
  test('The time limit of an entry is in milliseconds, and a limit that is probably in seconds is an error', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using silent = await startHttpServer(() => vi.advanceTimersByTime(1000));
    const limited = await list(write({ mcpServers: { one: { url: silent.url, timeout: 1000 } } }));
    expect(limited).toMatchObject({ code: 4, stderr: containing('within 1000 ms') });
    const wrong = await list(write({ mcpServers: { one: { url: server.url, timeout: 30 } } }));
    expect(wrong).toMatchObject({ code: 2, stderr: containing('1000 or more') });
  });

  test('An entry can use defaults, the folder, the home folder and a file of variables', async () => {
    write({}, 'sub/x');
    writeFileSync(join(folder, 'sub', '.env'), '# keys\nexport A="one two" # of A\nB=three\nC=c#1 # of C\nE= # none\n');
    const args = telling("[...['A', 'B', 'C', 'D', 'E'].map((name) => process.env[name]), process.argv[1]].join('|')");
    const entry = { ...args, args: [...args.args, '${workspaceFolder}:${userHome}'] };
    const more = { envFile: '${workspaceFolder}/.env', env: { B: '${MINE:-own}', D: '4' } };
    const file = write({ servers: { one: { ...entry, ...more } } }, 'sub/.vscode/mcp.json');
    const { code, stdout, stderr } = await list(file);
    expect({ code, stderr: stderr.includes('error') }).toEqual({ code: 0, stderr: false });
    expect(stdout.split('\t')[0]).toBe(`one two|own|c#1|4||${join(folder, 'sub')}:${home}`);
  });

  test('An entry runs its server in its folder', async () => {
    const file = write({ mcpServers: { one: { ...telling('process.cwd()'), cwd: '${userHome}' } } });
    expect((await list(file)).stdout.split('\t')[0]).toBe(home);
  });

  test('An entry sends its headers', async () => {
    await using http = await startHttpServer({});
    const headers = { 'X-Key': '${KEY}' };
    await list(write({ mcpServers: { one: { url: http.url, headers } } }), [], { env: { HOME: home, KEY: 'k' } });
    expect(http.seen[0]?.headers['x-key']).toBe('k');
  });

  test('The inputs of an entry are asked for, or given on the command line', async () => {
    const one = { url: '${input:the-url}' };
    const inputs = [{ id: 'the-url', type: 'promptString', description: 'Where is it?' }];
    const file = write({ inputs, servers: { one } });
    expect(await list(file, ['--input', `the-url=${server.url}`])).toMatchObject({ code: 0 });
    expect(await list(file)).toMatchObject({ code: 2, stderr: containing('--input the-url=VALUE') });
    const asked = await list(file, [], { answer: server.url });
    expect(asked).toMatchObject({ code: 0, stderr: containing('Where is it?') });
  });

  const picked = {
    servers: { one: telling('process.env.REGION') },
    inputs: [{ id: 'region', type: 'pickString', options: ['eu', { label: 'America', value: 'us' }], default: 'us' }],
  };
  const region = { ...picked, servers: { one: { ...picked.servers.one, env: { REGION: '${input:region}' } } } };
  test.each<[string[], Parameters<typeof cli>[1], string]>([
    [[], {}, 'us'],
    [[], { answer: '' }, 'us'],
    [[], { answer: 'eu' }, 'eu'],
    [['--input', 'region=eu'], {}, 'eu'],
  ])('An entry has the default of a choice, or the chosen option: %j %j', async (more, about, chosen) => {
    const { stdout } = await list(write(region), more, { env: { HOME: home }, ...about });
    expect(stdout.split('\t')[0]).toBe(chosen);
  });

  test.runIf(process.platform === 'linux')(
    'The password of an entry is asked for without showing the typed characters',
    async () => {
      const inputs = [{ id: 'key', type: 'promptString', description: 'The key', password: true }];
      const one = { ...telling('process.env.KEY.length'), env: { KEY: '${input:key}' } };
      const file = write({ inputs, servers: { one } });
      const line = [bin, 'list', '--config', file].map((word) => `'${word}'`).join(' ');
      const env = { ...process.env, HOME: home, NO_COLOR: '1' };
      const terminal = spawn('script', ['-qec', line, '/dev/null'], { cwd: folder, env });
      let shown = '';
      terminal.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
      await until(() => shown.includes('The key'));
      terminal.stdin.write('hush-hushx\x7f\r');
      await new Promise((resolve) => terminal.on('close', resolve));
      expect(shown).not.toContain('hush');
      expect(shown).toMatch(/^ +9 /m);
    },
  );
});

test('The servers of a configuration are visited at the same time, and shown in their order', async () => {
  const slow = (name: string, ms: number) => ({
    command: process.execPath,
    args: ['-e', `setTimeout(() => { ${telling(`'${name}'`).args[1]} }, ${ms})`],
  });
  const mcpServers = { slow: slow('slow', 400), gone: { command: '/nowhere' }, fast: slow('fast', 0) };
  const { code, stdout, stderr } = await list(write({ mcpServers }));
  expect(code).toBe(4);
  expect(stdout.match(/^\w+\t\w+/gm)).toEqual(['slow\tslow', 'fast\tfast']);
  expect(stderr).toContain('gone: ');
});

test('A terminal shows the names of the servers that are waited for', async () => {
  let isOver = false;
  await using quick = await startHttpServer(({ message, verb, result, plain }) => {
    if (message.method !== 'initialize') plain();
    else result({ protocolVersion: '2025-11-25', capabilities: { tools: {} } }, { 'mcp-session-id': 's' });
    isOver ||= verb === 'DELETE';
  });
  await using late = await startHttpServer(async ({ plain }) => {
    await until(() => isOver);
    plain();
  });
  const file = write({ mcpServers: { late: { url: late.url }, quick: { url: quick.url } } });
  const { code, stderr } = await list(file, [], { columns: 80 });
  expect({ code, stderr }).toEqual({ code: 0, stderr: matching(/waiting for late(?!,)[^]*\r\u001b\[K$/) });
});

test('Servers of a configuration all start before the first of them has answered', async () => {
  let open = 0;
  let most = 0;
  await using held = await startHttpServer({
    async initialize({ introduce }) {
      most = Math.max(most, ++open);
      await expect.poll(() => most).toBe(3);
      introduce();
    },
  });
  const one = { url: held.url };
  expect(await list(write({ mcpServers: { a: one, b: one, c: one } }))).toMatchObject({ code: 0 });
});

test('Servers of a configuration are named before their tool in a call', async () => {
  const { url } = server;
  const file = write({ mcpServers: { a: { url }, b: { url }, 'b.c': { url } } });
  const call = (...words: string[]) => cli(['call', ...words, '--config', file], { cwd: folder });
  for (const tool of ['b.say', 'b.c.say'])
    expect(await call(tool, 'message=hi')).toMatchObject({ code: 0, stdout: containing('hi') });
  expect(await call('say', 'message=hi')).toMatchObject({ code: 2, stderr: containing('SERVER.TOOL') });
  expect(server.calls.at(-1)).toEqual({ name: 'say', arguments: { message: 'hi' } });
});

test.each(mistakes)(
  'A configuration that is not JSON is refused with the place of the mistake: %j',
  async (text, place) => {
    const file = write({});
    writeFileSync(file, text);
    expect(await list(file)).toMatchObject({ code: 2, stderr: containing(`${place}.`) });
  },
);

describe('a call', () => {
  const call = (...words: string[]) => cli(['call', ...words, '--url', server.url]);

  test.each([
    ['{"filter":{"colour":1}}', '`colour` in /filter is not declared (did you mean `color`?)'],
    ['{"rows":[{"sise":1}]}', '`sise` in /rows/0 is not declared (did you mean `size`?)'],
    ['{"either":{"lenght":1}}', '`lenght` in /either is not declared (did you mean `length`?)'],
    ['{"zz":1}', '`zz` is not declared\n'],
    ['{"map":{"free":1},"x-own":2,"any":{"a":1}}', undefined],
  ])('A call says which argument within others is not declared: %s', async (args, note) => {
    const { code, stderr } = await call('nested', args, '--repair', 'off');
    expect({ code, stderr }).toEqual({ code: 0, stderr: note === undefined ? '' : containing(note) });
  });

  test('A call gives no warning for a tool that declares no arguments', async () => {
    expect((await call('other', 'a=1')).stderr).toBe('');
  });
});
