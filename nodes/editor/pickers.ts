import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import { type Session, signature } from '../../src/internal.js';
import { isObject, type JsonObject, listOf, shortened } from '../../src/json/index.js';
import { withEditorSession } from '../connection/session.js';
import { errorForPicker } from '../errors.js';
import { choiceAnswer, type ForEditor, searchAnswer } from './gate.js';

type Choices = (session: Session) => Promise<INodePropertyOptions[]>;

export async function listTools(context: ILoadOptionsFunctions): Promise<ForEditor<INodePropertyOptions[]>> {
  const choices = await listed(context, async (session) =>
    (await session.listTools()).tools.map((tool) => {
      const description = tool.description || signature(tool, { flat: true, maxLength: 60 });
      return { name: labelOf(tool), value: tool.name, description };
    }),
  );
  return choiceAnswer(choices);
}

export const searchTools = searched(async (session) => named((await session.listTools()).tools));

export const searchPrompts = searched(async (session) => named(await session.listPrompts()));

export const searchResources = searched(async (session) =>
  choosable(await session.listResources(), 'uri').map(({ uri, title, name, mimeType }) => ({
    name: [[title, name, uri].find(isText), mimeType].filter(isText).join(' · '),
    value: uri,
    description: uri,
  })),
);

function searched(list: Choices) {
  return async (context: ILoadOptionsFunctions, filter = ''): Promise<ForEditor<INodeListSearchResult>> => {
    const words = filter.toLowerCase().split(/\s+/);
    const choices = (await listed(context, list)).filter(({ name, description }) => {
      const text = `${name} ${description ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return searchAnswer(choices);
  };
}

async function listed(context: ILoadOptionsFunctions, list: Choices): Promise<INodePropertyOptions[]> {
  return await withEditorSession(context, list).catch((error: unknown) => {
    throw errorForPicker(context.getNode(), error);
  });
}

/**
 * Choices by name. A searchable list shows names only, so the name includes the description. The editor compares whole
 * names: it notices if another server's entry has the same name.
 */
function named(entries: readonly object[]): INodePropertyOptions[] {
  return choosable(entries, 'name').map(({ name, title, description, arguments: args }) => {
    const takes = listOf(args)
      .filter(isObject)
      .map((arg) => `${String(arg['name'])}${arg['required'] === true ? '' : '?'}`);
    const parts = [labelOf({ name, title }), takes.join(', '), description].filter(isText);
    const label = shortened(parts.join(' · ').replaceAll(/\s+/g, ' '), 300);
    return { name: label, value: name, ...(isText(description) && { description }) };
  });
}

/** Lists are as the server sent them: an entry that cannot be chosen must not keep the others from being chosen. */
function choosable<Key extends string>(entries: readonly unknown[], key: Key): (JsonObject & Record<Key, string>)[] {
  return entries.filter((entry): entry is JsonObject & Record<Key, string> => isObject(entry) && isText(entry[key]));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function labelOf({ name, title }: { name: string; title?: unknown }): string {
  return isText(title) && title !== name ? `${title} (${name})` : name;
}
