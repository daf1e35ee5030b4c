import { expect, test } from 'vitest';
import { readSelection } from '../../nodes/McpVerbatimTool/exposed/selection.js';

test('The names of another choice, which the panel hides, are not read', () => {
  const hidden = { include: 'all', tools: { gone: true }, leaveOut: { gone: true } };
  const read = (parameter: string) => hidden[parameter as keyof typeof hidden];
  expect(readSelection(read)).toEqual({ include: 'all', named: [] });
});
