import type { Provider } from './provider.js';

export interface NamedModel {
  /** Its own name, such as `gpt-5`, `anthropic/claude-sonnet-4` or `us.anthropic.claude-opus-4-v1:0`. */
  readonly model?: string | undefined;
  /** The client: a class (`ChatOpenAI`), a node's type (`lmChatOpenAi`) or a name (`google_genai`). */
  readonly host?: string | undefined;
  /** The address that the client asks. */
  readonly baseUrl?: unknown;
}

/**
 * The provider whose rules for schemas apply to a model; undefined if none is known. The model's family decides first,
 * since Claude has the same rules on Bedrock and OpenRouter; then the vendor in its name; then the address; then the host.
 */
export function providerOfModel({ model = '', host = '', baseUrl }: NamedModel): Provider | undefined {
  const words = model.toLowerCase().split(/[/:.@~]/);
  const family = words.flatMap((word) => matching(families, word)).at(0);
  if (family) return family;
  // Everybody may run these, by rules of their own.
  const vendor = words.some((word) => openWeights.test(word))
    ? undefined
    : words.find((word) => word === 'openai' || word === 'anthropic' || word === 'google');
  const address = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const asked = [address, host].flatMap((name) => matching(hosts, name.replace(/[^a-z]/gi, '').toLowerCase())).at(0);
  // Others host these models as well, by APIs of their own.
  return vendor ?? asked ?? (host === '' && /^command(-|$)/.test(words[0] ?? '') ? 'cohere' : undefined);
}

function matching(table: readonly (readonly [RegExp, Provider])[], name: string): Provider[] {
  return table.filter(([pattern]) => pattern.test(name)).map(([, provider]) => provider);
}

/** The beginnings of the names of models that only their makers, and who resells them, run. */
const families: readonly (readonly [RegExp, Provider])[] = [
  [/^(chatgpt|gpt-(realtime|audio)|gpt-?\d+o?(?=-|$)|o\d+(?=-|$)|codex-|computer-use-)/, 'openai'],
  [/^claude(?=-|$)/, 'anthropic'],
  [/^(gemini|learnlm)(?=-|$)/, 'google'],
  [/^grok(?=-|$)/, 'xai'],
  [/^deepseek-(chat|reasoner)$/, 'deepseek'],
];

const openWeights = /^(gpt-oss|\w*gemma)/;

/** Parts of names of classes, node types and integrations. */
const hosts: readonly (readonly [RegExp, Provider])[] = [
  [/anthropic/, 'anthropic'],
  [/openai|^azure/, 'openai'],
  [/google|vertex|gemini/, 'google'],
  [/cohere/, 'cohere'],
  [/mistral/, 'mistral'],
  [/groq/, 'groq'],
  [/deepseek/, 'deepseek'],
  [/(?:^|api|chat)xai|(?<!n)grok/, 'xai'],
  [/moonshot|kimi/, 'moonshot'],
  [/fireworks/, 'fireworks'],
  [/ollama/, 'ollama'],
  [/llamacpp|lmstudio/, 'llama.cpp'],
];
