import { isObject, type JsonObject, valueAt } from '../json/index.js';
import { type Api, type Provider, providerOfModel, seesMedia } from '../internal.js';

/** The provider of a chat model, of a result of `bindTools` or `initChatModel`, or of a name for `initChatModel`. */
export function providerOf(model: unknown): Provider | undefined {
  if (typeof model === 'string') {
    const [, host, name] = /^([\w-]+):(.*)$/.exec(model) ?? [];
    return providerOfModel({ host, model: name ?? model });
  }
  if (!isObject(model)) return undefined;
  // The results of `bindTools` and `withConfig` hold the model.
  if (isObject(model['bound'])) return providerOf(model['bound']);
  // The result of `initChatModel` loads its model when it is first used.
  const { _defaultConfig: later } = model;
  if (isObject(later))
    return providerOfModel({
      host: firstText(later['modelProvider']),
      model: firstText(later['model']),
      baseUrl: valueAt(later, '/configuration/baseURL'),
    });
  const name = firstText(model['model'], model['modelName'], model['modelId']);
  return providerOfModel({ host: classOf(model), model: name, baseUrl: valueAt(model, '/clientConfig/baseURL') });
}

/** The API that a LangChain model uses, if it has two. */
export function apiOf(model: unknown): Api | undefined {
  if (typeof model === 'string') return apiOfName(model);
  if (!isObject(model)) return undefined;
  if (isObject(model['bound'])) return apiOf(model['bound']);
  const { _defaultConfig: later, useResponsesApi } = model;
  if (isObject(later)) return later['useResponsesApi'] === true ? 'responses' : apiOf(later['model']);
  const name = classOf(model) ?? '';
  if (!/openai|xai/i.test(name)) return undefined;
  if (useResponsesApi === true || /responses/i.test(name)) return 'responses';
  // `ChatOpenAI` alone chooses by the name; the classes that extend it have one API each.
  return /^(azure)?chatopenai$/i.test(name) ? apiOfName(firstText(model['model']) ?? '') : 'completions';
}

/** Models for which @langchain/openai uses Responses (1.6, `_modelPrefersResponsesAPI`). */
function apiOfName(name: string): Api {
  return /gpt-5\.[245]-pro|gpt-5\.6|codex/.test(name) ? 'responses' : 'completions';
}

/** @langchain/google-genai writes the bytes of an image into a text. */
export function modelSeesMedia(provider: Provider | undefined, api: Api | undefined, model: unknown): boolean {
  if (isObject(model) && isObject(model['bound'])) return modelSeesMedia(provider, api, model['bound']);
  if (isObject(model) && classOf(model) === 'ChatGoogleGenerativeAI') return false;
  return seesMedia(provider, api);
}

/** LangChain's name for the class, even if a bundler or the user has renamed it. */
function classOf(model: JsonObject): string | undefined {
  const { lc_name: named } = model.constructor as { lc_name?: () => unknown };
  const { getName } = model as { getName?: () => unknown };
  return firstText(named?.call(model.constructor), getName?.call(model));
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string');
}
