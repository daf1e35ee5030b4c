import type { INodeExecutionData } from 'n8n-workflow';
import type { ResourceContents } from '../../../src/internal.js';
import { attach, toJson } from '../../items.js';
import { listed, parsedText } from '../items.js';
import type { OperationInput } from '../operation.js';
import { chosen } from '../parameters.js';

export async function listResources(input: OperationInput): Promise<INodeExecutionData[]> {
  return listed(input, 'resources', await input.session.listResources(input.options.call));
}

export async function listResourceTemplates(input: OperationInput): Promise<INodeExecutionData[]> {
  return listed(input, 'resource templates', await input.session.listResourceTemplates(input.options.call));
}

/**
 * One item per part of the resource: text parsed where it is JSON, everything else as binary data. Parts are unchecked.
 */
export async function readResource({
  context,
  session,
  itemIndex,
  options,
}: OperationInput): Promise<INodeExecutionData[]> {
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
}
