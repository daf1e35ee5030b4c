import { isObject, type JsonObject } from '../json/index.js';
import { type Provider, providerOfModel } from '../internal.js';

/** By a chat model, what `bindTools` or `initChatModel` return, or the name that `initChatModel` takes. */
export function providerOf(model: unknown): Provider | undefined {
  if (typeof model === 'string') {
    const [, host, name] = /^([\w-]+):(.*)$/.exec(model) ?? [];
    return providerOfModel({ host, model: name ?? model });
  }
  if (!isObject(model)) return undefined;
  // What `bindTools` and `withConfig` return holds the model.
  if (isObject(model['bound'])) return providerOf(model['bound']);
  // What `initChatModel` returns loads its model when it is first used.
  const { _defaultConfig: later } = model;
  if (isObject(later))
    return providerOfModel({ host: firstText(later['modelProvider']), model: firstText(later['model']) });
  const name = firstText(model['model'], model['modelName'], model['modelId']);
  return providerOfModel({ host: classOf(model), model: name });
}

/** As LangChain names it, whatever a bundler has made of it, or somebody has called the model. */
function classOf(model: JsonObject): string | undefined {
  const { lc_name: named } = model.constructor as { lc_name?: () => unknown };
  const { getName } = model as { getName?: () => unknown };
  return firstText(named?.call(model.constructor), getName?.call(model));
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string');
}
