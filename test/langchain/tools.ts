import type { ToolDefinition } from './server.js';

/** Nesting, `$ref`, `anyOf` with null, `patternProperties`, mixed enum. */
export const findPersons = {
  name: 'find_relatives',
  description: 'Finds persons.',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      queries: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['group'],
          additionalProperties: false,
          properties: {
            group: { type: 'string', format: 'uuid' },
            emailExact: { type: 'string', format: 'email' },
            ageMin: { type: 'integer', minimum: 0, maximum: 150 },
            status: { enum: ['a', 'b', 3, null] },
          },
        },
      },
      limit: { type: ['integer', 'null'], format: 'uint', minimum: 0, default: 10 },
      tags: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
      filter: { $ref: '#/$defs/filter' },
    },
    required: ['queries'],
    patternProperties: { '^x-': { type: 'string' } },
    $defs: { filter: { type: 'object', properties: { and: { type: 'array', items: { $ref: '#/$defs/filter' } } } } },
  },
} as const;

/** A model's arguments for it, with slips, and the arguments that the server has to receive. */
export const sent = {
  queries: [{ group: '123e4567-e89b-12d3-a456-426614174000', ageMin: '30' }],
  limit: '100',
  'x-trace': 'abc',
};
export const received = {
  queries: [{ group: '123e4567-e89b-12d3-a456-426614174000', ageMin: 30 }],
  limit: 100,
  'x-trace': 'abc',
};

export function tool(
  name: string,
  more: Record<string, unknown> = {},
  answer?: ToolDefinition['answer'],
): ToolDefinition {
  return {
    definition: { name, description: `Does ${name}.`, inputSchema: { type: 'object', properties: {} }, ...more },
    ...(answer && { answer }),
  };
}

export function toolCall(name: string, args: Record<string, unknown>) {
  return { type: 'tool_call' as const, id: 'call_1', name, args };
}
