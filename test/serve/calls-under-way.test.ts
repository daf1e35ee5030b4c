import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { type Caller, CallsUnderWay } from '../../src/serve/upstream/calls-under-way.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test.each([
  ['answered at any time', false],
  ['made one after the other', true],
])('A request that is not answered keeps no results of others, where they are %s', async (_, isOneAtATime) => {
  const calls = new CallsUnderWay(true);
  if (isOneAtATime) calls.runOneAtATime();
  const caller = { signal: new AbortController().signal } as Caller;
  const open = () => Promise.resolve();
  let end = () => {};
  const later = isOneAtATime
    ? Promise.resolve()
    : calls.run(caller, open, () => new Promise<void>((resolve) => (end = resolve)));
  const result = new WeakRef(await calls.run(caller, open, () => Promise.resolve({ text: 'x' })));
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(result.deref()).toBeUndefined();
  end();
  await later;
});
