import { sentSchema } from '../../../../src/projections/index.js';
import type { WireTool } from './tool-server.js';

/**
 * What a provider's own code makes of the schemas it is handed: LangChain's packages and n8n's nodes, after this
 * package has given them the original. Nothing here happens to the arguments, which are checked with the original.
 */
export interface Deviation {
  /** Whether the request is written with line breaks and indentation. */
  readonly indented?: boolean;
  /** The schema that reaches the model, and undefined where the tool is not offered at all. */
  told(tool: WireTool): unknown;
}

/** @langchain/anthropic leaves such tools out of the request in silence, because the API refuses the whole of it. */
export const anthropicDrops: Deviation = {
  told: ({ inputSchema }) =>
    'anyOf' in inputSchema || 'oneOf' in inputSchema || 'allOf' in inputSchema ? undefined : inputSchema,
};

/** @langchain/google-genai removes them, because the API refuses keywords that it does not know. */
export const geminiStrips: Deviation = {
  told: ({ inputSchema }) => without(inputSchema, ['$schema', 'additionalProperties']),
};

/** groq-sdk writes its requests so; Groq checks a model's arguments before any repair, so they may come as text. */
export const groqIndents: Deviation = {
  indented: true,
  told: ({ inputSchema }) => sentSchema(inputSchema, 'groq').schema,
};

/**
 * @langchain/cohere and n8n's client for Cohere rebuild tools in the shape of that API's first version, and look for
 * `required` inside each property.
 */
export const cohereRebuilds: Deviation = {
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
