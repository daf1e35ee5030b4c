import type { WireTool } from './tool-server.js';

/**
 * What a provider's own code makes of the schemas it is handed: LangChain's packages and n8n's nodes, after this
 * package has given them the original. Nothing here happens to the arguments, which are checked with the original.
 */
export interface Deviation {
  readonly what: string;
  readonly reason: string;
  /** Whether the request is written with line breaks and indentation. */
  readonly indented?: boolean;
  /** The schema that reaches the model, and undefined where the tool is not offered at all. */
  told(tool: WireTool): unknown;
}

export const anthropicDrops: Deviation = {
  what: 'a tool with `anyOf`, `oneOf` or `allOf` at the root is not offered',
  reason:
    '@langchain/anthropic leaves such tools out of the request in silence, because the API refuses the whole of it.',
  told: ({ inputSchema }) =>
    'anyOf' in inputSchema || 'oneOf' in inputSchema || 'allOf' in inputSchema ? undefined : inputSchema,
};

export const geminiStrips: Deviation = {
  what: '`$schema` and `additionalProperties` are taken out at every level',
  reason: '@langchain/google-genai removes them, because the API refuses keywords that it does not know.',
  told: ({ inputSchema }) => without(inputSchema, ['$schema', 'additionalProperties']),
};

export const groqIndents: Deviation = {
  what: 'byte-identical but for line breaks and indentation',
  reason: 'groq-sdk writes its requests so.',
  indented: true,
  told: ({ inputSchema }) => inputSchema,
};

export const cohereRebuilds: Deviation = {
  what: 'only `type` and `description` of each property are left, none of them required',
  reason:
    "@langchain/cohere and n8n's client for Cohere rebuild tools in the shape of that API's first version, and look " +
    'for `required` inside each property.',
  told: ({ inputSchema }) => ({
    type: 'object',
    properties: Object.fromEntries(
      Object.entries((inputSchema['properties'] ?? {}) as Record<string, Property>).map(
        ([name, { type, description }]) => [name, { type, description }],
      ),
    ),
    required: [],
  }),
};

interface Property {
  type?: unknown;
  description?: unknown;
}

function without(value: unknown, keywords: string[]): unknown {
  if (Array.isArray(value)) return value.map((element) => without(element, keywords));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([key]) => !keywords.includes(key));
  return Object.fromEntries(members.map(([key, member]) => [key, without(member, keywords)]));
}
