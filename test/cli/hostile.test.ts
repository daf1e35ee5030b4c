import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hostileServer, prefixesForReaders, startHostileServer } from '../../test-support/servers/hostile.js';
import { startServer } from '../langchain/server.js';
import { tool } from '../langchain/tools.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { cli } from './run.js';

const cases = Object.entries(prefixesForReaders);

/** Every command that prints a server's texts for people. */
const commands = [
  ['list'],
  ['list', '--tokens'],
  ['show', 'say'],
  ['show', 'none'],
  ['check', '--strict'],
  ['diff'],
  ['approve'],
  ['call', 'say', '{"number":"5"}'],
  ['call', 'say', '{"number":"x","choice":"y","pattern":"z"}'],
  ['call', 'fail'],
  ['call', 'refuse'],
  ['call', 'form', '--decline'],
  ['call', 'form', '--answer', 'choice=no'],
  ['call', 'page', '--decline'],
  ['resources'],
  ['read', 'a:b'],
  ['prompts'],
  ['prompt', 'any'],
];
/** Commands whose output the user has asked the server for. */
const handedOn = ['call', 'read', 'prompt'];
/** JSON written by the command and by the server. */
const reports = [
  ['list', '--tokens', '--json'],
  ['check', '--json'],
  ['diff', '--json'],
];
const verbatim = [
  ['list', '--json'],
  ['list', '--schema', 'say'],
  ['show', 'say', '--json'],
  ['call', 'say', '--json'],
];

/** Characters that control a terminal or split a line. The command itself writes line breaks and tabs. */
const interpreted = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
/** Commands that a CI service carries out (GitHub's runner, Azure's agent, TeamCity). */
const command = /^\s*::|##\[|##vso\[|##teamcity\[/m;
/** The command's own status line. */
const redrawn = /\r\u001b\[K/g;

const onTerminal = { columns: 60, env: { NO_COLOR: '1' } };

function expectInert(shown: string, by = ''): void {
  expect(shown, by).not.toMatch(interpreted);
  expect(shown, by).not.toMatch(command);
}

describe.each(cases)('a server whose texts begin with %s', (_name, prefix) => {
  let server: Awaited<ReturnType<typeof startHostileServer>>;
  let honest: typeof server;
  beforeAll(async () => {
    server = await startHostileServer(prefix);
    honest = await startHostileServer('');
  });
  afterAll(async () => {
    await server.close();
    await honest.close();
  });

  const at = (argv: readonly string[], { url } = server) => [...argv, '--url', url];

  /** A folder with an approval of the same server, made before it became hostile. */
  async function approvedBefore(): Promise<string> {
    const cwd = temporaryFolder(onTestFinished);
    await cli(at(['approve'], honest), { cwd });
    return cwd;
  }

  test('A hostile server controls no terminal and forges no line of a log', async () => {
    const cwd = await approvedBefore();
    for (const argv of commands) {
      const logged = await cli(at(argv), { cwd });
      expectInert(handedOn.includes(argv[0]!) ? logged.stderr : logged.stdout + logged.stderr, argv.join(' '));
      const { stdout, stderr } = await cli(at(argv), { cwd, ...onTerminal });
      expectInert((stdout + stderr).replaceAll(redrawn, ''), argv.join(' '));
    }
  });

  test('A hostile server is printed as JSON to the character for programs, escaped on a terminal', async () => {
    const cwd = await approvedBefore();
    for (const argv of [...verbatim, ...reports]) {
      const name = argv.join(' ');
      const piped = await cli(at(argv), { cwd });
      expect(JSON.stringify(JSON.parse(piped.stdout)), name).toContain(JSON.stringify(prefix).slice(1, -1));
      if (reports.includes(argv)) expect(piped.stdout, name).not.toMatch(command);
      const { stdout } = await cli(at(argv), { cwd, ...onTerminal });
      expectInert(stdout, name);
      expect(JSON.parse(stdout), name).toEqual(JSON.parse(piped.stdout));
    }
  });

  test('A hostile server cannot forge a question, and its own are marked with a bar', async () => {
    const answers = ['y', '', '1', 'y'];
    const { stderr } = await cli(at(['call', 'form']), { ...onTerminal, answer: () => answers.shift() ?? '' });
    const shown = stderr.replaceAll(redrawn, '');
    expect(answers).toEqual([]);
    expectInert(shown);
    expect(shown).toMatch(/│ [^\n]*message[^]*\n│ [^\n]*line/);
  });

  test('A hostile server does not choose the name of a file', async () => {
    const cwd = temporaryFolder(onTestFinished);
    mkdirSync(join(cwd, 'in'));
    await cli(at(['call', 'say', '--save', 'in/out']), { cwd });
    expect(readdirSync(cwd)).toEqual(['in']);
    expect(readdirSync(join(cwd, 'in'))).toEqual(['out']);
    for (const file of readdirSync(join(cwd, 'in', 'out'))) expect(file).toMatch(/^result-\d+\.(?:bin|png|wav)$/);
  });

  test('A hostile server is approved under its own name and text', async () => {
    const cwd = temporaryFolder(onTestFinished);
    await cli(at(['approve']), { cwd });
    const file = JSON.parse(readFileSync(join(cwd, 'mcp-verbatim.lock.json'), 'utf8')) as {
      servers: Record<string, { tools: Record<string, unknown> }>;
    };
    const [approved] = Object.values(file.servers);
    expect(Object.keys(approved!.tools)).toContain(`${prefix}named`);
    expect(await cli(at(['diff']), { cwd })).toMatchObject({ code: 0 });
  });

  test('A hostile name of a server in a configuration forges no line of the question', async () => {
    const cwd = temporaryFolder(onTestFinished);
    const entry = { command: `${prefix}x`, args: [prefix], env: { [prefix]: prefix }, headers: { [prefix]: prefix } };
    writeFileSync(join(cwd, 'mcp.json'), JSON.stringify({ mcpServers: { [prefix]: entry } }));
    const { stderr } = await cli(['list'], { cwd, ...onTerminal, answer: 'n' });
    expectInert(stderr);
    expect(stderr.split('\n').filter((line) => line.startsWith('    ')).length).toBeLessThanOrEqual(4);
  });
});

test('The stderr of a process does not control the terminal', async () => {
  const { command: program, args = [] } = hostileServer(prefixesForReaders['line breaks and escapes of a terminal']);
  const { stderr } = await cli(['call', 'fail', '--', program, ...args], onTerminal);
  expectInert(stderr.replaceAll(redrawn, ''));
});

test("A colour in a server's text is shown as text, beside our own colours", async () => {
  await using server = await startHostileServer('\u001b[31m');
  const { stdout, stderr } = await cli(['call', 'refuse', '--url', server.url], { columns: 60 });
  expect(stderr).toContain('\u001b[31merror:\u001b[39m');
  expect(stderr).toContain('\\u001b[31mmessage');
  expect(stdout).toBe('');
});

test('A file is not written through a link in the folder', async () => {
  const cwd = temporaryFolder(onTestFinished);
  writeFileSync(join(cwd, 'mine'), 'mine');
  symlinkSync(join(cwd, 'mine'), join(cwd, 'result-3.png'));
  await using server = await startHostileServer('');
  const { code, stderr } = await cli(['call', 'say', '--save', '.', '--url', server.url], { cwd });
  expect(readFileSync(join(cwd, 'mine'), 'utf8')).toBe('mine');
  expect(stderr).toContain('result-3.png cannot be written');
  expect(code).toBe(2);
});

test("A server's annotations are not looked up on Object.prototype", async () => {
  await using server = await startServer([tool('odd', { annotations: { constructor: true } })]);
  const { stdout } = await cli(['show', 'odd', '--url', server.url]);
  expect(stdout).toContain('constructor: true');
  expect(stdout).not.toContain('undefined');
});
