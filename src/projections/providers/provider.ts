import { briefJson, filtered, type JsonObject, shortened, type WorkBudget } from '../../json/index.js';

/** Two forms in which OpenAI, and who speaks like it, take a request. */
export type Api = 'completions' | 'responses';

/** A library between the tools and the provider that has rules of its own. */
export type Client = 'langchain';

interface ProviderTraits {
  readonly label: string;
  /** Tools in a request; more are rejected. */
  readonly mostTools?: number;
  /** True if a model sees an image in a tool's answer, or the one API that shows it. Default: it does not. */
  readonly seesMedia?: true | Api;
  /** The client that writes on the schemas that it is given, and so has to be given copies. */
  readonly writer?: Client;
}

/**
 * Whose rules for tools are known. Sources of the numbers: docs/providers.md. An image in an answer is a text of Base64 to
 * the AI SDK's clients for Mistral, Groq, DeepSeek, Moonshot, Fireworks and Cohere; LangChain's for Mistral throws.
 */
export const providers = {
  openai: { label: 'OpenAI', mostTools: 128, seesMedia: 'responses' },
  anthropic: { label: 'Anthropic', seesMedia: true },
  google: { label: 'Google Gemini', mostTools: 512, seesMedia: true },
  mistral: { label: 'Mistral' },
  groq: { label: 'Groq', mostTools: 128 },
  deepseek: { label: 'DeepSeek' },
  xai: { label: 'xAI', mostTools: 200, seesMedia: 'responses' },
  moonshot: { label: 'Moonshot' },
  fireworks: { label: 'Fireworks' },
  'llama.cpp': { label: 'llama.cpp' },
  ollama: { label: 'Ollama' },
  // @langchain/cohere sets `required` in each property.
  cohere: { label: 'Cohere', writer: 'langchain' },
} as const satisfies Record<string, ProviderTraits>;

/**
 * The service that runs the model, as far as it matters to tools. Azure has OpenAI's rules; LM Studio has llama.cpp's.
 */
export type Provider = keyof typeof providers;

/** The providers of the models that a user most probably has. */
export const mostUsedProviders: readonly Provider[] = ['openai', 'anthropic', 'google', 'cohere'];

export function traitsOf(provider: Provider): ProviderTraits {
  return providers[provider];
}

/** The warning about more tools than a provider accepts in a request. */
export function tooManyTools(count: number, provider: Provider): string | undefined {
  const { label, mostTools = Infinity } = traitsOf(provider);
  if (count <= mostTools) return undefined;
  return `${label} takes at most ${mostTools} tools in a request, and these are ${count}. Select some, or turn tool search on.`;
}

export interface ProviderNote {
  readonly code: string;
  readonly message: string;
  /** The location in the input schema, as a JSON Pointer fragment such as `#/properties/a`. */
  readonly schemaLocation: string;
  /**
   * The effect on the tool: `rejected` (and with it the whole request), `dropped` in silence by the client library
   * (LangChain), or `changed` on the way to the model. `documented`: the provider documents the limit, but nobody has
   * seen a rejection.
   */
  readonly effect: 'rejected' | 'dropped' | 'changed' | 'documented';
}

/** True if the model does not get the tool. */
export function isLost({ effect }: Pick<ProviderNote, 'effect'>): boolean {
  return effect === 'rejected' || effect === 'dropped';
}

/** The note on a tool whose schema is too large to adapt. */
export const cutSchema =
  'Its schema is too large to adapt, so the model learns only that the arguments are an object; they are still checked against the original.';

/** The location of a schema, and the budget of its adaptation. */
export interface SchemaPlace {
  readonly root: JsonObject;
  /** The keyword that holds it; undefined for the root. */
  readonly keyword: string | undefined;
  /** The number of schemas around it. */
  readonly depth: number;
  /** The tool's own description, if a tool is examined. */
  readonly description?: unknown;
  readonly budget: WorkBudget;
}

type Rewriting = (schema: JsonObject, at: SchemaPlace) => JsonObject;

/**
 * The effect of a provider on a tool's schema, and its remedy. An adaptation never makes a schema narrower; the walk
 * handles places such as `not` and `oneOf`, in which a wider part makes a narrower whole.
 */
export interface ProviderRule {
  readonly id: string;
  /** The providers of the rule, with all their APIs or one of them. */
  readonly of: readonly (Provider | `${Provider}/${Api}`)[];
  /** The client that the rule is about; undefined if it is about the provider itself. */
  readonly client?: Client;
  /** The text after the provider's name: "OpenAI rejects …". */
  readonly about: string;
  /** The kind of evidence, and its sources. */
  readonly evidence: `${'documented' | 'reported' | 'reported once' | 'observed'}: ${string}`;
  readonly effect: ProviderNote['effect'];
  /** The keywords at fault in the schema; '' for the schema itself. */
  readonly faults: (schema: JsonObject, at: SchemaPlace) => readonly string[];
  /** A schema of equal meaning; faults that remain are left to `wider`. */
  readonly equal?: Rewriting;
  /** A schema that accepts all that the schema accepts, and more. */
  readonly wider?: Rewriting;
}

export interface GivenRule {
  readonly evidence: ProviderRule['evidence'];
  readonly client?: Client;
  /** Default: `rejected`. */
  readonly effect?: ProviderRule['effect'];
  /** If true, the rule is about the root alone. */
  readonly isOfRoot?: boolean;
  /** The keywords at fault, or whether the schema itself is. */
  readonly faults: (schema: JsonObject, at: SchemaPlace) => readonly string[] | boolean;
  readonly equal?: Adaptation | undefined;
  readonly wider?: Adaptation;
}

/** The keywords at fault are left out, or the description names them instead; or the schema is written anew. */
type Adaptation = 'omit' | 'describe' | Rewriting;

/** Makes rows of the table, for these providers. */
export function ruleOf(...of: ProviderRule['of']) {
  return (id: string, about: string, given: GivenRule): ProviderRule => {
    const { client, evidence, effect = 'rejected', isOfRoot = false, equal, wider } = given;
    const faults: ProviderRule['faults'] = (schema, at) => {
      const found = isOfRoot && at.keyword !== undefined ? false : given.faults(schema, at);
      return typeof found === 'boolean' ? (found ? [''] : []) : found;
    };
    const rewriting = (how: Adaptation): Rewriting => {
      if (how === 'describe') return (schema, at) => inWords(schema, faults(schema, at));
      return how === 'omit' ? (schema, at) => without(schema, faults(schema, at)) : how;
    };
    const ways = { ...(equal && { equal: rewriting(equal) }), ...(wider && { wider: rewriting(wider) }) };
    return { id, of, about, evidence, effect, faults, ...(client && { client }), ...ways };
  };
}

/** Keywords that combine whole schemas. */
export const combinators = ['anyOf', 'oneOf', 'allOf'] as const;

export function present(schema: JsonObject, keywords: readonly string[]): string[] {
  return keywords.filter((keyword) => keyword in schema);
}

export function without(schema: JsonObject, keywords: readonly string[]): JsonObject {
  return filtered(schema, (keyword) => !keywords.includes(keyword));
}

/** The schema without these keywords, which its description names instead. */
export function inWords(schema: JsonObject, keywords: readonly string[]): JsonObject {
  const dropped = present(schema, keywords);
  const words = dropped.map((keyword) => `${keyword}: ${shortened(briefJson(schema[keyword], 200), 200)}`).join(', ');
  return dropped.length === 0 ? schema : withWords(without(schema, dropped), `(${words})`);
}

export function withWords(schema: JsonObject, words: string): JsonObject {
  const { description } = schema;
  const text = typeof description === 'string' && description !== '' ? `${description} ${words}` : words;
  return { ...schema, description: text };
}

/** The type that each keyword constrains. Keywords that are not named here apply to every type. */
export const typeOfKeyword: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string: 'minLength maxLength pattern format contentEncoding contentMediaType contentSchema',
    number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
    array: 'items prefixItems contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems',
    object:
      'properties patternProperties additionalProperties propertyNames required minProperties maxProperties dependentRequired dependentSchemas dependencies unevaluatedProperties',
  }).flatMap(([type, keywords]) => keywords.split(' ').map((keyword) => [keyword, type] as const)),
);

/** True if a keyword constrains values of these types. */
export function concerns(keyword: string, types: readonly unknown[]): boolean {
  const type = typeOfKeyword.get(keyword);
  return type === undefined || types.includes(type) || (type === 'number' && types.includes('integer'));
}
