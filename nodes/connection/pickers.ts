import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import { type CatalogueTool, signature } from '../../src/internal.js';
import { shortened } from '../../src/json/index.js';
import { choiceAnswer, type ForEditor, searchAnswer } from '../editor/gate.js';
import { errorForPicker } from '../errors.js';
import { refusals } from '../providers.js';
import { schemaFaults } from '../schema-faults.js';
import { withEditorSession } from './session.js';

/** The tools to choose several from, each with what it takes and which providers refuse it. */
export async function listTools(context: ILoadOptionsFunctions): Promise<ForEditor<INodePropertyOptions[]>> {
  const choices = (await askedTools(context)).map((tool) => {
    const takes = signature(tool, { flat: true, maxLength: 60 });
    const parts = [takes, faultsOf(tool), refusedBy(tool), tool.description];
    return { name: labelOf(tool), value: tool.name, description: parts.filter(Boolean).join(' · ') };
  });
  return choiceAnswer(choices);
}

function faultsOf({ inputSchema }: CatalogueTool): string {
  return schemaFaults(inputSchema).length === 0 ? '' : 'its schema has errors';
}

function named(...parts: (string | undefined)[]): string {
  return shortened(parts.filter(isText).join(' · ').replaceAll(/\s+/g, ' '), 300);
}

function refusedBy(tool: CatalogueTool): string {
  const providers = [...new Set(refusals(tool).map(({ name }) => name))];
  return providers.length === 0 ? '' : `refused by ${providers.join(', ')}`;
}

export async function searchTools(
  context: ILoadOptionsFunctions,
  filter?: string,
): Promise<ForEditor<INodeListSearchResult>> {
  const choices = (await askedTools(context)).map((tool) => ({
    // A searchable list shows nothing but names, and a field that holds a choice about 30 characters of one. The editor
    // keeps the whole of it, and sees by it that another server has another tool of this name.
    name: named(labelOf(tool), faultsOf(tool), tool.description),
    value: tool.name,
    ...(tool.description ? { description: tool.description } : {}),
  }));
  return searchAnswer(matching(choices, filter));
}

async function askedTools(context: ILoadOptionsFunctions): Promise<readonly CatalogueTool[]> {
  return await asked(context, async () => (await withEditorSession(context, (session) => session.listTools())).tools);
}

export async function searchPrompts(
  context: ILoadOptionsFunctions,
  filter?: string,
): Promise<ForEditor<INodeListSearchResult>> {
  const prompts = await asked(context, () => withEditorSession(context, (session) => session.listPrompts()));
  const choices = choosable(prompts, 'name').map((prompt) => ({
    name: named(labelOf(prompt), isText(prompt.description) ? prompt.description : undefined),
    value: prompt.name,
    ...(typeof prompt.description === 'string' ? { description: prompt.description } : {}),
  }));
  return searchAnswer(matching(choices, filter));
}

export async function searchResources(
  context: ILoadOptionsFunctions,
  filter?: string,
): Promise<ForEditor<INodeListSearchResult>> {
  const resources = await asked(context, () => withEditorSession(context, (session) => session.listResources()));
  const choices = choosable(resources, 'uri').map(({ uri, title, name, mimeType }) => ({
    name: [[title, name, uri].find(isText), mimeType].filter(isText).join(' · '),
    value: uri,
    description: uri,
  }));
  return searchAnswer(matching(choices, filter));
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
