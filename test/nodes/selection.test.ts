import { expect, test } from 'vitest';
import { readSelection, selectsName } from '../../nodes/McpVerbatimTool/exposed/selection.js';
import { readCatalogue } from '../../src/internal.js';

test('the names of another choice, which the panel hides, are not read', () => {
  const hidden = { include: 'all', includeTools: { gone: true }, excludeTools: { gone: true } };
  const read = (parameter: string) => hidden[parameter as keyof typeof hidden];
  expect(readSelection(read)).toEqual({ include: 'all', named: [] });
});

test.each([7, null])('a list of names that holds %j chooses nothing', (name) => {
  const given = { include: 'except', excludeTools: [name] };
  expect(() => readSelection((parameter) => given[parameter as keyof typeof given])).toThrow('chooses nothing');
});

test('whether a tool of the server is selected is decided by what it does, where that is the choice', () => {
  const inputSchema = { type: 'object' };
  const catalogue = readCatalogue([
    { name: 'find', inputSchema, annotations: { readOnlyHint: true } },
    { name: 'remove', inputSchema },
  ]);
  const selected = (include: string) =>
    ['find', 'remove', 'gone'].filter((name) => selectsName({ include, named: [] }, catalogue, name));
  expect([selected('readOnly'), selected('others')]).toEqual([
    ['find', 'gone'],
    ['remove', 'gone'],
  ]);
});
