import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startObserving } from '../../test-support/observed.js';
import { cli } from '../cli/run.js';
import { object } from '../../test-support/schemas/short.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { until } from '../../test-support/waiting.js';
import { startServer } from '../langchain/server.js';
import { findPersons, tool } from '../langchain/tools.js';

const definitions = [
  { definition: findPersons },
  tool('delete', { inputSchema: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } } }),
  tool('rename'),
];

/** The printed words, and the report in JSON. */
const printed = JSON.parse(readFileSync(new URL('./printed.json', import.meta.url), 'utf8')) as Record<string, object>;

async function ask(url: string, tools: object[], messages: object[] = []): Promise<void> {
  const functions = tools.map((each) => ({ type: 'function', function: each }));
  const body = JSON.stringify({ model: 'm', messages, tools: functions });
  await (await fetch(`${url}/chat/completions`, { method: 'POST', body })).text();
}

describe('observe', () => {
  const typed = (names: string, type: string) =>
    object(Object.fromEntries(names.split('').map((name) => [name, { type }])), { required: ['a'] });
  const listed = (name: string, names: string, type: string) => {
    return { name, description: `Does ${name}.`, inputSchema: typed(names, type) };
  };
  const reordered = { required: ['a'], ...typed('a', 'string') };
  const sent = [
    { name: 'one_delete', description: 'Does delete.', parameters: typed('a', 'number') },
    { name: 'two_delete', description: 'Does delete.', parameters: { ...typed('ab', 'integer'), title: 'x' } },
    { name: 'rename', description: 'Does rename.', parameters: typed('', 'string') },
    { name: 'four', description: 'Does four.', parameters: typed('abcd', 'number') },
    { name: 'find_relatives', description: 'Finds.', parameters: findPersons.inputSchema },
    { name: 'turned', description: 'Does turned.', parameters: reordered },
    { name: 'own', parameters: {} },
    { name: 'other', parameters: {} },
  ];
  const calls = [
    [
      ['find_relatives', { queries: [{ group: 'x' }], limit: 'many' }],
      ['own', {}],
    ],
    [
      ['one_delete', { a: 0.5 }],
      ['two_delete', { a: '5' }],
    ],
    [
      ['two_delete', { a: 5 }],
      ['turned', { a: 'x' }],
      ['gone', {}],
    ],
  ] as const;

  test.each(['text', 'report'] as const)(
    'observe reports what became of the tools of two servers, and judges calls, as reviewed: %s',
    async (form) => {
      const two = await startHttpServer({
        initialize: ({ introduce }) => introduce({}, { 'mcp-session-id': 's' }),
        'tools/list': {
          tools: [
            listed('delete', 'ab', 'integer'),
            listed('turned', 'a', 'string'),
            listed('gone', 'a', 'string'),
            { name: 'broken' },
          ],
        },
      });
      await using one = await startHttpServer({
        'tools/list': async ({ result }) => {
          // The order is that of the configuration, even if the other one has ended before.
          await until(() => two.seen.some(({ verb }) => verb === 'DELETE'));
          await two.close();
          result({
            tools: [
              findPersons,
              listed('delete', 'a', 'integer'),
              listed('rename', '', 'string'),
              listed('four', 'abcd', 'integer'),
            ],
          });
        },
      });
      let answers = 0;
      await using provider = await startHttpServer(({ json }) => {
        const called = calls[answers++]?.map(([name, args]) => ({
          id: name,
          function: { name, arguments: JSON.stringify(args) },
        }));
        json({ choices: [{ index: 0, message: { role: 'assistant', tool_calls: called } }] });
      });
      const config = join(temporaryFolder(onTestFinished), 'mcp.json');
      writeFileSync(config, JSON.stringify({ mcpServers: { one: { url: one.url }, two: { url: two.url } } }));
      const more = form === 'text' ? [] : ['--json'];
      const observed = await startObserving([
        '--upstream',
        `${provider.origin}/v1/`,
        '--diff',
        'delete',
        '--config',
        config,
        ...more,
      ]);
      expect(observed.url).toBe(`${observed.origin}/v1`);
      while (answers < calls.length) await ask(observed.url, sent);
      await ask(observed.url, [{ name: 'own', parameters: {} }]);
      const { code, stdout, stderr } = await observed.stop();
      const shown = stderr.replaceAll(observed.origin, 'ORIGIN').replaceAll(config, 'CONFIG').split('\n');
      const out = form === 'text' ? stdout.split('\n') : (JSON.parse(stdout) as object);
      expect({ code, out, shown }).toEqual(printed[form]);
    },
  );

  test.each<[string, number, (string[] | undefined)?, typeof definitions?, object?]>([
    ['lost', 1, ['find_relatives', 'delete']],
    ['changed', 1, ['find_relatives', 'delete']],
    ['lost', 0, ['find_relatives', 'delete', 'rename']],
    ['changed', 1, ['find_relatives', 'delete', 'rename']],
    ['changed', 0, ['find_relatives', 'rename'], definitions.filter((_each, index) => index !== 1)],
    ['lost', 1, undefined],
    ['lost', 4, undefined, definitions, { away: { url: 'http://127.0.0.1:9/mcp' } }],
  ])(
    'With --fail-on %s, observe ends with %i if %j are sent',
    async (level, code, names, offered = definitions, more) => {
      await using server = await startServer(offered);
      const config = join(temporaryFolder(onTestFinished), 'mcp.json');
      writeFileSync(config, JSON.stringify({ mcpServers: { here: { url: server.url }, ...more } }));
      const options = ['--fail-on', level, '--json', '--diff', 'rename', '--config', config];
      const observed = await startObserving(['--play', ...options]);
      // The meaning of one changes, and a title is added to another.
      const rename = { type: 'object', properties: {}, title: 'x' };
      const schemas: Record<string, object> = { find_relatives: findPersons.inputSchema, delete: rename, rename };
      const sent = (names ?? []).map((name) => ({ name, parameters: schemas[name] }));
      if (names) await ask(observed.url, sent);
      expect((await observed.stop()).code).toBe(code);
    },
  );

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
    await fetch(`${observed.url}/models`);
    const { stdout, stderr } = await observed.stop();
    expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\u202e]|^\s*::|##vso\[/m);
    expect(stdout).toMatch(/not sent +constructor$/m);
    expect(stdout).toContain('__proto__');
    expect(stderr).toContain('GET /v1/models is not answered here.\n');
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

  test('A taken port is reported', async () => {
    await using server = await startServer(definitions);
    const port = new URL(server.url).port;
    const { code, stderr } = await cli(['observe', '--play', '--port', port, '--url', server.url]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Cannot listen on port ${port} (EADDRINUSE).`)]);
  });
});

const slow = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
