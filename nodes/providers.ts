import { type CatalogueTool, type Provider, providerNotes } from '../src/internal.js';

const names: Readonly<Record<Provider, string>> = {
  anthropic: 'Anthropic',
  cohere: 'Cohere',
  google: 'Google Gemini',
  openai: 'OpenAI',
};

/** Which providers are known to refuse a tool's schema, or to leave the tool out, and why. */
export function refusals(tool: Pick<CatalogueTool, 'inputSchema'>, providers = allProviders) {
  return providers.flatMap((provider) =>
    providerNotes(tool, provider)
      .filter(({ effect }) => effect !== 'changed')
      .map(({ message }) => ({ name: names[provider], message })),
  );
}

const allProviders = Object.keys(names) as readonly Provider[]; // of a Record of providers
