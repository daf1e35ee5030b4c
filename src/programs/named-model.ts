import { isObject } from '../json/index.js';
import { type Api, type Provider, providerOfModel, traitsOf } from '../projections/index.js';
import type { ToolsOptions } from './options.js';

/** The options, with the provider and the API that their model reveals. */
export function followingModel<Options extends Pick<ToolsOptions, 'model' | 'provider' | 'api'>>(options: Options) {
  return { ...namedModel(options.model), ...options };
}

/**
 * Whose model it is, and by which API it is asked: of a name such as `openai:gpt-5` or `anthropic/claude-sonnet-4`, or of
 * a model of the AI SDK.
 */
export function namedModel(model: unknown): { readonly provider?: Provider; readonly api?: Api } {
  const [host, name] = isObject(model) ? [model['provider'], model['modelId']] : namesIn(model);
  if (typeof host !== 'string' || typeof name !== 'string') return {};
  const provider = providerOfModel({ host, model: name });
  const [, api] = /\.(chat|completion|responses)\b/.exec(host) ?? [];
  return { ...(provider && { provider }), ...(api && { api: api === 'responses' ? api : 'completions' }) };
}

function namesIn(model: unknown): readonly unknown[] {
  if (typeof model !== 'string') return [];
  const [, host = '', name = model] = /^([\w-]+)[:/](.*)$/.exec(model) ?? [];
  return [host, name];
}

/** True if a model sees an image in the answer of a tool. Nobody knows it of an unknown one, which gets the image. */
export function seesMedia(provider: Provider | undefined, api: Api | undefined): boolean {
  const { seesMedia: sees } = provider === undefined ? { seesMedia: true } : traitsOf(provider);
  return sees === true || (sees !== undefined && sees === api);
}
