import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkArguments, connect, repairArguments, compileSchema } from '../../src/internal.js';
import { ConfigurationError, isList, isObject } from '../../src/json/index.js';
import { toolSearch, interruptOn, mcpTools, repairToolCalls, verbatimTools } from '../../src/langchain/index.js';
import { opener } from '../../src/langchain/options.js';
import { checkToolsOptions } from '../../src/programs/options.js';
import type { ApprovalRule } from '../../src/langchain/index.js';

// Nothing listens at this address: an error about the connection means that the options were not checked.
const url = 'http://127.0.0.1:1/mcp';
const named = { name: 'search', inputSchema: {} };

const { options, accepted, sources, addresses } = JSON.parse(
  readFileSync(new URL('./wrong-options.json', import.meta.url), 'utf8'),
) as {
  options: [options: unknown, message: string][];
  accepted: object[];
  sources: [source: unknown, message: string][];
  addresses: [address: object, options: object, message: string][];
};
/** JSON cannot hold these values. */
const values: Readonly<Record<string, unknown>> = {
  ...{ FUNCTION: () => true, CONTROLLER: new AbortController(), NAN: NaN, URL: new URL(url), UNDEFINED: undefined },
};
const revived = (value: unknown): never =>
  (typeof value === 'string' && Object.hasOwn(values, value)
    ? values[value]
    : isList(value)
      ? value.map(revived)
      : isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revived(each)]))
        : value) as never;

test.each(options)('mcpTools says at once what is wrong with the options %j', async (wrong, message) => {
  await expect(mcpTools({ url }, revived(wrong))).rejects.toThrow(new ConfigurationError(message));
});

test.each(accepted)('mcpTools accepts the options %j', (given) => {
  expect(() => checkToolsOptions(opener, revived(given))).not.toThrow();
});

test.each(sources)('mcpTools says at once what is wrong with the source %j', async (source, message) => {
  await expect(mcpTools(revived(source))).rejects.toThrow(new ConfigurationError(message));
});

test.each<[string, () => unknown, string]>([
  [
    'toolSearch()',
    () => toolSearch(undefined as never),
    'toolSearch: "tools" has to be a list of tools; received undefined',
  ],
  ['toolSearch, mode', () => toolSearch([], { mode: 'off' as never }), '"mode" has to be "on" or "auto"'],
  [
    'interruptOn()',
    () => interruptOn(undefined as never),
    'interruptOn: "tools" has to be a list of tools; received undefined',
  ],
  ['interruptOn, rule', () => interruptOn([], 'All' as ApprovalRule), 'Did you mean "all"?'],
  [
    'verbatimTools()',
    () => verbatimTools(undefined as never),
    'verbatimTools: "tools" has to be a list of tools; received undefined',
  ],
  ['repairToolCalls', () => repairToolCalls({ maxRetry: 1 } as never), 'has no option "maxRetry". It has maxRetries.'],
  ['repairToolCalls, -2', () => repairToolCalls({ maxRetries: -2 }), 'has to be a whole number, 0 or more'],
  ['checkArguments', () => checkArguments(named, {}, { outputSchema: 'fial' as never }), 'Did you mean "fail"?'],
  ['checkArguments, 2', () => checkArguments(named, {}, { whenUndetermined: 'yes' as never }), '"refuse" or "allow"'],
  ['repairArguments', () => repairArguments(compileSchema({}), {}, null as never), 'null is no choice of repairs'],
])('The function %s says at once what is wrong', (_, call, told) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(told);
});

// JavaScript can pass values that the types forbid.
test.each(addresses)('connect says at once what is wrong with %j, %j', async (address, wrong, message) => {
  await expect(connect(revived(address), revived(wrong))).rejects.toThrow(new ConfigurationError(message));
});
