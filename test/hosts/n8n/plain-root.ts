import { sourceAt } from '../../../test-support/n8n/source.js';

/**
 * What the model, and only the model, is sent of a schema: providers refuse the whole request for a root that does not say
 * that it is an object, and OpenAI for one without properties.
 */
export function withPlainRoot(schema: string): string {
  const typed = sourceAt(schema, 'type') ? schema : `{"type":"object",${schema.slice(1)}`;
  return sourceAt(typed, 'properties') ? typed : `${typed.slice(0, -1)},"properties":{}}`;
}
