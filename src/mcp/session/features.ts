import { ConfigurationError, isObject, type JsonObject, quote } from '../../json/index.js';
import { ProtocolError, ServerError } from '../errors/errors.js';
import { definedParams } from '../wire/defined-members.js';
import { wireSlice } from '../wire/wire-text.js';
import { readAllPages } from './pages.js';
import type { Requester } from './requests.js';
import { checkRequest, readOptions } from './session.js';
import type { ListLimits, Prompt, PromptResult, ReadOptions, RequestOptions, Resource } from './session.js';
import type { ResourceContents, ResourceTemplate, Session } from './session.js';

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
  // Lists and answers of a server are passed on unchanged.
  return {
    listResources: (options) => list('listResources', 'resources/list', 'resources', options) as Promise<Resource[]>,
    async listResourceTemplates(options) {
      const templates = list('listResourceTemplates', 'resources/templates/list', 'resourceTemplates', options);
      return (await templates.catch((error: unknown) => {
        // A capability for resources says nothing of templates. The code is JSON-RPC's for an unknown method.
        if (error instanceof ServerError && error.rpcCode === -32601) return [];
        throw error;
      })) as ResourceTemplate[];
    },
    async readResource(uri, options) {
      const { result } = await read('readResource', 'resources/read', { uri }, options);
      return listIn(result, 'contents', 'resources/read') as ResourceContents[];
    },
    listPrompts: (options) => list('listPrompts', 'prompts/list', 'prompts', options) as Promise<Prompt[]>,
    async getPrompt(name, args, options) {
      const { result } = await read('getPrompt', 'prompts/get', { name, ...(args && { arguments: args }) }, options);
      listIn(result, 'messages', 'prompts/get');
      return result as PromptResult;
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
    async request(method, params = {}, options) {
      checkMessage('request', method, params);
      const { result, wire } = await read('request', method, params, options);
      return { result, text: wireSlice(wire, ['result']) ?? '{}' };
    },
    async notify(method, params = {}) {
      checkMessage('notify', method, params);
      await notify(method, params);
    },
  };

  async function read(name: string, method: string, params: JsonObject, options: ReadOptions = {}) {
    checkRequest(name, options);
    return ask(method, params, readOptions(options));
  }

  async function list(name: string, method: string, key: string, options: RequestOptions = {}): Promise<unknown[]> {
    checkRequest(name, options);
    const [capability = ''] = method.split('/');
    if (!(capability in capabilities())) return [];
    const page = (params: JsonObject) => ask(method, params, { ...options, mayRepeat: true });
    return readAllPages(method, key, page, limits, (pages) => pages.flatMap(({ entries }) => entries));
  }
}

function listIn(result: JsonObject, key: string, method: string): unknown[] {
  if (Array.isArray(result[key])) return result[key];
  throw new ProtocolError(`The answer to ${method} has no list "${key}".`);
}

function checkMessage(name: string, method: unknown, params: unknown): void {
  if (typeof method !== 'string' || method === '') throw new ConfigurationError(`${name} needs the name of a method.`);
  if (!isObject(params)) throw new ConfigurationError(`The params of ${name} have to be an object.`);
  const others = method === 'tools/call' ? definedParams(method, params).others : [];
  const unknown = others.map((each) => quote(each)).join(', ');
  if (unknown !== '') throw new ConfigurationError(`MCP does not define this of tools/call: ${unknown}.`);
}
