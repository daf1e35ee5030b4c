import { visibleLine, type JsonObject, type WorkBudget } from '../../json/index.js';

/** Who runs the model, as far as it matters to a tool's schema. */
export type Provider = 'openai' | 'anthropic' | 'google' | 'cohere';

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

export interface ProviderRules {
  readonly notes: (schema: JsonObject) => Iterable<ProviderNote>;
  /** The very schema where the provider takes it. */
  readonly accepted: (schema: JsonObject, budget: WorkBudget) => JsonObject;
}

export function note(
  effect: ProviderNote['effect'],
  code: string,
  schemaLocation: string,
  message: string,
): ProviderNote {
  return { effect, code, message: visibleLine(message), schemaLocation };
}

/** Keywords that combine whole schemas; no provider takes them at the root. */
export const combinators = ['anyOf', 'oneOf', 'allOf'] as const;
