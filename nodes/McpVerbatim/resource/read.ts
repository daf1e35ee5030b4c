import type { INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { ResourceContents } from '../../../src/index.js';
import { attach, parsedText } from '../content.js';
import type { OperationInput } from '../execute.js';
import { toJson } from '../json.js';

/** One item per part of the resource: text parsed where it is JSON, everything else as binary data. Parts are unchecked. */
export async function readResource({
  context,
  session,
  itemIndex,
  options,
}: OperationInput): Promise<INodeExecutionData[]> {
  const uri = String(context.getNodeParameter('uri', itemIndex, '', { extractValue: true }) ?? '').trim();
  if (uri === '') {
    throw new NodeOperationError(context.getNode(), 'No resource is chosen', {
      description: 'Choose the resource to read, or give its address (URI).',
      itemIndex,
    });
  }
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
