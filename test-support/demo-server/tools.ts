/** A tool as `tools/list` sends it. */
export interface WireTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

/**
 * The demo server's tools. Each uses parts of JSON Schema that conversions tend to lose: `$ref` and recursion, `oneOf`,
 * `patternProperties`, integers with bounds, defaults, enums of mixed types, null.
 */
export const tools: WireTool[] = [findPersons(), bookTable(), paintCanvas()];

function findPersons(): WireTool {
  return {
    name: 'find_relatives',
    title: 'Find persons',
    description: 'Finds persons of a family by one or more queries.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        queries: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: {
              group: { type: 'string', format: 'uuid', description: 'Identifier of the family group' },
              emailExact: { type: 'string', format: 'email' },
              ageMin: { type: 'integer', minimum: 0, maximum: 150 },
              status: { enum: ['a', 'b', 3, null] },
            },
            required: ['group'],
            additionalProperties: false,
          },
        },
        limit: { type: ['integer', 'null'], format: 'uint', minimum: 0, default: 10 },
        tags: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
        filter: { $ref: '#/$defs/filter' },
      },
      patternProperties: { '^x-': { type: 'string' } },
      required: ['queries'],
      additionalProperties: false,
      $defs: {
        filter: {
          type: 'object',
          properties: {
            field: { type: 'string' },
            equals: {},
            and: { type: 'array', items: { $ref: '#/$defs/filter' } },
          },
          additionalProperties: false,
        },
      },
    },
    annotations: { readOnlyHint: true },
  };
}

function bookTable(): WireTool {
  return {
    name: 'book_table',
    title: 'Book a table',
    description: 'Books a table for a day and a number of guests.',
    inputSchema: {
      type: 'object',
      properties: {
        date: { type: 'string', format: 'date' },
        guests: { type: 'integer', minimum: 1, maximum: 12, default: 2 },
        courses: { enum: [3, 5, 'surprise', null] },
        seating: {
          oneOf: [
            { type: 'object', properties: { area: { const: 'inside' } }, required: ['area'] },
            {
              type: 'object',
              properties: { area: { const: 'terrace' }, heater: { type: 'boolean', default: false } },
              required: ['area'],
            },
          ],
        },
        note: { type: ['string', 'null'], maxLength: 200 },
      },
      required: ['date', 'guests'],
      additionalProperties: false,
    },
  };
}

function paintCanvas(): WireTool {
  return {
    name: 'paint_canvas',
    description: 'Paints a shape, or a group of shapes.',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        background: { type: 'string', pattern: '^#[0-9a-f]{6}$', default: '#ffffff' },
        shape: { $ref: '#/definitions/shape' },
      },
      required: ['shape'],
      additionalProperties: { type: 'string' },
      definitions: {
        shape: {
          oneOf: [
            {
              type: 'object',
              properties: { kind: { const: 'circle' }, radius: { type: 'number', exclusiveMinimum: 0 } },
              required: ['kind', 'radius'],
            },
            {
              type: 'object',
              properties: {
                kind: { const: 'group' },
                members: { type: 'array', items: { $ref: '#/definitions/shape' }, maxItems: 16 },
              },
              required: ['kind', 'members'],
            },
          ],
        },
      },
    },
  };
}
