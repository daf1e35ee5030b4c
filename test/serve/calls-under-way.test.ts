import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { type Caller, CallsUnderWay } from '../../src/serve/upstream/calls-under-way.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('A request that is not answered keeps no results of those after it', async () => {
  const calls = new CallsUnderWay(true);
  const caller = { signal: new AbortController().signal } as Caller;
  const open = () => Promise.resolve();
  let end = () => {};
  const first = calls.run(caller, open, () => new Promise<void>((resolve) => (end = resolve)));
  const result = new WeakRef(await calls.run(caller, open, () => Promise.resolve({ text: 'x' })));
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(result.deref()).toBeUndefined();
  end();
  await first;
});

test('Requests that are made one after the other keep no results', async () => {
  const calls = new CallsUnderWay(true);
  calls.runOneAtATime();
  const caller = { signal: new AbortController().signal } as Caller;
  const result = new WeakRef(
    await calls.run(
      caller,
      () => Promise.resolve(),
      () => Promise.resolve({ text: 'x' }),
    ),
  );
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(result.deref()).toBeUndefined();
});
