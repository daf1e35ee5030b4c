import { expect, test } from 'vitest';
import { anySignal } from '../../../src/mcp/runtime/node-runtime.web.js';

test('A signal of several ends with the first of them, for its reason, also in a runtime without AbortSignal.any', () => {
  const { any } = AbortSignal;
  for (const isThere of [true, false]) {
    if (!isThere) Reflect.deleteProperty(AbortSignal, 'any');
    try {
      const [first, second] = [new AbortController(), new AbortController()];
      const either = anySignal([first.signal, second.signal]);
      expect(either.aborted).toBe(false);
      second.abort('enough');
      first.abort('later');
      expect(either).toMatchObject({ aborted: true, reason: 'enough' });
      expect(anySignal([new AbortController().signal, first.signal])).toMatchObject({ aborted: true, reason: 'later' });
    } finally {
      Object.assign(AbortSignal, { any });
    }
  }
});
