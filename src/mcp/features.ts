import type { Connection } from './connection.js';
import { ProtocolError } from './errors.js';
import { readAllPages } from './pages.js';
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

type Current = () => Connection;

/** What a server offers besides tools: data that can be read. */
export function resources(
  ask: Requester,
  limits: ListLimits,
  current: Current,
): Pick<Session, 'listResources' | 'listResourceTemplates' | 'readResource'> {
  return {
    // What is named in the types is checked by nobody: the entries are handed on as they came.
    listResources: (options = {}) => list('resources/list', 'resources', options) as Promise<readonly Resource[]>,
    listResourceTemplates: (options = {}) =>
      list('resources/templates/list', 'resourceTemplates', options) as Promise<readonly ResourceTemplate[]>,
    async readResource(uri, options = {}) {
      const { contents } = await ask('resources/read', { uri }, { ...options, retryWhenBusy: true });
      if (!Array.isArray(contents)) throw new ProtocolError('The answer to resources/read has no list "contents".');
      return contents as ResourceContents[];
    },
  };

  async function list(method: string, key: string, options: object): Promise<readonly unknown[]> {
    if (!offers(current(), 'resources')) return [];
    return readAllPages(method, key, (params) => ask(method, params, { ...options, retryWhenBusy: true }), limits);
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
      if (!offers(current(), 'prompts')) return [];
      const page = (params: Record<string, unknown>) =>
        ask('prompts/list', params, { ...options, retryWhenBusy: true });
      return (await readAllPages('prompts/list', 'prompts', page, limits)) as Prompt[];
    },
    async getPrompt(name, args, options = {}) {
      const result = await ask('prompts/get', { name, ...(args && { arguments: args }) }, options);
      if (!Array.isArray(result['messages']))
        throw new ProtocolError('The answer to prompts/get has no list "messages".');
      return result as PromptResult;
    },
  };
}

/** Suggestions while a form is filled in. */
export function completions(ask: Requester, current: Current): Pick<Session, 'complete'> {
  return {
    async complete(reference, argument, { context, ...options } = {}) {
      if (!offers(current(), 'completions')) return { values: [] };
      const params = { ref: reference, argument, ...(context && { context: { arguments: context } }) };
      const { completion } = await ask('completion/complete', params, options);
      const { values, total, hasMore } = (completion ?? {}) as Record<string, unknown>;
      return {
        values: Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [],
        ...(typeof total === 'number' && { total }),
        ...(typeof hasMore === 'boolean' && { hasMore }),
      };
    },
  };
}

function offers({ handshake }: Connection, capability: string): boolean {
  return capability in handshake.capabilities;
}
