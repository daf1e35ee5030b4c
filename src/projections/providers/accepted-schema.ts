import { deepFreeze } from '../../json/index.js';
import { providerNotes } from './notes.js';
import type { Provider } from './provider.js';
import { providerSafeSchema } from './safe-schema.js';

type Schema = Readonly<Record<string, unknown>>;

/** A host asks for each tool again every time a model is asked. */
const known = new WeakMap<Schema, Map<Provider, Schema>>();

/**
 * What models of these providers are sent: the very schema, or {@link providerSafeSchema} where a provider is known to
 * refuse it, or a library in front of it to leave the tool out. What is found of a frozen schema, as those of a catalogue
 * are (a frozen one counts as frozen throughout), is remembered for as long as the schema lives, and frozen as well.
 *
 * ```ts
 * const schema = { type: 'object', properties: { ids: { type: 'array' } } };
 * acceptedSchema(schema, 'anthropic') === schema; // => true
 * acceptedSchema(schema, 'openai').properties; // => { ids: { type: 'array', items: {} } }
 * ```
 *
 * @param providers of OpenAI and Anthropic, both: one form that either takes
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
