import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { kinds } from '../../nodes/options/description.js';
import { readOptions } from '../../nodes/options/read.js';
import { chosenRepairs, repairOptions } from '../../src/repair/options.js';

/** The context of a node with these options, after their expressions were evaluated. */
function options(given: unknown) {
  const context = {
    getNodeParameter: () => given,
    getExecutionCancelSignal: () => undefined,
    getMode: () => 'manual',
  };
  return readOptions(context as unknown as IExecuteFunctions, 0); // only the methods by which options are read
}

// The nodes repeat these words, since requiring a node must not load the library.
test('The panel has all kinds of repair of the library, beginning with "safe"', () => {
  const offered = kinds.options?.map((option) => ('value' in option ? option.value : undefined));
  expect(new Set(offered)).toEqual(new Set(repairOptions));
  expect(new Set(kinds.default as string[])).toEqual(chosenRepairs('safe')); // of kinds; its type is a list
});

test('An option for a number also takes text, which expressions get from webhooks', () => {
  const timeLimits = { values: { idleTimeout: '2', maximumDuration: '3' } };
  const { call, session, exposed } = options({ timeLimits, keepConnection: '4', maxResultLength: '500' });
  expect(call).toMatchObject({ idleTimeoutMs: 2000, maxDurationMs: 3000 });
  expect(session).toEqual({ idleTimeoutMs: 2000, keepAliveMs: 4000 });
  expect(exposed.maxResultLength).toBe(500);
});

test.each([-1, 'soon', null, '', Infinity])(
  'The value %j is refused as a time and as a length, by the name of the option',
  (value) => {
    const wrong = [
      [{ timeLimits: { values: { idleTimeout: value } } }, '"Idle Timeout"'],
      [{ timeLimits: { values: { maximumDuration: value } } }, '"Maximum Duration"'],
      [{ keepConnection: value }, '"Keep Connection"'],
      [{ maxResultLength: value }, '"Maximum Result Length"'],
    ] as const;
    for (const [given, label] of wrong) expect(() => options(given)).toThrow(label);
  },
);

test('An added option does what its name says before it is changed', () => {
  const { exposed } = options({ toolSearch: { values: {} }, approvedTools: { values: {} } });
  expect(exposed).toMatchObject({ toolSearch: 'auto', approved: '' });
  expect(options({}).exposed).toMatchObject({ toolSearch: 'off', approved: undefined });
});

test('A fixed argument whose tool or name has no value is kept, so that the model cannot set it', () => {
  const values = [
    { tool: undefined, argument: 'a', value: 1 },
    { tool: 'find', argument: null, value: 1 },
  ];
  const untouched = { tool: '', argument: '', value: '' };
  const { fixed } = options({ fixedArguments: { values: [...values, untouched] } }).exposed;
  expect(fixed).toEqual({ undefined: { a: 1 }, find: { null: 1 } });
});

test('A header for which an expression has no value is not sent', () => {
  const values = [undefined, null, '', 5, 'north'].map((value, index) => ({ name: `X-${index}`, value }));
  expect(options({ sendAlong: { values: { headers: { values } } } }).call.headers).toEqual({
    'X-2': '',
    'X-3': '5',
    'X-4': 'north',
  });
});

test.each(['all', null])('Options that an expression set to %j count as no options', (given) => {
  expect(options(given).raw).toBe(false);
});
