import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { kinds } from '../../nodes/options/description.js';
import { readOptions } from '../../nodes/options/read.js';
import type { SetupError } from '../../nodes/errors.js';
import table from './options.json' with { type: 'json' };
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

/** Each option in a row, or the error. */
async function read(given: unknown): Promise<Record<string, unknown> | string> {
  const question = {
    mode: 'form',
    schema: { properties: { of: {} } },
    check: (content: object) => ({ content, problems: [] }),
  };
  try {
    const { raw, call, ...groups } = options(given);
    const elicit = await call.elicit(question as never); // the members that handlers read
    const rows = Object.entries({ ...groups, call: { ...call, elicit } }).flatMap(([group, values]) =>
      Object.entries(values).map(([name, value]) => [
        `${group}.${name}`,
        value === Infinity ? 'Infinity' : (value ?? String(value)),
      ]),
    );
    return { raw, ...(Object.fromEntries(rows) as object) };
  } catch (error) {
    return `${(error as SetupError).message}\n${(error as SetupError).advice}`;
  }
}

test('Options are read as options.json lists, those that are not named there with their defaults', async () => {
  const [[none, defaults], ...cases] = table as [[unknown, Record<string, unknown>], ...[unknown, unknown][]];
  const text = (value: unknown) => JSON.stringify(value);
  expect(await read(none)).toEqual(defaults);
  for (const [given, expected] of cases) {
    const all = await read(given);
    const differs = ([name, value]: [string, unknown]) => text(value) !== text(defaults[name]);
    const found = typeof all === 'string' ? all : Object.fromEntries(Object.entries(all).filter(differs));
    expect([given, found]).toEqual([given, expected]);
  }
});
