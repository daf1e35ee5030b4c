import type { MessageContent } from '@langchain/core/messages';
import { blockText, type ResultPart, resultParts, resultText, type ToolResult } from '../../internal.js';
import { valueAt } from '../../json/index.js';

type LangChainBlock = Exclude<MessageContent, string>[number];

/** 'blocks' gives images, sounds and files to the model; 'text' only mentions them. */
export type Media = 'blocks' | 'text';

/**
 * A tool's result as the content of a LangChain message.
 *
 * Text alone is one string: ChatOllama rejects lists of text blocks, and ChatCohere drops them. With an image, a sound
 * or a file it is a list of content blocks.
 *
 * @param longest characters of text at most: see `shortenedAnswer`. Default: no limit
 */
export function messageContent(result: ToolResult, media: Media = 'blocks', longest = Infinity): MessageContent {
  if (media === 'text') return resultText(result, longest);
  const parts = resultParts(result, longest);
  const [first] = parts;
  return parts.length === 1 && first?.type === 'text' ? first.text : parts.map(toLangChain);
}

function toLangChain(part: ResultPart): LangChainBlock {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { type, data, mimeType } = part;
  if (type !== 'image') return { type, mimeType, data };
  // As a data URL: the one form that ChatOpenAI, ChatAnthropic and ChatGoogleGenerativeAI all understand in a tool
  // message.
  return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } };
}

export function mediaAsText(content: readonly Readonly<Record<string, unknown>>[]): LangChainBlock[] {
  return content.flatMap((block): LangChainBlock[] => {
    if (block['type'] === 'text') return [block as LangChainBlock]; // it was one
    const url = valueAt(block, '/image_url/url');
    const [, mimeType, data] = /^data:([^;]*);base64,(.*)$/s.exec(typeof url === 'string' ? url : '') ?? [];
    // Beside a sound or a file there is a line of text already.
    if (mimeType === undefined) return [];
    return [{ type: 'text', text: blockText({ type: 'image', mimeType, data }) }];
  });
}
