import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import type { CatalogueTool } from '../../src/index.js';
import { errorForPicker } from '../errors.js';
import { library } from '../library.js';
import { plainText } from '../plain-text.js';
import { refusals } from '../providers.js';
import { withEditorSession } from './session.js';

/** Lists to choose from in the editor. */
export const loadOptions = {
  async getTools(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
    return await toolChoices(this);
  },
};

/** Lists to search in the editor. */
export const listSearch = {
  async searchTools(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
    const { signature } = await library();
    const choices = (await askedTools(this)).map((tool) => ({
      // A searchable list shows nothing but names, and of these about 60 characters.
      name: [labelOf(tool), signature(tool.inputSchema, { flat: true, maxLength: 60 })].filter(Boolean).join(' · '),
      value: tool.name,
      ...(tool.description ? { description: plainText(tool.description) } : {}),
    }));
    return { results: matching(choices, filter) };
  },

  async searchPrompts(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
    return { results: matching(await promptChoices(this), filter) };
  },

  async searchResources(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
    return { results: matching(await resourceChoices(this), filter) };
  },
};

async function toolChoices(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const { signature } = await library();
  const choice = async (tool: CatalogueTool): Promise<INodePropertyOptions> => {
    const parts = [signature(tool.inputSchema, { flat: true, maxLength: 60 }), await refusedBy(tool), tool.description];
    return { name: labelOf(tool), value: tool.name, description: plainText(parts.filter(Boolean).join(' · ')) };
  };
  return await Promise.all((await askedTools(context)).map(choice));
}

async function refusedBy(tool: CatalogueTool): Promise<string> {
  const providers = [...new Set((await refusals(tool)).map(({ name }) => name))];
  return providers.length === 0 ? '' : `refused by ${providers.join(', ')}`;
}

async function askedTools(context: ILoadOptionsFunctions): Promise<readonly CatalogueTool[]> {
  return await asked(context, async () => (await withEditorSession(context, (session) => session.listTools())).tools);
}

async function promptChoices(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const prompts = await asked(context, () => withEditorSession(context, (session) => session.listPrompts()));
  return choosable(prompts, 'name').map((prompt) => ({
    name: labelOf(prompt),
    value: prompt.name,
    ...(typeof prompt.description === 'string' ? { description: plainText(prompt.description) } : {}),
  }));
}

async function resourceChoices(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const resources = await asked(context, () => withEditorSession(context, (session) => session.listResources()));
  return choosable(resources, 'uri').map(({ uri, title, name, mimeType }) => ({
    name: [[title, name, uri].find(isText), mimeType].filter(isText).join(' · '),
    value: uri,
    description: plainText(uri),
  }));
}

/** These lists are as the server sent them: an entry that is none must not keep the others from being chosen. */
function choosable<T extends object>(entries: readonly T[], key: keyof T): T[] {
  return entries.filter((entry: T | null) => isText(entry?.[key]));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function labelOf({ name, title }: { name: string; title?: unknown }): string {
  return isText(title) && title !== name ? `${title} (${name})` : name;
}

async function asked<T>(context: ILoadOptionsFunctions, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw errorForPicker(context.getNode(), error);
  }
}

function matching(choices: INodePropertyOptions[], filter = ''): INodePropertyOptions[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ name, description }) => {
    const text = `${name} ${description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
