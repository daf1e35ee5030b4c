import type { ContentBlock, ToolResult } from '../mcp/index.js';
import { blockBytes, resultText, structuredText, textsOf } from './result-text.js';

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
  // Some providers refuse a text block without text.
  if (block.type === 'text' && block['text'] === '') return [];
  const bytes = blockBytes(block);
  const text = textPart(resultText({ content: [block], isError: false, raw: {} }));
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
