import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { cut, nestsDeeper, parseJson, replaceLostNumbers } from '../src/json/index.js';
import { nodeError } from './errors.js';
import type { RunContext } from './host/execution.js';

/** A deep copy, because n8n and expressions write into items. Copying by text keeps even `__proto__`. */
export function toJson(value: object): IDataObject {
  if (nestsDeeper(value, deepest))
    throw new Error(`The server sent JSON of more than ${deepest} levels in one another. n8n could not read it again.`);
  return JSON.parse(JSON.stringify(value)) as IDataObject; // an object goes in, its JSON comes out
}

/** Parses JSON for an item. Numbers that JavaScript would change become text. */
export function exactJson(text: string): unknown {
  const isKept = (written: string) => /[.eE]/.test(written) && Number.isFinite(Number(written));
  return parseJson(replaceLostNumbers(text, (written) => (isKept(written) ? written : JSON.stringify(written))));
}

/** n8n cannot open an execution with JSON of some thousand levels ("Found corrupted execution data"). */
export const deepest = 500;

/**
 * The results of every item, in order. An item that fails is an error item if the node continues on errors.
 *
 * @param explain makes the error with which the node fails otherwise
 */
export async function forEachItem(
  context: IExecuteFunctions,
  work: (itemIndex: number, item: INodeExecutionData) => Promise<INodeExecutionData[]>,
  explain: (error: unknown, itemIndex: number, item: INodeExecutionData) => Error,
): Promise<INodeExecutionData[][]> {
  const results: INodeExecutionData[] = [];
  for (const [itemIndex, item] of context.getInputData().entries()) {
    try {
      results.push(...(await work(itemIndex, item)));
    } catch (error) {
      if (!context.continueOnFail()) throw explain(error, itemIndex, item);
      // n8n sends an item with only these keys to the error output. An attached error would lose its description.
      const { message, description } = nodeError(context.getNode(), error);
      const json = { error: message, ...(description ? { message: description } : {}) };
      results.push({ json, pairedItem: { item: itemIndex } });
    }
  }
  return [results];
}

export async function attach(
  context: RunContext,
  item: INodeExecutionData,
  base64: string,
  mimeType: unknown,
  uri?: string,
): Promise<string> {
  const binary = (item.binary ??= {});
  const count = Object.keys(binary).length;
  const property = count === 0 ? 'data' : `data_${count}`;
  const type = typeof mimeType === 'string' && mediaType.test(mimeType) ? mimeType : undefined;
  const fileName = uri === undefined ? `${property}${extension(type)}` : lastSegment(uri);
  binary[property] = await context.helpers.prepareBinaryData(Buffer.from(base64, 'base64'), fileName, type);
  return property;
}

/** RFC 9110, 8.3.1, without line breaks: n8n sends it as a header when somebody opens the file. */
const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:\s*;[\t -~]*)?$/;

function extension(mimeType: string | undefined): string {
  const subtype = mimeType?.split(/[/;+]/)[1];
  if (subtype === undefined || !/^[\w-]+(\.[\w-]+)*$/.test(subtype)) return '';
  return `.${subtype === 'mpeg' ? 'mp3' : subtype}`;
}

/** A file name that is safe as a path: no invisible characters, no leading dots, no leading `=`. */
function lastSegment(uri: string): string {
  const segments = uri.replace(/[?#][^]*/, '').split(/[/\\:]/);
  const segment = segments.filter(Boolean).at(-1) ?? '';
  return cut(segment.replace(/[\p{Cc}\p{Cf}]/gu, '').replace(/^[.=\s]+/, ''), 200) || 'data';
}
