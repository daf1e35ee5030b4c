import type { INodeExecutionData } from 'n8n-workflow';
import type { ResourceContents } from '../../src/internal.js';
import { textOf } from '../collection.js';
import { attach, toJson } from '../items.js';
import { listed, type Operation, parsedText } from './operation.js';
import { argumentsIn, chosen } from './parameters.js';

export const listResources: Operation = async (input) =>
  listed(input, 'resources', await input.session.listResources(input.options.call));

export const listResourceTemplates: Operation = async (input) =>
  listed(input, 'resource templates', await input.session.listResourceTemplates(input.options.call));

/**
 * One item per part of the resource: text parsed where it is JSON, everything else as binary data. Parts are unchecked.
 */
export const readResource: Operation = async ({ context, session, itemIndex, options }) => {
  const uri = chosen(context, 'uri', itemIndex, 'resource');
  const parts = await session.readResource(uri, options.call);
  return await Promise.all(
    parts.map(async (whole: ResourceContents | null) => {
      const { blob, ...part }: Partial<ResourceContents> = whole ?? { data: null };
      const item: INodeExecutionData = { json: toJson(part) };
      const data = typeof part.text === 'string' ? parsedText(part.text, part.mimeType) : undefined;
      if (typeof data === 'object') item.json.data = data;
      if (typeof blob === 'string') await attach(context, item, blob, part.mimeType, part.uri ?? uri);
      return item;
    }),
  );
};

export const listPrompts: Operation = async (input) =>
  listed(input, 'prompts', await input.session.listPrompts(input.options.call));

/** The prompt with its arguments filled in by the server, as it came. */
export const getPrompt: Operation = async ({ context, session, itemIndex, options }) => {
  const name = chosen(context, 'prompt', itemIndex, 'prompt');
  const given = Object.entries<unknown>({ ...argumentsIn(context.getNodeParameter('arguments', itemIndex, '{}')) });
  const args = given.filter(([, value]) => value !== undefined && value !== null);
  const texts = Object.fromEntries(args.map(([key, value]) => [key, textOf(value)]));
  return [{ json: toJson(await session.getPrompt(name, texts, options.call)) }];
};
