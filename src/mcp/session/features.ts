import { ConfigurationError } from '../../json/index.js';
import { isObject, quote, type JsonObject } from '../../json/index.js';
import { ProtocolError, ServerError } from '../errors/errors.js';
import { definedParams } from '../wire/defined-members.js';
import { wireSlice } from '../wire/wire-text.js';
import { readAllPages } from './pages.js';
import type { Requester } from './requests.js';
import { checkRequest, readOptions, type ListLimits, type Prompt, type PromptResult } from './session.js';
import type { Resource, ResourceContents, ResourceTemplate, Session } from './session.js';

type Features = Pick<
  Session,
  | ('listResources' | 'listResourceTemplates' | 'readResource')
  | ('listPrompts' | 'getPrompt' | 'complete' | 'request' | 'notify')
>;

export function features(
  ask: Requester,
  limits: ListLimits,
  capabilities: () => JsonObject,
  notify: (method: string, params: JsonObject) => Promise<void>,
): Features {
  return {
    async listResources(options = {}) {
      checkRequest('listResources', options);
      return (await list('resources', 'resources/list', 'resources', options)) as Resource[]; // as they came
    },
    async listResourceTemplates(options = {}) {
      checkRequest('listResourceTemplates', options);
      const templates = list('resources', 'resources/templates/list', 'resourceTemplates', options);
      return (await templates.catch((error: unknown) => {
        // A capability for resources says nothing of templates. The code is JSON-RPC's for an unknown method.
        if (error instanceof ServerError && error.rpcCode === -32601) return [];
        throw error;
      })) as ResourceTemplate[]; // as they came
    },
    async readResource(uri, options = {}) {
      checkRequest('readResource', options);
      const { contents } = (await ask('resources/read', { uri }, readOptions(options))).result;
      if (!Array.isArray(contents)) throw new ProtocolError('The answer to resources/read has no list "contents".');
      return contents as ResourceContents[]; // as they came
    },
    async listPrompts(options = {}) {
      checkRequest('listPrompts', options);
      return (await list('prompts', 'prompts/list', 'prompts', options)) as Prompt[]; // as they came
    },
    async getPrompt(name, args, options = {}) {
      checkRequest('getPrompt', options);
      const { result } = await ask('prompts/get', { name, ...(args && { arguments: args }) }, readOptions(options));
      if (!Array.isArray(result['messages']))
        throw new ProtocolError('The answer to prompts/get has no list "messages".');
      return result as PromptResult; // as it came
    },
    async complete(reference, argument, given = {}) {
      checkRequest('complete', given);
      const { context, ...options } = given;
      if (!('completions' in capabilities())) return { values: [] };
      const params = { ref: reference, argument, ...(context && { context: { arguments: context } }) };
      const { result } = await ask('completion/complete', params, options);
      const { values, total, hasMore } = isObject(result['completion']) ? result['completion'] : {};
      return {
        values: Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [],
        ...(typeof total === 'number' && { total }),
        ...(typeof hasMore === 'boolean' && { hasMore }),
      };
    },
    async request(method, params = {}, options = {}) {
      checkRequest('request', options);
      checkMessage('request', method, params);
      const { result, wire } = await ask(method, params, readOptions(options));
      return { result, text: wireSlice(wire, ['result']) ?? '{}' };
    },
    async notify(method, params = {}) {
      checkMessage('notify', method, params);
      await notify(method, params);
    },
  };

  async function list(capability: string, method: string, key: string, options: object): Promise<unknown[]> {
    if (!(capability in capabilities())) return [];
    const page = (params: JsonObject) => ask(method, params, { ...options, mayRepeat: true });
    return readAllPages(method, key, page, limits, (pages) => pages.flatMap(({ entries }) => entries));
  }
}

function checkMessage(name: string, method: unknown, params: unknown): void {
  if (typeof method !== 'string' || method === '') throw new ConfigurationError(`${name} needs the name of a method.`);
  if (!isObject(params)) throw new ConfigurationError(`The params of ${name} have to be an object.`);
  const { others } = definedParams(method, params);
  if (method === 'tools/call' && others.length > 0)
    throw new ConfigurationError(
      `MCP does not define this of tools/call: ${others.map((each) => quote(each)).join(', ')}.`,
    );
}
