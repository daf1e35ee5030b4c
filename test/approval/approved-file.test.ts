import { expect, test } from 'vitest';
import { readApprovedFile } from '../../src/approval/index.js';

test.each([
  '{\n  "version": 1,\n<<<<<<< HEAD\n  "servers": {}\n=======\n  "servers": {"a":{"tools":{}}}\n>>>>>>> other\n}',
  '{"version":1,\r\n>>>>>>> other\r\n"servers":{}}',
])('A file in the middle of a merge says how to go on', (text) => {
  expect(() => readApprovedFile(text)).toThrow('has the marks of a merge. Keep one side of each, and approve again.');
});
