import { checkOption, isObject, oneOf, required, startBudget, type JsonObject } from '../../json/index.js';
import { anthropic } from './anthropic.js';
import { google } from './google.js';
import { openai } from './openai.js';
import { note, type Provider, type ProviderNote, type ProviderRules } from './provider.js';

const cohere: ProviderRules = {
  *notes(schema) {
    const isPlain = (part: JsonObject, allowed: readonly string[]) =>
      Object.keys(part).every((keyword) => allowed.includes(keyword));
    const properties = isObject(schema['properties']) ? Object.values(schema['properties']) : [];
    const survives =
      isPlain(schema, ['type', 'properties', 'required']) &&
      properties.every(
        (part) => isObject(part) && typeof part['type'] === 'string' && isPlain(part, ['type', 'description']),
      );
    const what = "LangChain rebuilds the schema for Cohere: only each parameter's name, type and description survive.";
    if (!survives) yield note('changed', 'rebuilt', '#', what);
  },
  // LangChain rebuilds it anyway, from what any schema has.
  accepted: (schema) => schema,
};

const rules: Record<Provider, ProviderRules> = { openai, anthropic, google, cohere };
const aProvider = required(oneOf(...Object.keys(rules)));

/**
 * What a provider, or the library in front of it, is known to do to a tool's schema. Nothing here changes anything:
 * it is for a warning before the run. {@link providerSafeSchema} is the way out.
 */
export function providerNotes(tool: { readonly inputSchema: JsonObject }, provider: Provider): ProviderNote[] {
  checkOption('providerNotes', 'provider', provider, aProvider);
  // A root without a type never reaches anybody so: see `modelSchema`.
  return [...rules[provider].notes({ type: 'object', ...tool.inputSchema })];
}

/**
 * A projection of an input schema that a provider takes. It is shown to the model and nothing else: the original
 * still decides about the arguments. It says less than the original, in words where the provider has no keyword; each
 * provider's file has its law.
 *
 * @returns the very schema where the provider takes it as it is, and where it is too large to be rewritten in time
 */
export function providerSafeSchema(schema: JsonObject, provider: Provider): JsonObject {
  checkOption('providerSafeSchema', 'provider', provider, aProvider);
  const budget = startBudget({ steps: 400_000, ms: 400 });
  const safe = rules[provider].accepted(schema, budget);
  return budget.exhausted ? schema : safe;
}
