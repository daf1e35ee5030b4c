import { describe, expect, test } from 'vitest';
import { startObserving } from '../../test-support/observed.js';
import { cli } from '../cli/run.js';
import { startServer } from '../langchain/server.js';
import { findPersons, tool } from '../langchain/tools.js';

const definitions = [
  { definition: findPersons },
  tool('delete', { inputSchema: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } } }),
  tool('rename'),
];

async function ask(url: string, tools: object[], messages: object[] = []): Promise<void> {
  const functions = tools.map((each) => ({ type: 'function', function: each }));
  const body = JSON.stringify({ model: 'm', messages, tools: functions });
  await (await fetch(`${url}/chat/completions`, { method: 'POST', body })).text();
}

describe('observe', () => {
  test('observe reports what became of each tool, in words and as a diff', async () => {
    await using server = await startServer(definitions);
    const observed = await startObserving(['--play', '--diff', 'delete', '--url', server.url]);
    const parameters = { properties: { id: { type: 'number', minimum: 1 } }, type: 'object' };
    await ask(observed.url, [
      { name: 'srv_delete', description: 'Does delete.', parameters },
      { name: 'find_relatives', parameters: findPersons.inputSchema },
      { name: 'own', parameters: {} },
    ]);
    const { code, stdout } = await observed.stop();
    expect(code).toBe(0);
    expect(stdout).toContain('Of 3 tools: 1 identical, 1 changed in meaning, 1 not sent.');
    const [, written, asSent] = /About (\d+) tokens as the server wrote them, (\d+) as sent/.exec(stdout)!;
    expect(Number(asSent)).toBeLessThan(Number(written));
    expect(stdout).toMatch(/identical +find_relatives$/m);
    expect(stdout).toMatch(
      /changed in meaning +delete \(sent as srv_delete\): \/inputSchema\/properties\/id\/type was "integer" and is "number"/,
    );
    expect(stdout).toMatch(/not sent +rename$/m);
    expect(stdout).toContain('1 tool of other origin: own');
    expect(stdout).toContain('-       "type": "integer",\n  +       "type": "number",');
  });

  test('observe names three changes of a tool, and counts the others', async () => {
    const schema = (count: number, type: string) => ({
      type: 'object',
      properties: Object.fromEntries(['a', 'b', 'c', 'd'].slice(0, count).map((name) => [name, { type }])),
    });
    await using server = await startServer(
      [3, 4].map((count) => tool(`of_${count}`, { inputSchema: schema(count, 'integer') })),
    );
    const observed = await startObserving(['--play', '--url', server.url]);
    await ask(
      observed.url,
      [3, 4].map((count) => ({
        name: `of_${count}`,
        description: `Does of_${count}.`,
        parameters: schema(count, 'number'),
      })),
    );
    const { stdout } = await observed.stop();
    expect(stdout).toMatch(/of_3: [^;]+; [^;]+; [^;]+ \(\d+ → \d+ tokens\)/);
    expect(stdout).toMatch(/of_4: [^]*; 1 more \(/);
  });

  test.each([
    ['lost', 1, ['find_relatives', 'delete']],
    ['changed', 1, ['find_relatives', 'delete']],
    ['lost', 0, ['find_relatives', 'delete', 'rename']],
    ['changed', 1, ['find_relatives', 'delete', 'rename']],
    ['changed', 0, ['find_relatives', 'rename'], definitions.filter((_each, index) => index !== 1)],
    ['lost', 1, undefined],
  ])('With --fail-on %s, observe ends with %i if %j are sent', async (level, code, names, offered = definitions) => {
    await using server = await startServer(offered);
    const observed = await startObserving(['--play', '--fail-on', level, '--json', '--url', server.url]);
    const schemas = new Map(definitions.map(({ definition }) => [definition['name'], definition['inputSchema']]));
    const sent = (names ?? []).map((name) => ({
      name,
      parameters: name === 'delete' ? { type: 'object', properties: {} } : schemas.get(name),
    }));
    if (names) await ask(observed.url, sent);
    expect((await observed.stop()).code).toBe(code);
  });

  test('A call of a tool that was not sent is refused, and the report says whether a call fits the sent schema', async () => {
    await using server = await startServer(definitions);
    const args = '{"id":0.5}';
    const observed = await startObserving(['--play', '--call', 'delete', args, '--json', '--url', server.url]);
    const parameters = { type: 'object', properties: { id: { type: 'number' } } };
    await ask(observed.url, [{ name: 'delete', parameters }]);
    await ask(observed.url, [{ name: 'rename', parameters: {} }]);
    await ask(observed.url, [{ name: 'delete', parameters }], [{ role: 'tool', content: 'done' }]);
    const report = JSON.parse((await observed.stop()).stdout) as { calls: { each: object[] } };
    expect(report.calls).toMatchObject({ all: 1, refused: 1, each: [{ tool: 'delete', asSent: true }] });
    expect(JSON.stringify(report.calls.each)).toContain('/id: must be integer, received number 0.5');
  });

  test('Servers with hostile names and texts do not control the terminal', async () => {
    const escape = '\x1b]0;owned\x07\x1b[2J\u202e::error::x ##vso[task.complete]';
    const properties = { [escape]: { type: 'string', description: escape } };
    await using server = await startServer([
      { definition: { name: `evil${escape}`, inputSchema: { type: 'object', properties } } },
      tool('constructor'),
      tool('__proto__'),
    ]);
    const observed = await startObserving(['--play', '--diff', `evil${escape}`, '--url', server.url]);
    const parameters = { type: 'object', properties: { [`${escape}!`]: {} } };
    await ask(observed.url, [
      { name: `evil${escape}`, parameters },
      { name: '__proto__', parameters: {} },
      { name: escape, parameters },
    ]);
    const { stdout, stderr } = await observed.stop();
    expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\u202e]|^\s*::|##vso\[/m);
    expect(stdout).toMatch(/not sent +constructor$/m);
    expect(stdout).toContain('__proto__');
  });

  test('Hostile schemas do not keep other tools from being served', async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_unused, at) => [
        `d${at}`,
        { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    );
    const inputSchema = { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs };
    await using server = await startServer([tool('fanout', { inputSchema }), tool('pattern', { inputSchema: slow })]);
    const args = JSON.stringify({ a: `${'a'.repeat(40)}!` });
    const observed = await startObserving(['--play', '--call', 'pattern', args, '--json', '--url', server.url]);
    await ask(observed.url, [
      { name: 'fanout', parameters: { ...inputSchema, title: 'x' } },
      { name: 'pattern', parameters: slow },
    ]);
    const report = JSON.parse((await observed.stop()).stdout) as { sums: object; calls: object };
    expect(report).toMatchObject({ sums: { meaning: 1, identical: 1 }, calls: { all: 1 } });
  });

  test.each([
    [[], 'Which provider? Give its base URL with --upstream, or --play'],
    [['--play', '--upstream', 'http://localhost'], 'either --upstream or --play'],
    [['--upstream', 'ftp://localhost'], 'http or https'],
    [['--upstream', 'https://user:secret@example.com/v1'], 'takes only a base URL'],
    [['--upstream', 'https://example.com/v1?key=secret'], 'takes only a base URL'],
    [['--upstream', 'http://localhost', '--call', 'delete', '{}'], '--call only works with --play'],
    [['--play', '--call', 'delete', '[1]'], 'the arguments as one JSON object'],
    [['--play', '--call', 'nothing'], 'There is no tool "nothing". There are find_relatives, delete, rename.'],
    [['--play', '--diff', 'nothing'], 'There is no tool "nothing"'],
    [['--play', '--fail-on', 'warning'], '--fail-on takes one of changed, lost; it was "warning".'],
    [['--play', 'word'], 'observe does not take the argument "word"'],
  ])('The line "observe %j" is refused', async (argv, message) => {
    await using server = await startServer(definitions);
    const { code, stderr } = await cli(['observe', ...argv, '--url', server.url]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain('secret@');
  });

  test('A taken port is reported', async () => {
    await using server = await startServer(definitions);
    const port = new URL(server.url).port;
    const { code, stderr } = await cli(['observe', '--play', '--port', port, '--url', server.url]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Cannot listen on port ${port} (EADDRINUSE).`)]);
  });
});

const slow = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
