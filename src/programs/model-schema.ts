import { type Api, type Provider, sentSchema } from '../projections/index.js';
import type { ToolsOptions } from './options.js';

type Schema = Record<string, unknown>;

/** A tool's schema for the models that it is sent to: the very object, unless a model's provider is known to refuse it. */
export class ModelSchema {
  readonly #adaptedFor = new Set<Provider>();

  /**
   * @param options `provider` and `api` as the `model` reveals them
   * @param onUnnamed called if the schema is read for a model that nobody named
   */
  constructor(
    readonly original: Schema,
    readonly options: Pick<ToolsOptions, 'provider' | 'api' | 'model' | 'providerSafe'>,
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
    return sentSchema(this.original, this.#providers, this.options.api).schema;
  }

  /** True if the options name the model's provider, so that no request has to. */
  get isDecided(): boolean {
    return this.#providers !== undefined;
  }

  /** For a model of this provider, unless the options name one. */
  sentTo(provider: Provider | undefined, api: Api | undefined): Schema {
    if (this.#providers) return this.schema;
    if (provider && this.#isAdapted(provider, api)) this.#adaptedFor.add(provider);
    return sentSchema(this.original, provider ? [provider] : [], api).schema;
  }

  /** Whose models are sent the schema in an adapted form; a request tells it late. */
  get adaptedFor(): readonly Provider[] {
    return (this.#known ?? []).filter((provider) => this.#isAdapted(provider, this.options.api));
  }

  /** True if the schema is adapted because nobody has named a model yet. */
  get isAdaptedUnnamed(): boolean {
    return this.#known === undefined && this.#isAdapted(undefined, undefined);
  }

  /** True if these models learn only that the arguments are an object. */
  get isCut(): boolean {
    return sentSchema(this.original, this.#known, this.options.api).isCut;
  }

  /** Restores the names of arguments that were replaced for the model. */
  argumentsFrom(input: unknown): unknown {
    return sentSchema(this.original, this.#known).argumentsFromModel?.(input) ?? input;
  }

  /** Undefined while nobody has named a model. */
  get #known(): readonly Provider[] | undefined {
    return this.#adaptedFor.size > 0 ? [...this.#adaptedFor] : this.#providers;
  }

  #isAdapted(provider: Provider | undefined, api: Api | undefined): boolean {
    return sentSchema(this.original, provider, api).schema !== this.original;
  }
}
