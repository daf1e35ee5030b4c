import { deepFreeze, type JsonObject } from '../json/index.js';
import { withOriginalNames } from './providers/anthropic.js';
import { adapted, type Adapted } from './providers/adapted.js';
import type { Api, Client, Provider } from './providers/provider.js';

/**
 * Projections of schemas, by purpose. A host asks again before every model request, and compares the results by
 * identity. A schema that may still change is not cached.
 */
const known = new WeakMap<JsonObject, Map<string, Adapted>>();

function derived(schema: JsonObject, use: string, derive: () => Adapted): Adapted {
  const present = known.get(schema)?.get(use);
  if (present) return present;
  const result = derive();
  if (Object.isFrozen(schema)) {
    deepFreeze(result.schema);
    known.set(schema, (known.get(schema) ?? new Map<string, Adapted>()).set(use, result));
  }
  return result;
}

/**
 * The schema for the model: the very object from the wire.
 *
 * If its root has no `type`, or no `properties`, a copy gets `"type": "object"` before the original keywords and
 * `"properties": {}` after them. Neither changes the meaning, since arguments are always an object; without them,
 * providers reject the whole request (OpenAI: "object schema missing properties"). The copy never validates.
 */
export function modelSchema({ inputSchema }: { readonly inputSchema: JsonObject }): Record<string, unknown> {
  const { type, properties } = inputSchema;
  // The catalogue's type is read-only because the object is frozen; hosts' types do not know that.
  if (type !== undefined && properties !== undefined) return inputSchema;
  const whole = () => ({
    ...(type === undefined && { type: 'object' }),
    ...inputSchema,
    ...(properties === undefined && { properties: {} }),
  });
  return derived(inputSchema, '', () => ({ schema: whole(), isCut: false, names: new Map() })).schema;
}

/** A schema as a model is sent it. */
export interface SentSchema {
  /** The same object if the provider accepts it. It is for the model alone: the original validates the arguments. */
  readonly schema: JsonObject;
  /** The schema is too large to be adapted: the model learns only that the arguments are an object. */
  readonly isCut: boolean;
  /** Present if names differ: maps the model's arguments to the server's names, before validation. */
  readonly argumentsFromModel?: (args: unknown) => unknown;
}

/**
 * The schema for the models of a provider: the same object, or an adapted one that the provider takes and that accepts
 * everything that the original accepts. The result for a frozen schema is cached, and frozen too.
 *
 * @param provider several get one form that all of them take; without any, OpenAI and Anthropic are assumed
 * @param client the library that asks the provider, if it has rules of its own
 */
export function sentSchema(
  schema: JsonObject,
  provider?: Provider | readonly Provider[],
  api?: Api,
  client?: Client,
): SentSchema {
  const all = provider === undefined ? [undefined] : [provider].flat();
  const steps = all.reduce<readonly Adapted[]>((before, each) => {
    const { schema: sent } = before.at(-1) ?? { schema };
    const use = `${each ?? 'common'}/${api ?? ''}/${client ?? ''}`;
    return [...before, derived(sent, use, () => adapted(sent, each, api, client))];
  }, []);
  return {
    schema: steps.at(-1)?.schema ?? schema,
    isCut: steps.some(({ isCut }) => isCut),
    ...(steps.some(({ names }) => names.size > 0) && {
      argumentsFromModel: (args: unknown) => steps.reduceRight((own, { names }) => withOriginalNames(own, names), args),
    }),
  };
}
