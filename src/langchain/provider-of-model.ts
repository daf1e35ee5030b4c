import { isObject } from '../json/index.js';
import { providerNotes, providerSafeSchema } from '../index.js';
import type { Provider, ProviderNote } from '../index.js';

/**
 * Whose model this is, by its class or by the name that `initChatModel` and `createAgent` take (`openai:gpt-5`); undefined
 * where it is nobody's of whom something is known.
 */
export function providerOfModel(model: unknown): Provider | undefined {
  if (typeof model === 'string') return providerNamed(model);
  if (!isObject(model)) return undefined;
  // What `bindTools` and `withConfig` return holds the model.
  if (isObject(model['bound'])) return providerOfModel(model['bound']);
  // What `initChatModel` returns loads its model when it is first used.
  const defaults = isObject(model['_defaultConfig']) ? model['_defaultConfig'] : {};
  const configured = [defaults['modelProvider'], defaults['model']].find((name) => typeof name === 'string');
  const { getName } = model;
  const name: unknown = typeof getName === 'function' ? getName.call(model) : undefined;
  return providerNamed(typeof name === 'string' ? name : '') ?? providerNamed(configured ?? '');
}

/** The schema itself, except where the provider is known to refuse it. */
export function acceptedSchema(schema: Readonly<Record<string, unknown>>, provider: Provider): Record<string, unknown> {
  const isRefused = providerNotes({ inputSchema: schema }, provider).some(isRefusal);
  return isRefused ? providerSafeSchema(schema, provider) : schema;
}

/** Whether a provider refuses a tool, or it never gets there. */
export function isRefusal({ effect }: Pick<ProviderNote, 'effect'>): boolean {
  return effect !== 'changed';
}

function providerNamed(name: string): Provider | undefined {
  return names.find(([pattern]) => pattern.test(name))?.[1];
}

/** Classes of LangChain.js, its names of providers, and the beginnings of their models' names. */
const names: readonly (readonly [RegExp, Provider])[] = [
  [/^(Azure)?ChatOpenAI|^AzureOpenAI|^ChatAzureOpenAI|^(azure_)?openai(:|$)|^(gpt-|o[134](-|$))/, 'openai'],
  [/^ChatAnthropic|^anthropic(:|$)|^claude/, 'anthropic'],
  [/^Chat(Google|Vertex|Gemini)|^google([-_][a-z]+)*(:|$)|^gemini/, 'google'],
  [/^ChatCohere|^cohere(:|$)|^command-/, 'cohere'],
];
