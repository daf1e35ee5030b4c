import type { MessageContent } from '@langchain/core/messages';
import type { ContentBlock, ToolResult } from '../../internal.js';
import { blockBytes, resultText, linesBeside, shortenedAnswers, structuredText } from '../../internal.js';
import { valueAt } from '../../json/index.js';

type LangChainBlock = Exclude<MessageContent, string>[number];

/** The MIME type of bytes for which the server gives none. */
const untyped: Readonly<Record<string, string>> = { image: 'image/png', audio: 'audio/wav' };

/** 'blocks' gives images, sounds and files to the model; 'text' only mentions them. */
export type Media = 'blocks' | 'text';

/**
 * A tool's result as the content of a LangChain message.
 *
 * Text alone is one string: lists of text blocks are refused by ChatOllama and dropped by ChatCohere. With an image, a
 * sound or a file it is a list of content blocks. What LangChain has no block for (links, kinds that nobody knows yet)
 * becomes text.
 *
 * @param longest characters of text at most: see `shortenedAnswer`. Default: all of it
 */
export function messageContent(result: ToolResult, media: Media = 'blocks', longest = Infinity): MessageContent {
  if (media === 'text' || !result.content.some((block) => blockBytes(block) !== undefined)) {
    return resultText(result, longest);
  }
  const structured = structuredText(result);
  const blocks = [...result.content.flatMap(toLangChain), ...(structured === undefined ? [] : [textBlock(structured)])];
  const texts = blocks.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''));
  const short = shortenedAnswers(texts, longest);
  const shown = blocks.flatMap((block, index) => {
    if (block.type !== 'text') return [block];
    // Of too many texts the last are left out; some providers refuse an empty one.
    const text = short[index] ?? '';
    return text === '' ? [] : [{ ...block, text }];
  });
  return [...shown, ...linesBeside(result).map(textBlock)];
}

function textBlock(text: string): LangChainBlock {
  return { type: 'text', text };
}

function toLangChain(block: ContentBlock): LangChainBlock[] {
  // Some providers refuse a text block without text.
  if (block.type === 'text' && block['text'] === '') return [];
  const bytes = blockBytes(block);
  const text = textBlock(resultText({ content: [block], isError: false, raw: {} }));
  if (!bytes) return [text];
  const { data, mimeType = untyped[block.type] ?? 'application/octet-stream' } = bytes;
  // What else stands in it would be read as a part of the address.
  const [imageType] = /^image\/[\w.+-]+/.exec(mimeType) ?? [];
  if (imageType !== undefined) {
    // As a data URL: the one form that ChatOpenAI, ChatAnthropic and ChatGoogleGenerativeAI all understand in a tool
    // message. Only a resource has more than its image.
    const image = { type: 'image_url', image_url: { url: `data:${imageType};base64,${data}` } };
    return block.type === 'resource' ? [text, image] : [image];
  }
  // The line of text beside it is for providers that drop such blocks (ChatAnthropic: audio) without a word.
  return [text, { type: mimeType.startsWith('audio/') ? 'audio' : 'file', mimeType, data }];
}

export function mediaAsText(content: readonly Readonly<Record<string, unknown>>[]): LangChainBlock[] {
  return content.flatMap((block): LangChainBlock[] => {
    if (block['type'] === 'text') return [block as LangChainBlock]; // it was one
    const url = valueAt(block, '/image_url/url');
    const [, mimeType, data] = /^data:([^;]*);base64,(.*)$/s.exec(typeof url === 'string' ? url : '') ?? [];
    // Beside a sound or a file there is a line of text already.
    if (mimeType === undefined) return [];
    return [textBlock(resultText({ content: [{ type: 'image', mimeType, data }], isError: false, raw: {} }))];
  });
}
