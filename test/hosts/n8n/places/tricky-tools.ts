import { expect } from 'vitest';
import type { Offer } from '../../../../test-support/n8n/offers.js';
import type { WireTool } from './tool-server.js';

/** A tool of which conversions through Zod lose something, and what nodes that know only Zod are told of it. */
interface TrickyTool extends WireTool {
  readonly told: object;
}

const tools: TrickyTool[] = [
  references(),
  recursion(),
  alternatives(),
  patterns(),
  enumerations(),
  nullables(),
  bounds(),
];

export const trickyTools: WireTool[] = tools.map(({ name, inputSchema }) => ({ name, inputSchema }));

/** Checks to the keyword what is told of them by a node that knows only Zod; the dialect is the node's own. */
export function expectTricky(told: Offer[], dialect: string): void {
  const offered = told.filter(({ name }) => tools.some((tool) => tool.name === name));
  expect(offered.map(({ name, schema }) => ({ name, schema: JSON.parse(schema) as object }))).toEqual(
    tools.map((tool) => ({ name: tool.name, schema: { $schema: dialect, ...tool.told } })),
  );
}

function references(): TrickyTool {
  const address = {
    type: 'object',
    properties: { city: { type: 'string', minLength: 1 } },
    required: ['city'],
    additionalProperties: false,
  };
  return {
    name: 'references',
    inputSchema: {
      type: 'object',
      properties: {
        home: { $ref: '#/$defs/address' },
        work: { $ref: '#/$defs/address', description: 'If there is one' },
        city: { $ref: '#/$defs/address/properties/city' },
      },
      required: ['home'],
      additionalProperties: false,
      $defs: { address },
    },
    told: {
      type: 'object',
      properties: {
        home: address,
        work: { ...address, description: 'If there is one' },
        city: { type: 'string', minLength: 1 },
      },
      required: ['home'],
      additionalProperties: false,
    },
  };
}

function recursion(): TrickyTool {
  const folder = (self: string) => ({
    type: 'object',
    properties: { name: { type: 'string' }, folders: { type: 'array', items: { $ref: self } } },
    required: ['name'],
  });
  return {
    name: 'recursion',
    inputSchema: {
      type: 'object',
      properties: { root: { $ref: '#/$defs/folder' } },
      additionalProperties: false,
      $defs: { folder: folder('#/$defs/folder') },
    },
    told: {
      type: 'object',
      properties: { root: { anyOf: [folder('#/properties/root/anyOf/0')] } },
      additionalProperties: false,
    },
  };
}

function alternatives(): TrickyTool {
  const properties = { id: { type: 'integer' }, name: { type: 'string' } };
  return {
    name: 'alternatives',
    inputSchema: {
      type: 'object',
      description: 'One of both.',
      properties,
      anyOf: [{ required: ['id'] }, { required: ['name'] }],
    },
    told: {
      type: 'object',
      properties,
      additionalProperties: {},
      description:
        'One of both.\nMust also match this JSON Schema: {"anyOf":[{"required":["id"]},{"required":["name"]}]}',
    },
  };
}

function patterns(): TrickyTool {
  const labels = {
    type: 'object',
    patternProperties: { '^[a-z]+$': { type: 'string', maxLength: 63 } },
    additionalProperties: false,
  };
  return {
    name: 'patterns',
    inputSchema: {
      type: 'object',
      properties: { labels },
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: false,
    },
    told: {
      type: 'object',
      properties: { labels: { anyOf: [labels] } },
      additionalProperties: { type: 'string' },
      description:
        'Must also match this JSON Schema: ' +
        '{"properties":{"labels":true},"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}',
    },
  };
}

function enumerations(): TrickyTool {
  const text = { type: 'string', enum: ['a', 'b'], default: 'b' };
  const number = { type: 'integer', enum: [1, 2, 3] };
  const mixed = { enum: ['a', 3, null], description: 'One of three' };
  return {
    name: 'enumerations',
    inputSchema: { type: 'object', properties: { text, number, mixed }, additionalProperties: false },
    told: {
      type: 'object',
      properties: { text, number: { anyOf: [number] }, mixed: { anyOf: [mixed] } },
      additionalProperties: false,
    },
  };
}

function nullables(): TrickyTool {
  const list = { type: ['string', 'null'], default: null };
  const limit = { type: ['integer', 'null'], minimum: 0, format: 'uint', default: 10 };
  const union = { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }], description: 'Tags' };
  const openApi = { type: 'string', nullable: true };
  return {
    name: 'nullables',
    inputSchema: { type: 'object', properties: { list, limit, union, openApi }, additionalProperties: false },
    told: {
      type: 'object',
      properties: { list, limit: { anyOf: [limit] }, union, openApi: { anyOf: [openApi] } },
      additionalProperties: false,
    },
  };
}

function bounds(): TrickyTool {
  const properties = {
    url: { type: 'string', format: 'uri', pattern: '^https://', maxLength: 2048 },
    count: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.01, description: 'Of the whole' },
    ids: { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: 5, uniqueItems: true },
  };
  return {
    name: 'bounds',
    inputSchema: { type: 'object', properties, required: ['count'], additionalProperties: { type: 'boolean' } },
    told: { type: 'object', properties, required: ['count'], additionalProperties: { type: 'boolean' } },
  };
}
