import { type Api, type Client, type Provider, sentSchema, traitsOf } from '../projections/index.js';
import type { ToolsOptions } from './options.js';

type Schema = Record<string, unknown>;

/** The options that tell who reads the schemas. */
export interface OfModel extends Pick<ToolsOptions, 'provider' | 'api' | 'model' | 'providerSafe'> {
  /** The host itself, if it is a library with rules of its own. */
  client?: Client;
}

/** A tool's schema for the models that it is sent to: the very object, unless a model's provider is known to refuse it. */
export class ModelSchema {
  readonly #adaptedFor = new Set<Provider>();

  /**
   * @param options `provider` and `api` as the `model` reveals them
   * @param onUnnamed called if the schema is read for a model that nobody named
   */
  constructor(
    readonly original: Schema,
    readonly options: OfModel,
    readonly onUnnamed: () => void,
  ) {}

  /** Undefined if nobody has named a model. */
  get #providers(): readonly Provider[] | undefined {
    const { providerSafe, model, provider } = this.options;
    if (providerSafe === false) return [];
    if (provider) return [provider];
    return model === undefined ? undefined : [];
  }

  /** For the model that the options name. */
  get schema(): Schema {
    if (this.#known === undefined) this.onUnnamed();
    return this.#readBy(this.options.provider, this.#sent(this.#providers).schema);
  }

  /** For a model of this provider, unless the options name one. */
  sentTo(provider: Provider | undefined, api: Api | undefined): Schema {
    const all = this.#providers;
    if (!all && provider && this.#isAdapted(provider, api)) this.#adaptedFor.add(provider);
    const sent = all ? this.#sent(all) : this.#sent(provider ? [provider] : [], api);
    return this.#readBy(provider, sent.schema);
  }

  /** Whose models are sent the schema in an adapted form; a request tells it late. */
  get adaptedFor(): readonly Provider[] {
    return (this.#known ?? []).filter((provider) => this.#isAdapted(provider));
  }

  /** True if the schema is adapted because nobody has named a model yet. */
  get isAdaptedUnnamed(): boolean {
    return this.#known === undefined && this.#isAdapted(undefined);
  }

  /** True if these models learn only that the arguments are an object. */
  get isCut(): boolean {
    return this.#sent(this.#known).isCut;
  }

  /** Restores the names of arguments that were replaced for the model. */
  argumentsFrom(input: unknown): unknown {
    return this.#sent(this.#known).argumentsFromModel?.(input) ?? input;
  }

  /** Undefined while nobody has named a model. */
  get #known(): readonly Provider[] | undefined {
    return this.#adaptedFor.size > 0 ? [...this.#adaptedFor] : this.#providers;
  }

  #isAdapted(provider: Provider | undefined, api?: Api): boolean {
    return this.#sent(provider, api).schema !== this.original;
  }

  #sent(providers: Provider | readonly Provider[] | undefined, api = this.options.api) {
    return sentSchema(this.original, providers, api, this.options.client);
  }

  #readBy(provider: Provider | undefined, schema: Schema): Schema {
    const { client } = this.options;
    return provider && client && traitsOf(provider).writer === client ? structuredClone(schema) : schema;
  }
}
