import { type Api, type Client, type Provider, sentSchema, traitsOf } from '../projections/index.js';
import type { ToolsOptions } from './options.js';

type Schema = Record<string, unknown>;

/** The options that tell who reads the schemas. */
export interface OfModel extends Pick<ToolsOptions, 'provider' | 'api' | 'model' | 'providerSafe'> {
  /** The host itself, if it is a library with rules of its own. */
  client?: Client;
}

/** A tool's schema for the models that it is sent to: the very object, unless a model's provider is known to reject it. */
export interface ModelSchema {
  readonly options: OfModel;
  /** For the model that the options name. */
  readonly schema: Schema;
  /** For a model of this provider, unless the options name one. */
  readonly sentTo: (provider: Provider | undefined, api: Api | undefined) => Schema;
  /** Whose models are sent the schema in an adapted form; a request tells it late. */
  readonly adaptedFor: readonly Provider[];
  /** True if the schema is adapted because nobody has named a model yet. */
  readonly isAdaptedUnnamed: boolean;
  /** True if these models learn only that the arguments are an object. */
  readonly isCut: boolean;
  /** Restores the names of arguments that were replaced for the model. */
  readonly argumentsFrom: (input: unknown) => unknown;
}

/**
 * @param options `provider` and `api` as the `model` reveals them
 * @param onUnnamed called if the schema is read for a model that nobody named
 */
export function schemaFor(original: Schema, options: OfModel, onUnnamed: () => void): ModelSchema {
  const { client } = options;
  const adaptedFor = new Set<Provider>();
  const providers = namedProviders(options);
  const known = () => (adaptedFor.size > 0 ? [...adaptedFor] : providers);
  const sent = (to: Provider | readonly Provider[] | undefined, api = options.api) =>
    sentSchema(original, to, api, client);
  const isAdapted = (provider: Provider | undefined, api?: Api) => sent(provider, api).schema !== original;
  const readBy = (provider: Provider | undefined, schema: Schema) =>
    provider && client && traitsOf(provider).writer === client ? structuredClone(schema) : schema;
  return {
    options,
    get schema() {
      if (known() === undefined) onUnnamed();
      return readBy(options.provider, sent(providers).schema);
    },
    sentTo(provider, api) {
      if (!providers && provider && isAdapted(provider, api)) adaptedFor.add(provider);
      const { schema } = providers ? sent(providers) : sent(provider ?? [], api);
      return readBy(provider, schema);
    },
    get adaptedFor() {
      return (known() ?? []).filter((provider) => isAdapted(provider));
    },
    get isAdaptedUnnamed() {
      return known() === undefined && isAdapted(undefined);
    },
    get isCut() {
      return sent(known()).isCut;
    },
    argumentsFrom: (input) => sent(known()).argumentsFromModel?.(input) ?? input,
  };
}

/** Undefined if nobody has named a model. */
function namedProviders({ providerSafe, model, provider }: OfModel): readonly Provider[] | undefined {
  if (providerSafe === false) return [];
  if (provider) return [provider];
  return model === undefined ? undefined : [];
}
