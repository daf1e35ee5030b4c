import { expect, test } from 'vitest';
import { readSelection } from '../../nodes/McpVerbatimTool/exposed/selection.js';

test('The names of another choice, which the panel hides, are not read', () => {
  const hidden = { include: 'all', tools: { gone: true }, leaveOut: { gone: true } };
  const read = (parameter: string) => hidden[parameter as keyof typeof hidden];
  expect(readSelection(read)).toEqual({ include: 'all', named: [] });
});

test.each([7, null])('A list of names that holds %j chooses nothing', (name) => {
  const given = { include: 'except', leaveOut: [name] };
  expect(() => readSelection((parameter) => given[parameter as keyof typeof given])).toThrow('chooses nothing');
});
