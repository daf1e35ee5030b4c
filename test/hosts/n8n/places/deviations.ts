import { sentSchema } from '../../../../src/projections/index.js';
import type { WireTool } from './tool-server.js';

/**
 * Changes that a provider's own code makes to schemas: LangChain's packages and n8n's nodes, after this package has
 * passed the original on. The arguments are not affected: they are checked with the original.
 */
export interface Deviation {
  /** True if the request has line breaks and indentation. */
  readonly indented?: boolean;
  /** The schema that reaches the model; undefined if the tool is not sent. */
  told(tool: WireTool): unknown;
}

/** @langchain/anthropic silently drops such tools, because the API would reject the whole request. */
export const anthropicDrops: Deviation = {
  told: ({ inputSchema }) =>
    'anyOf' in inputSchema || 'oneOf' in inputSchema || 'allOf' in inputSchema ? undefined : inputSchema,
};

/** @langchain/google-genai removes them, because the API rejects unknown keywords. */
export const geminiStrips: Deviation = {
  told: ({ inputSchema }) => without(inputSchema, ['$schema', 'additionalProperties']),
};

/**
 * groq-sdk writes its requests like this. Groq checks a model's arguments before any repair, so they may be strings.
 */
export const groqIndents: Deviation = {
  indented: true,
  told: ({ inputSchema }) => sentSchema(inputSchema, 'groq').schema,
};

/**
 * @langchain/cohere and n8n's client for Cohere rebuild tools for that API's first version, and read `required` inside
 * each property.
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
