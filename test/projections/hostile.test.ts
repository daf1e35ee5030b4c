import { describe, expect, test } from 'vitest';
import {
  exampleValue,
  formFields,
  formLimits,
  providerNotes,
  providerSafeSchema,
  signature,
} from '../../src/projections/index.js';
import { modelTools } from '../../src/tool/index.js';
import { readCatalogue } from '../../src/mcp/index.js';

const texts = (count: number, prefix = 'p') => Array.from({ length: count }, (_unused, at) => `${prefix}${at}`);
const properties = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
const nested = (levels: number, wrap: (inner: object) => object) =>
  Array.from({ length: levels }).reduce<object>(wrap, { type: 'string' });
const twice = (keyword: string) =>
  Object.fromEntries(
    texts(40, '').map((at) => [
      `d${at}`,
      { [keyword]: [{ $ref: `#/$defs/d${Number(at) + 1}` }, { $ref: `#/$defs/d${Number(at) + 1}` }] },
    ]),
  );

/**
 * Sizes at which effort that grows with the square of the schema takes minutes, and effort that grows with the schema
 * itself less than a second: the runner's limit tells them apart on any machine.
 */
const hostile: Record<string, Record<string, unknown>> = {
  'many properties, all required': { type: 'object', properties: properties(texts(100_000)), required: texts(100_000) },
  'many required and none described': { type: 'object', required: texts(100_000) },
  'many alternatives of one property': {
    type: 'object',
    anyOf: texts(30_000).map((text) => ({ properties: { a: { const: text } }, required: ['a'] })),
  },
  'many alternatives of many properties': {
    type: 'object',
    oneOf: texts(300).map(() => ({ properties: properties(texts(300)), required: texts(300) })),
  },
  'large enums within allOf': {
    type: 'object',
    properties: { a: { allOf: [{ enum: texts(100_000) }, { enum: texts(100_000, 'q') }] } },
  },
  'objects 100,000 levels deep': {
    type: 'object',
    properties: { a: nested(100_000, (a) => ({ type: 'object', properties: { a } })) },
  },
  'allOf 100,000 levels deep': { type: 'object', allOf: [nested(100_000, (inner) => ({ allOf: [inner] }))] },
  'references that multiply under allOf': {
    type: 'object',
    properties: { a: { $ref: '#/$defs/d0' } },
    $defs: twice('allOf'),
  },
  'references that multiply under anyOf': {
    type: 'object',
    properties: { a: { $ref: '#/$defs/d0' } },
    $defs: twice('anyOf'),
  },
};

const views: Record<string, (schema: Record<string, unknown>) => unknown> = {
  signature: (schema) => signature(schema),
  formFields: (schema) => formFields(schema),
  formLimits: (schema) => formLimits(schema),
  exampleValue: (schema) => exampleValue(schema),
  modelTools: (schema) => modelTools(readCatalogue([{ name: 'a', inputSchema: schema }]).tools),
  ...Object.fromEntries(
    (['openai', 'anthropic', 'google', 'cohere'] as const).flatMap((provider) => [
      [`providerNotes ${provider}`, (inputSchema: Record<string, unknown>) => providerNotes({ inputSchema }, provider)],
      [`providerSafeSchema ${provider}`, (schema: Record<string, unknown>) => providerSafeSchema(schema, provider)],
    ]),
  ),
};

describe.each(Object.entries(hostile))('%s', (_name, schema) => {
  test.each(Object.entries(views))(
    '%s comes to an end, and does not throw',
    (_view, look) => {
      expect(() => look(schema)).not.toThrow();
    },
    30_000,
  );
});
