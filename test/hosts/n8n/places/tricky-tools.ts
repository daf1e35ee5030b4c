import type { WireTool } from './tool-server.js';

const address = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 1 } },
  required: ['city'],
  additionalProperties: false,
};

const folder = {
  type: 'object',
  properties: { name: { type: 'string' }, folders: { type: 'array', items: { $ref: '#/$defs/folder' } } },
  required: ['name'],
};

const labels = {
  type: 'object',
  patternProperties: { '^[a-z]+$': { type: 'string', maxLength: 63 } },
  additionalProperties: false,
};

/** Tools that lose something in conversions through Zod. */
export const trickyTools: WireTool[] = [
  offering('references', {
    properties: {
      home: { $ref: '#/$defs/address' },
      work: { $ref: '#/$defs/address', description: 'If there is one' },
      city: { $ref: '#/$defs/address/properties/city' },
    },
    required: ['home'],
    additionalProperties: false,
    $defs: { address },
  }),
  offering('recursion', {
    properties: { root: { $ref: '#/$defs/folder' } },
    additionalProperties: false,
    $defs: { folder },
  }),
  offering('alternatives', {
    description: 'One of both.',
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
    anyOf: [{ required: ['id'] }, { required: ['name'] }],
  }),
  offering('patterns', {
    properties: { labels },
    patternProperties: { '^x-': { type: 'string' } },
    additionalProperties: false,
  }),
  offering('enumerations', {
    properties: {
      text: { type: 'string', enum: ['a', 'b'], default: 'b' },
      number: { type: 'integer', enum: [1, 2, 3] },
      mixed: { enum: ['a', 3, null], description: 'One of three' },
    },
    additionalProperties: false,
  }),
  offering('nullables', {
    properties: {
      list: { type: ['string', 'null'], default: null },
      limit: { type: ['integer', 'null'], minimum: 0, format: 'uint', default: 10 },
      union: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }], description: 'Tags' },
      openApi: { type: 'string', nullable: true },
    },
    additionalProperties: false,
  }),
  offering('bounds', {
    properties: {
      url: { type: 'string', format: 'uri', pattern: '^https://', maxLength: 2048 },
      count: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.01, description: 'A share' },
      ids: { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: 5, uniqueItems: true },
    },
    required: ['count'],
    additionalProperties: { type: 'boolean' },
  }),
];

function offering(name: string, inputSchema: object): WireTool {
  return { name, inputSchema: { type: 'object', ...inputSchema } };
}
