import { deepFreeze, type JsonObject } from '../json/index.js';
import type { Provider } from './providers/provider.js';
import { providerNotes, providerSafeSchema } from './providers/rules.js';

/**
 * What is derived from schemas, by what it is for: a host asks again every time a model is asked, and compares by identity
 * what it was given. Of a schema that may yet change, nothing is kept.
 */
const known = new WeakMap<JsonObject, Map<Provider | 'any', JsonObject>>();

function derived(schema: JsonObject, use: Provider | 'any', derive: () => JsonObject): JsonObject {
  const present = known.get(schema)?.get(use);
  if (present) return present;
  const result = derive();
  if (Object.isFrozen(schema)) {
    deepFreeze(result);
    known.set(schema, (known.get(schema) ?? new Map<Provider | 'any', JsonObject>()).set(use, result));
  }
  return result;
}

/**
 * The schema that a model is given: the very object that stood on the wire.
 *
 * Only where its root names no `type`, or has no `properties`, a copy says `"type": "object"` in front of the original and
 * `"properties": {}` behind it. Arguments are an object in any case, and no property is declared, so neither says anything
 * new; providers refuse the whole request otherwise (OpenAI: "object schema missing properties"). It never validates.
 */
export function modelSchema({ inputSchema }: { readonly inputSchema: JsonObject }): Record<string, unknown> {
  const { type, properties } = inputSchema;
  // The catalogue's type is read-only because the object is frozen; hosts' types do not know that.
  if (type !== undefined && properties !== undefined) return inputSchema;
  return derived(inputSchema, 'any', () => ({
    ...(type === undefined && { type: 'object' }),
    ...inputSchema,
    ...(properties === undefined && { properties: {} }),
  }));
}

/**
 * The schema that models of these providers are sent: the same object, or {@link providerSafeSchema} where a provider
 * refuses the schema or its client library drops the tool. The result for a frozen schema is cached, and frozen too.
 *
 * @param providers several get one form that all of them accept
 */
export function acceptedSchema(schema: JsonObject, ...providers: readonly Provider[]): JsonObject {
  return providers.reduce(
    (sent, provider) =>
      derived(sent, provider, () => {
        const notes = providerNotes({ inputSchema: sent }, provider);
        const isRefused = notes.some(({ effect }) => effect !== 'changed');
        return isRefused ? providerSafeSchema(sent, provider) : sent;
      }),
    schema,
  );
}
