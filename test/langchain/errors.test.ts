import { expect, test } from 'vitest';
import * as library from '../../src/index.js';
import * as langchain from '../../src/langchain/index.js';

const isErrorClass = (value: unknown) => typeof value === 'function' && value.prototype instanceof Error;
const errorsOf = (entry: object) => Object.entries(entry).filter(([, value]) => isErrorClass(value));

test('Every error of the library can be imported from mcp-verbatim/langchain, too, and is the same class', () => {
  expect(errorsOf(library).length).toBeGreaterThan(10);
  expect(langchain).toMatchObject(Object.fromEntries(errorsOf(library)));
});

test.each(errorsOf(langchain))('instanceof McpError is true of %s', (_, { prototype }) => {
  const error: unknown = Object.create(prototype as object);
  expect(error instanceof library.McpError).toBe(true);
  expect(library.isMcpVerbatimError(error)).toBe(true);
});
