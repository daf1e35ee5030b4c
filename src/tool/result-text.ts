import { bytesOf, ConfigurationError, equals, isObject, jsonText, lostNumbersIn, parseJson } from '../json/index.js';
import { sizeText, visibleLine } from '../json/index.js';
import { blockJson, type ContentBlock, linesBeside, type ToolResult } from '../mcp/index.js';
import { leastResultLength, shortenedAnswers } from './shortened-answer.js';

/**
 * A tool's whole result as text for a model. Every block appears: blocks that are not text are described, unknown ones
 * are shown as the received JSON. Structured content is added unless a text block says the same, and so are
 * questions of the server that nobody could answer, so that the model can tell the user.
 *
 * ```ts
 * resultText({ content: [{ type: 'text', text: 'Found 2.' }], isError: false, raw: {} }); // => 'Found 2.'
 * ```
 *
 * @param longest characters of the text at most, notices included, from 200 on; see `shortenedAnswer`. Default: no limit
 * @throws ConfigurationError if `longest` is below 200
 */
export function resultText(result: ToolResult, longest = Infinity): string {
  const parts = result.content.map(blockText).filter((text) => text !== '');
  const structured = structuredText(result);
  if (structured !== undefined) parts.push(structured);
  if (parts.length === 0)
    parts.push(result.isError ? 'The tool reported an error without details.' : 'The tool returned no content.');
  return textsOf(result, parts, longest)
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The texts of a result, and a last one for this library's own lines, which are cut last. */
function textsOf(result: ToolResult, texts: readonly string[], longest: number): string[] {
  if (!(longest >= leastResultLength))
    throw new ConfigurationError(`The text of a result may be limited to ${leastResultLength} characters or more.`);
  const [beside = '', ...others] = shortenedAnswers([linesBeside(result).join('\n\n'), ...texts], longest);
  return [...others, beside];
}

/** Structured content as its server wrote it, unless a text block says the same. */
export function structuredText({ content, structuredContent, structuredText }: ToolResult): string | undefined {
  if (structuredContent === undefined) return undefined;
  const json = structuredText ?? jsonText(structuredContent);
  const texts = content.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  return texts.some((text) => saysTheSame(text, structuredContent, json)) ? undefined : json;
}

/** The Base64 bytes of an image, a sound or an embedded resource, and the type that the server gives them, if any. */
export function blockBytes(block: ContentBlock): { data: string; mimeType: string | undefined } | undefined {
  const { type } = block;
  const resource = type === 'resource' && isObject(block['resource']) ? block['resource'] : undefined;
  const data = type === 'image' || type === 'audio' ? block['data'] : resource?.['blob'];
  if (typeof data !== 'string') return undefined;
  // Some servers send a whole data URI (RFC 2397).
  const [prefix = '', uriType, isBase64] = /^\s*data:([^;,]*)[^,]*?(;base64)?,/i.exec(data) ?? [];
  const { mimeType = uriType } = resource ?? block;
  const content = data.slice(prefix.length);
  return {
    data: prefix === '' || isBase64 ? content : base64OfUri(content),
    mimeType: typeof mimeType === 'string' ? mimeType : undefined,
  };
}

function base64OfUri(content: string): string {
  const octets = content.replace(/%([\da-f]{2})|[^\0-\x7f]/giu, (character, hex?: string) =>
    String.fromCharCode(...(hex === undefined ? bytesOf(character) : [Number.parseInt(hex, 16)])),
  );
  return btoa(octets);
}

/** A block as text; bytes are described. */
export function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return typeof block['text'] === 'string' ? block['text'] : unknownText(block);
    case 'image':
    case 'audio':
      return mediaText(block);
    case 'resource':
      return resourceText(block) ?? unknownText(block);
    case 'resource_link':
      return typeof block['uri'] === 'string' ? linkText(block) : unknownText(block);
    default:
      return unknownText(block);
  }
}

function mediaText(block: ContentBlock): string {
  const bytes = blockBytes(block);
  if (!bytes) return unknownText(block);
  return `[${block.type}: ${visibleLine(bytes.mimeType ?? 'unknown type')}, ${sizeText(base64Bytes(bytes.data))}]`;
}

function resourceText(block: ContentBlock): string | undefined {
  const { uri, mimeType, text } = isObject(block['resource']) ? block['resource'] : {};
  const about = [textOr(uri, 'without URI'), ...(typeof mimeType === 'string' ? [mimeType] : [])].map(visibleLine);
  if (typeof text === 'string') return `[resource: ${about.join(', ')}]\n${text}`;
  const bytes = blockBytes(block);
  return bytes && `[resource: ${[...about, sizeText(base64Bytes(bytes.data))].join(', ')}]`;
}

function linkText({ uri, name, title, mimeType, size, description }: Readonly<Record<string, unknown>>): string {
  const texts = [textOr(title, textOr(name, '')), textOr(uri, ''), textOr(mimeType, '')];
  const about = [...texts, typeof size === 'number' ? sizeText(size) : ''].filter((text) => text !== '');
  const link = `[resource link: ${visibleLine(about.join(', '))}]`;
  return typeof description === 'string' && description !== '' ? `${link}\n${description}` : link;
}

function unknownText(block: ContentBlock): string {
  const kind = block.type === 'unknown' ? 'content' : `content of type ${jsonText(block.type)}`;
  return visibleLine(`[${kind}: ${blockJson(block)}]`);
}

/** Servers repeat structured content as the JSON of a text block (MCP, tools: Structured Content). */
export function saysTheSame(text: string, structured: unknown, json: string): boolean {
  if (text === structured || text === json) return true;
  const value = parseJson(text);
  // Two numbers may be written differently that are the same one to JavaScript.
  const lostIn = (each: string) => lostNumbersIn(each).sort().join();
  return value !== undefined && equals(value, structured) && lostIn(text) === lostIn(json);
}

function base64Bytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** A part of a result as a model may take it. */
export type ResultPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'audio' | 'file';
      /** Its bytes, as Base64. */
      readonly data: string;
      readonly mimeType: string;
    };

/** The MIME type of bytes for which the server gives none. */
const untyped: Readonly<Record<string, string>> = { image: 'image/png', audio: 'audio/wav' };

/**
 * A tool's whole result as parts: one text, or, if it has images, sounds or files, a part for each block. Blocks
 * without a part of their own (links, unknown kinds) become text.
 *
 * @param longest characters of text at most, see `resultText`. Default: no limit
 */
export function resultParts(result: ToolResult, longest = Infinity): readonly ResultPart[] {
  if (!result.content.some((block) => blockBytes(block) !== undefined)) return [textPart(resultText(result, longest))];
  const structured = structuredText(result);
  const parts = [...result.content.flatMap(partsOf), ...(structured === undefined ? [] : [textPart(structured)])];
  const texts = parts.map((part) => (part.type === 'text' ? part.text : ''));
  return textsOf(result, texts, longest).flatMap((text, index): ResultPart[] => {
    const part = parts[index];
    if (part && part.type !== 'text') return [part];
    // If there are too many texts, the last ones are empty; some providers reject an empty text.
    return text === '' ? [] : [textPart(text)];
  });
}

function textPart(text: string): ResultPart {
  return { type: 'text', text };
}

function partsOf(block: ContentBlock): ResultPart[] {
  // Some providers reject a text block without text.
  if (block.type === 'text' && block['text'] === '') return [];
  const bytes = blockBytes(block);
  const text = textPart(blockText(block));
  if (!bytes) return [text];
  const { data, mimeType = untyped[block.type] ?? 'application/octet-stream' } = bytes;
  // Anything else in the type would be read as a part of an address.
  const [imageType] = /^image\/[\w.+-]+/.exec(mimeType) ?? [];
  // Only a resource has more than its image.
  if (imageType !== undefined)
    return [...(block.type === 'resource' ? [text] : []), { type: 'image', data, mimeType: imageType }];
  // The line of text beside it is for providers that drop such parts without a word.
  return [text, { type: mimeType.startsWith('audio/') ? 'audio' : 'file', data, mimeType }];
}
