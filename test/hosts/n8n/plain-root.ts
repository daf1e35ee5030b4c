import { sourceAt } from '../../../test-support/n8n/source.js';

/**
 * The change to a schema that only the model sees: providers reject the whole request if a root does not say that it is
 * an object, and OpenAI rejects a root without properties.
 */
export function withPlainRoot(schema: string): string {
  const typed = sourceAt(schema, 'type') ? schema : `{"type":"object",${schema.slice(1)}`;
  return sourceAt(typed, 'properties') ? typed : `${typed.slice(0, -1)},"properties":{}}`;
}
