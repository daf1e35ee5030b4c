import { isList, isObject, type JsonObject } from '../../json/index.js';

/** Who runs the model, as far as it matters to a tool's schema. */
export type Provider = 'openai' | 'anthropic' | 'google' | 'cohere';

/** What a provider, or the client library on the way to it, does to a tool. */
export interface ProviderNote {
  readonly code: string;
  readonly message: string;
  /** Where in the input schema, as a JSON Pointer fragment such as `#/properties/a`. */
  readonly schemaLocation: string;
  /**
   * What becomes of the tool: `refused` (and with it the whole request), `dropped` in silence by the client library
   * (LangChain), or `changed` on the way to the model.
   */
  readonly effect: 'refused' | 'dropped' | 'changed';
}

/** Keywords that combine whole schemas; no provider takes them at the root. */
export const combinators = ['anyOf', 'oneOf', 'allOf'] as const;

/** The only property names that Anthropic's API takes at the root; others make it refuse the request. */
export const anthropicKey = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Gemini's `Schema` (a subset of OpenAPI 3.0) knows these keywords; others are refused as unknown names. */
export const geminiKeywords: ReadonlySet<string> = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'default', 'example', 'anyOf', 'properties'],
  ...['required', 'items', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength'],
  ...['pattern', 'minimum', 'maximum'],
]);

/** Whether an object has to have what is none of its properties, which Gemini refuses ("property is not defined"). */
export function requiresUndeclared({ properties, required }: JsonObject): boolean {
  const declared = new Set<unknown>(isObject(properties) ? Object.keys(properties) : []);
  return isList(required) && required.some((name) => !declared.has(name));
}

/** What one look at a schema, or one rewriting of it, may cost. */
export const projectionLimits = { steps: 400_000, ms: 400 };
