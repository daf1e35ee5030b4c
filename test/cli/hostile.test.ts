import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hostileServer, prefixesForReaders } from '../../test-support/servers/hostile.js';
import { startServer } from '../langchain/server.js';
import { tool } from '../langchain/tools.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { cli } from './run.js';

const cases = Object.entries(prefixesForReaders);

/** Every command that prints what a server says, in forms for people. */
const commands = [
  ['list'],
  ['list', '--tokens'],
  ['show', 'say'],
  ['show', 'none'],
  ['check', '--fail-on', 'note'],
  ['approve'],
  ['diff'],
  ['call', 'say', '{"number":"5"}'],
  ['call', 'say', '{"number":"x","choice":"y","pattern":"z"}'],
  ['call', 'fail'],
  ['call', 'refuse'],
  ['call', 'form', '--decline'],
  ['call', 'form', '--answer', 'choice=no'],
  ['call', 'page', '--decline'],
];
/** JSON that is written here, and by the server. */
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

/** What a terminal or a reader of lines makes something of; the line break and the field's tab are ours. */
const interpreted = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
/** What a CI service carries out (GitHub's runner, Azure's agent, TeamCity). */
const command = /^\s*::|##\[|##vso\[|##teamcity\[/m;
/** The status line's own. */
const redrawn = /\r\u001b\[K/g;

function at(prefix: string, argv: readonly string[]): string[] {
  const { command: program, args } = hostileServer(prefix);
  return [...argv, '--', program, ...args!];
}

describe.each(cases)('a server whose texts begin with %s', (_name, prefix) => {
  test('controls no terminal, and is obeyed by nobody who reads a log', async () => {
    const cwd = temporaryFolder(onTestFinished);
    await cli(at('', ['approve']), { cwd });
    for (const argv of commands) {
      const name = argv.join(' ');
      const seen = await cli(at(prefix, argv), { cwd, columns: 60, env: { NO_COLOR: '1' } });
      const shown = (seen.stdout + seen.stderr).replaceAll(redrawn, '');
      expect(shown, name).not.toMatch(interpreted);
      expect(shown, name).not.toMatch(command);
      const logged = await cli(at(prefix, argv), { cwd });
      // What a tool says is what was asked for.
      const read = argv[0] === 'call' ? logged.stderr : logged.stdout + logged.stderr;
      expect(read, name).not.toMatch(interpreted);
      expect(read, name).not.toMatch(command);
    }
  }, 120_000);

  test('is printed as JSON to the character for programs, escaped on a terminal', async () => {
    const cwd = temporaryFolder(onTestFinished);
    await cli(at('', ['approve']), { cwd });
    for (const argv of [...verbatim, ...reports]) {
      const name = argv.join(' ');
      const piped = await cli(at(prefix, argv), { cwd });
      expect(JSON.stringify(JSON.parse(piped.stdout)), name).toContain(JSON.stringify(prefix).slice(1, -1));
      if (reports.includes(argv)) expect(piped.stdout, name).not.toMatch(command);
      const seen = await cli(at(prefix, argv), { cwd, columns: 60, env: { NO_COLOR: '1' } });
      expect(seen.stdout, name).not.toMatch(interpreted);
      expect(seen.stdout, name).not.toMatch(command);
      expect(JSON.parse(seen.stdout), name).toEqual(JSON.parse(piped.stdout));
    }
  }, 60_000);

  test('has no way into a question, and asks under a bar', async () => {
    const answers = ['y', '', '1', 'y'];
    const { stderr } = await cli(at(prefix, ['call', 'form']), {
      columns: 60,
      env: { NO_COLOR: '1' },
      answer: () => answers.shift() ?? '',
    });
    const shown = stderr.replaceAll(redrawn, '');
    expect(answers).toEqual([]);
    expect(shown).not.toMatch(interpreted);
    expect(shown).not.toMatch(command);
    expect(shown).toContain('│ ');
  });

  test('names no file', async () => {
    const cwd = temporaryFolder(onTestFinished);
    mkdirSync(join(cwd, 'in'));
    await cli(at(prefix, ['call', 'say', '--save', 'in/out']), { cwd });
    expect(readdirSync(cwd)).toEqual(['in']);
    expect(readdirSync(join(cwd, 'in'))).toEqual(['out']);
    for (const file of readdirSync(join(cwd, 'in', 'out'))) expect(file).toMatch(/^result-\d+\.(?:bin|png|wav)$/);
  });

  test('is approved under its own name and text', async () => {
    const cwd = temporaryFolder(onTestFinished);
    await cli(at(prefix, ['approve']), { cwd });
    const file = JSON.parse(readFileSync(join(cwd, 'mcp-verbatim.lock.json'), 'utf8')) as {
      servers: Record<string, { tools: Record<string, unknown> }>;
    };
    const [approved] = Object.values(file.servers);
    expect(Object.keys(approved!.tools)).toContain(`${prefix}named`);
    expect(await cli(at(prefix, ['diff']), { cwd })).toMatchObject({ code: 0 });
  });
});

test("a colour in a server's text is text, where ours are colours", async () => {
  const { stdout, stderr } = await cli(at('\u001b[31m', ['call', 'refuse']), { columns: 60 });
  expect(stderr).toContain('\u001b[31merror:\u001b[39m');
  expect(stderr).toContain('\\u001b[31mmessage');
  expect(stdout).toBe('');
});

test.each(cases)(
  'a server of a configuration that is called %s forges no line of what is agreed to',
  async (_, name) => {
    const cwd = temporaryFolder(onTestFinished);
    const entry = { command: `${name}x`, args: [name], env: { [name]: name }, headers: { [name]: name } };
    writeFileSync(join(cwd, 'mcp.json'), JSON.stringify({ mcpServers: { [name]: entry } }));
    const { stderr } = await cli(['list'], { cwd, columns: 60, env: { NO_COLOR: '1' }, answer: 'n' });
    expect(stderr).not.toMatch(interpreted);
    expect(stderr).not.toMatch(command);
    expect(stderr.split('\n').filter((line) => line.startsWith('    ')).length).toBeLessThanOrEqual(4);
  },
);

test('a file is not written through a link that lies in the folder', async () => {
  const cwd = temporaryFolder(onTestFinished);
  writeFileSync(join(cwd, 'mine'), 'mine');
  symlinkSync(join(cwd, 'mine'), join(cwd, 'result-3.png'));
  const { code, stderr } = await cli(at('', ['call', 'say', '--save', '.']), { cwd });
  expect(readFileSync(join(cwd, 'mine'), 'utf8')).toBe('mine');
  expect(stderr).toContain('result-3.png cannot be written');
  expect(code).toBe(2);
});

test('what a server says of effects is not looked up among what every object has', async () => {
  await using server = await startServer([tool('odd', { annotations: { constructor: true } })]);
  const { stdout } = await cli(['show', 'odd', '--url', server.url]);
  expect(stdout).toContain('constructor: true');
  expect(stdout).not.toContain('undefined');
});
