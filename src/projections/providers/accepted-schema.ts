import { deepFreeze } from '../../json/index.js';
import { providerNotes } from './notes.js';
import type { Provider } from './provider.js';
import { providerSafeSchema } from './safe-schema.js';

type Schema = Readonly<Record<string, unknown>>;

/** A host asks for each tool again every time a model is asked. */
const known = new WeakMap<Schema, Map<Provider, Schema>>();

/**
 * The schema that models of these providers are sent: the same object, or {@link providerSafeSchema} where a provider
 * refuses the schema or its client library drops the tool. The result for a frozen schema is cached, and frozen too.
 *
 * ```ts
 * const schema = { type: 'object', properties: { ids: { type: 'array' } } };
 * acceptedSchema(schema, 'anthropic') === schema; // => true
 * acceptedSchema(schema, 'openai').properties; // => { ids: { type: 'array', items: {} } }
 * ```
 *
 * @param providers several get one form that all of them accept
 */
export function acceptedSchema(schema: Schema, ...providers: readonly Provider[]): Schema {
  return providers.reduce(acceptedBy, schema);
}

function acceptedBy(schema: Schema, provider: Provider): Schema {
  const present = known.get(schema)?.get(provider);
  if (present) return present;
  const isRefused = providerNotes({ inputSchema: schema }, provider).some(({ effect }) => effect !== 'changed');
  const accepted = isRefused ? providerSafeSchema(schema, provider) : schema;
  if (Object.isFrozen(schema)) {
    deepFreeze(accepted);
    known.set(schema, (known.get(schema) ?? new Map<Provider, Schema>()).set(provider, accepted));
  }
  return accepted;
}
