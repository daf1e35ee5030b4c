import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import { nodeError } from '../errors.js';
import { library } from '../library.js';
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
    return { results: matching(await toolChoices(this), filter) };
  },

  async searchPrompts(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
    return { results: matching(await promptChoices(this), filter) };
  },
};

async function toolChoices(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const { signature } = await library();
  return await asked(context, async () => {
    const { tools } = await withEditorSession(context, (session) => session.listTools());
    return tools.map(({ name, title, description, inputSchema }) => ({
      name: title === undefined || title === name ? name : `${title} (${name})`,
      value: name,
      description: [signature(inputSchema), description].filter(Boolean).join(' — '),
    }));
  });
}

async function promptChoices(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return await asked(context, async () => {
    const prompts = await withEditorSession(context, (session) => session.listPrompts());
    return prompts.map((prompt) => ({
      name: typeof prompt.title === 'string' && prompt.title !== prompt.name ? `${prompt.title} (${prompt.name})` : prompt.name,
      value: prompt.name,
      ...(typeof prompt.description === 'string' ? { description: prompt.description } : {}),
    }));
  });
}

async function asked<T>(context: ILoadOptionsFunctions, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw nodeError(context.getNode(), error);
  }
}

function matching(choices: INodePropertyOptions[], filter = ''): INodePropertyOptions[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ name, description }) => {
    const text = `${name} ${description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
