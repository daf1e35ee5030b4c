import { isObject, type JsonObject } from '../../json/index.js';
import { wireSlice } from '../wire/wire-text.js';
import type { Connection } from '../connection/connection.js';
import { IncompleteListError, ProtocolError, ServerError } from '../errors/errors.js';
import { readAllPages, type Page } from './pages.js';
import { checkRequest, readOptions } from './request-options.js';
import type { Requester } from './requests.js';
import type {
  ListLimits,
  Prompt,
  PromptResult,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Session,
} from './session.js';

type Current = () => { readonly handshake: Pick<Connection['handshake'], 'capabilities'> };

/** What a server has besides tools: data that can be read. */
export function resources(
  ask: Requester,
  limits: ListLimits,
  current: Current,
): Pick<Session, 'listResources' | 'listResourceTemplates' | 'readResource'> {
  return {
    // What is named in the types is checked by nobody: the entries are handed on as they came.
    async listResources(options = {}) {
      checkRequest('listResources', options);
      return (await list('resources/list', 'resources', options)) as Resource[];
    },
    async listResourceTemplates(options = {}) {
      checkRequest('listResourceTemplates', options);
      try {
        return (await list('resources/templates/list', 'resourceTemplates', options)) as ResourceTemplate[];
      } catch (error) {
        // A capability for resources says nothing of templates.
        if (error instanceof ServerError && error.rpcCode === methodNotFound) return [];
        throw error;
      }
    },
    async readResource(uri, options = {}) {
      checkRequest('readResource', options);
      const { result } = await ask('resources/read', { uri }, readOptions(options));
      const { contents } = result;
      if (!Array.isArray(contents)) throw new ProtocolError('The answer to resources/read has no list "contents".');
      return contents as ResourceContents[]; // handed on as they came
    },
  };

  async function list(method: string, key: string, options: object): Promise<readonly unknown[]> {
    return has(current(), 'resources') ? entriesOf(method, key, ask, limits, options) : [];
  }
}

/** Messages that a server has ready for a model. */
export function prompts(
  ask: Requester,
  limits: ListLimits,
  current: Current,
): Pick<Session, 'listPrompts' | 'getPrompt'> {
  return {
    async listPrompts(options = {}) {
      checkRequest('listPrompts', options);
      if (!has(current(), 'prompts')) return [];
      return (await entriesOf('prompts/list', 'prompts', ask, limits, options)) as Prompt[]; // handed on as they came
    },
    async getPrompt(name, args, options = {}) {
      checkRequest('getPrompt', options);
      const { result } = await ask('prompts/get', { name, ...(args && { arguments: args }) }, readOptions(options));
      if (!Array.isArray(result['messages']))
        throw new ProtocolError('The answer to prompts/get has no list "messages".');
      return result as PromptResult; // its messages are a list; they are handed on as they came
    },
  };
}

/** Suggestions while a form is filled in. */
export function completions(ask: Requester, current: Current): Pick<Session, 'complete'> {
  return {
    async complete(reference, argument, given = {}) {
      checkRequest('complete', given);
      const { context, ...options } = given;
      if (!has(current(), 'completions')) return { values: [] };
      const params = { ref: reference, argument, ...(context && { context: { arguments: context } }) };
      const { result } = await ask('completion/complete', params, options);
      const { values, total, hasMore } = isObject(result['completion']) ? result['completion'] : {};
      return {
        values: Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [],
        ...(typeof total === 'number' && { total }),
        ...(typeof hasMore === 'boolean' && { hasMore }),
      };
    },
  };
}

/** JSON-RPC 2.0, 5.1. */
const methodNotFound = -32601;

/** What has no method of its own in a session. */
export function messages(
  ask: Requester,
  notify: (method: string, params: JsonObject) => Promise<void>,
): Pick<Session, 'request' | 'notify'> {
  return {
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
}

function checkMessage(name: string, method: unknown, params: unknown): void {
  if (typeof method !== 'string' || method === '') throw new TypeError(`${name} needs the name of a method.`);
  if (!isObject(params)) throw new TypeError(`The params of ${name} have to be an object.`);
}

/** The entries of all pages, or in an error those of the pages that were read. */
async function entriesOf(
  method: string,
  key: string,
  ask: Requester,
  limits: ListLimits,
  options: object,
): Promise<unknown[]> {
  const all = (pages: readonly Page[]) => pages.flatMap(({ entries }) => entries);
  try {
    return all(
      await readAllPages(method, key, (params) => ask(method, params, { ...options, mayRepeat: true }), limits),
    );
  } catch (error) {
    if (!(error instanceof IncompleteListError)) throw error;
    throw Object.assign(error, { partial: all(error.partial as Page[]) }); // as readAllPages throws it
  }
}

function has({ handshake }: ReturnType<Current>, capability: string): boolean {
  return capability in handshake.capabilities;
}
