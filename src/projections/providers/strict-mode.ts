import { isObject } from '../../json/index.js';

/**
 * A schema for which n8n's OpenAI node (2.x) does not ask for OpenAI's strict mode. It asks as soon as all parameters
 * are required, and the API then refuses the whole request if anything is open, optional or unusual within them. So one
 * of them is said to be required in words, unless they are plain enough for the strict mode.
 */
export function withoutStrictMode(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { properties, required, additionalProperties, description } = schema;
  if (!isObject(properties) || !Array.isArray(required)) return schema;
  const names = Object.keys(properties);
  const last = names.at(-1);
  const demanded = new Set<unknown>(required);
  if (last === undefined || !names.every((name) => demanded.has(name))) return schema;
  if (!additionalProperties && Object.values(properties).every(isPlain)) return schema;
  const words = `${JSON.stringify(last)} is required, too.`;
  return {
    ...schema,
    required: required.filter((name) => name !== last),
    description: typeof description === 'string' ? `${description}\n${words}` : words,
  };
}

function isPlain(schema: unknown): boolean {
  if (!isObject(schema) || !Object.keys(schema).every((keyword) => plainKeywords.includes(keyword))) return false;
  return schema['type'] === 'array' ? isPlain(schema['items']) : plainTypes.includes(schema['type']);
}

const plainKeywords = ['type', 'description', 'enum', 'items'];
const plainTypes: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];
