import { expect, test } from 'vitest';
import { absentNames, exposedTools, isSelected, type ToolSelection } from '../../src/exposed/index.js';
import { readCatalogue } from '../../src/mcp/index.js';
import { FixedArgumentsError } from '../../src/tool/index.js';

const inputSchema = { type: 'object', properties: { tenant: {}, query: {} }, required: ['tenant'] };
const { tools } = readCatalogue([
  { name: 'read', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'write', inputSchema },
]);

test.each<[ToolSelection, string[]]>([
  [{}, ['read', 'write']],
  [{ include: ['write', 'other'] }, ['write']],
  [{ exclude: ['write'] }, ['read']],
  [{ include: ['read', 'write'], exclude: ({ name }, server) => name === 'read' && server === 'crm' }, ['write']],
  [{ readOnly: true }, ['read']],
  [{ readOnly: false }, ['write']],
])('%o selects %o', (selection, names) => {
  expect(tools.filter((tool) => isSelected(selection, tool, 'crm')).map(({ name }) => name)).toEqual(names);
});

test('the tools of several servers get names that differ, without what is fixed', () => {
  const servers = [
    { name: 'a', tools, fixed: { read: { tenant: 1 } } },
    { name: 'b', tools, selection: { include: ['read'] } },
    { name: 'c', tools, prefix: 'c' },
  ];
  const { byServer, sent, search } = exposedTools(servers, { taken: ['write'], owner: 'mine' });
  expect(byServer.map((own) => own.map(({ name }) => name))).toEqual([
    ['read', 'mine_write'],
    ['mine_read'],
    ['c_read', 'c_write'],
  ]);
  expect(sent).toEqual(byServer.flat());
  expect(sent[0]?.schema).toEqual({ type: 'object', properties: { query: {} }, required: [] });
  expect(search).toBeUndefined();
});

test('tools to search them have the prefix that all have', () => {
  const names = (...prefixes: string[]) =>
    exposedTools(
      prefixes.map((prefix, index) => ({ name: String(index), tools, prefix })),
      { toolSearch: 'on', always: ['write'] },
    ).sent.map(({ name }) => name);
  expect(names('crm')).toEqual(['crm_write', 'crm_search_tools', 'crm_describe_tools', 'crm_call_tool']);
  expect(names('a', 'b')).toEqual(['a_write', 'b_write', 'search_tools', 'describe_tools', 'call_tool']);
});

test('an argument that a selected tool does not declare cannot be fixed', () => {
  const server = { name: 'a', tools, fixed: { read: { tenants: 1 } } };
  expect(() => exposedTools([server])).toThrow(FixedArgumentsError);
  expect(exposedTools([{ ...server, selection: { exclude: ['read'] } }]).sent).toHaveLength(1);
});

test('a name is absent where no server has it, not where its tool was skipped', () => {
  const skipped = readCatalogue([{ name: 'broken' }]);
  expect(absentNames([skipped, { tools, skipped: [] }], ['read', 'broken', 'gone'])).toEqual(['gone']);
});
