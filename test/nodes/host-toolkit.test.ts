import { expect, test } from 'vitest';
import { hostToolkit } from '../../nodes/host/toolkit.js';

abstract class ByMembers {
  tools: string[] = [];
  static [Symbol.hasInstance](value: object): boolean {
    return 'tools' in value && 'getTools' in value;
  }
}

abstract class ByClass {
  tools: string[] = [];
  getTools(): string[] {
    return ['the class answers'];
  }
}

test.each([
  ['by its members, as 2.41 does', ByMembers],
  ['by its class, as 2.20 and all before do', ByClass],
])('n8n recognises a toolkit %s', (_how, Toolkit) => {
  const toolkit = hostToolkit(['a', 'b'], Toolkit);
  expect(toolkit).toBeInstanceOf(Toolkit);
  expect([toolkit.tools, toolkit.getTools()]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});
