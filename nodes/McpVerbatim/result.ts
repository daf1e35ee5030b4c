import { isDeepStrictEqual } from 'node:util';
import type { GenericValue, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { blockBytes, ReadResult, type ToolResult, unansweredLines } from '../../src/internal.js';
import { filtered, isObject, nestsDeeper } from '../../src/json/index.js';
import { hintList } from '../hints.js';
import { attach, deepest, exactJson, toJson } from '../items.js';

/**
 * The item is the structured content. Without it, a single text is the item (its JSON, or `text`), and several blocks
 * are `content`. Images, audio and files are binary data. `serverAsked` lists questions that got no answer.
 */
export async function resultItem(
  context: IExecuteFunctions,
  tool: string,
  result: ToolResult,
): Promise<INodeExecutionData> {
  const item: INodeExecutionData = { json: {} };
  const blocks: IDataObject[] = [];
  const exact = result.rawText === undefined ? undefined : exactJson(result.rawText);
  const { content, structuredContent } = isObject(exact) ? new ReadResult(exact) : result;
  for (const block of content) blocks.push(await readBlock(context, item, toJson(block)));
  item.json = structuredContent === undefined ? json(blocks) : structured(context, tool, structuredContent, blocks);
  const unanswered = unansweredLines(result.asked);
  if (unanswered.length > 0) item.json = { ...item.json, serverAsked: unanswered };
  return item;
}

function structured(
  context: IExecuteFunctions,
  tool: string,
  content: unknown,
  blocks: readonly IDataObject[],
): IDataObject {
  const item = toJson(isObject(content) ? content : { data: content });
  const left = blocks
    .filter((block) => !isAttached(block) && !repeats(block, content))
    .map(({ type }) => (typeof type === 'string' ? type : 'unknown'));
  const what = `"${tool}" returned more than the structured content, which is the output. The option "Raw Result" returns everything`;
  hintList(context, 'info', what, left);
  return item;
}

function json(blocks: IDataObject[]): IDataObject {
  const [only, ...others] = blocks;
  if (only === undefined) return {};
  if (others.length > 0 || only.type !== 'text') return { content: blocks };
  if (isObject(only.data)) return only.data as IDataObject; // JSON of the server
  return only.data === undefined ? { text: only.text } : { data: only.data };
}

/** Servers repeat structured content as text for older clients, or one of its members if that is a text. */
function repeats({ type, data, text }: IDataObject, structured: unknown): boolean {
  const isMember = isObject(structured) && Object.values(structured).includes(text);
  return type === 'text' && (isMember || isDeepStrictEqual(data, structured));
}

function isAttached({ binary, resource }: IDataObject): boolean {
  return binary !== undefined || (isObject(resource) && resource['binary'] !== undefined);
}

async function readBlock(
  context: IExecuteFunctions,
  item: INodeExecutionData,
  block: IDataObject,
): Promise<IDataObject> {
  if (block.type === 'text' && typeof block.text === 'string') {
    const data = parsedText(block.text);
    return data === block.text ? block : { ...block, data };
  }
  const bytes = blockBytes({ type: 'unknown', ...block });
  if (!bytes) return block;
  const resource = isObject(block.resource) ? block.resource : {};
  const uri = typeof resource['uri'] === 'string' ? resource['uri'] : undefined;
  const binary = await attach(context, item, bytes.data, bytes.mimeType, uri);
  if (block.type !== 'resource') return { ...filtered(block, (name) => name !== 'data'), binary };
  return { ...block, resource: { ...filtered(resource, (name) => name !== 'blob'), binary } };
}

/** Parses JSON objects and lists if an item can hold them; other text is returned as it is. */
export function parsedText(text: string, mimeType?: unknown): GenericValue | IDataObject | IDataObject[] {
  const looksLikeJson = /^\s*[[{]/.test(text) || (typeof mimeType === 'string' && /\bjson\b/.test(mimeType));
  const parsed = looksLikeJson ? exactJson(text) : undefined;
  const isTooDeep = typeof parsed === 'object' && parsed !== null && nestsDeeper(parsed, deepest);
  return parsed === undefined || isTooDeep ? text : parsed; // of JSON
}
