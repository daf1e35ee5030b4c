import { isObject } from './compare.js';

/** What a model provider, or its LangChain package, does with a tool's schema. Held against the real packages in test/cli. */
export interface Provider {
  id: string;
  /** Why the tool would not be offered, or the whole request refused; undefined where all is well. */
  refuses(schema: Readonly<Record<string, unknown>>): string | undefined;
  /** What would be left out of it on the way. */
  drops(schema: Readonly<Record<string, unknown>>): string[];
}

const combinators = ['anyOf', 'oneOf', 'allOf'];

export const providers: readonly Provider[] = [
  {
    id: 'openai',
    // The API's answer to such a schema is an error for the whole request.
    refuses: (schema) => atRoot(schema, [...combinators, 'enum', 'not'], 'the request is refused'),
    drops: () => [],
  },
  {
    id: 'anthropic',
    // @langchain/anthropic leaves such a tool out of the request without a word; the API itself refuses it.
    refuses: (schema) => atRoot(schema, combinators, 'the tool is dropped in silence by LangChain, refused by the API'),
    drops: () => [],
  },
  {
    id: 'google',
    refuses: () => undefined,
    // @langchain/google-genai takes it out at every level, even where it is the name of a property; and $schema, which
    // asks nothing of a value.
    drops: (schema) => (hasKey(schema, 'additionalProperties') ? ['additionalProperties'] : []),
  },
  {
    id: 'cohere',
    // The client's serialiser accepts one type name a property (API v1, parameter_definitions).
    refuses: (schema) => {
      const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
      const bad = properties.find(([, property]) => !isObject(property) || typeof property['type'] !== 'string');
      return bad && `property "${bad[0]}" has no single type: the request is refused`;
    },
    drops: (schema) => Object.keys(schema).filter((keyword) => !['type', 'properties', 'required', 'title', 'description', '$schema'].includes(keyword)),
  },
];

function atRoot(schema: Readonly<Record<string, unknown>>, keywords: readonly string[], consequence: string): string | undefined {
  const found = keywords.filter((keyword) => keyword in schema);
  return found.length > 0 ? `${found.join(', ')} at the root: ${consequence}` : undefined;
}

/** Whether a key of this name stands anywhere in the schema, be it a keyword or a property's name. */
function hasKey(schema: unknown, name: string, depth = 0): boolean {
  if (depth > 60 || typeof schema !== 'object' || schema === null) return false;
  return (!Array.isArray(schema) && Object.hasOwn(schema, name)) || Object.values(schema).some((part) => hasKey(part, name, depth + 1));
}
