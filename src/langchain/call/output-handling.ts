import { structuredText, type ContentBlock, type ToolResult } from '../../internal.js';
import { isObject, isText, type Option, oneOf } from '../../json/index.js';

/** 'content': the model reads a part of an answer. 'artifact': only the program does, in the message's artifact. */
export type OutputPlace = 'content' | 'artifact';

/** The kinds of content that the protocol knows. */
export type ContentKind = 'text' | 'image' | 'audio' | 'resource' | 'resource_link';

/**
 * The destination of answers: one for all, or one for each kind; kinds that are not named go to the model. As in
 * @langchain/mcp-adapters.
 */
export type OutputHandling = OutputPlace | Readonly<Partial<Record<ContentKind, OutputPlace>>>;

const place = oneOf('content', 'artifact');
const kinds: readonly ContentKind[] = ['audio', 'image', 'resource', 'resource_link', 'text'];

export const outputHandling: Option = {
  words: '"content", "artifact", or one of these for "text", "image", "audio", "resource" or "resource_link"',
  accepts: (value) =>
    isObject(value)
      ? Object.entries(value).every(([kind, to]) => isKind(kind) && (to === undefined || place.accepts(to)))
      : place.accepts(value),
};

function isKind(name: string): name is ContentKind {
  return (kinds as readonly string[]).includes(name);
}

/** The destination of each kind; a later setting overrides an earlier one. */
export function outputPlaces(...handlings: readonly (OutputHandling | undefined)[]) {
  const every = (wanted: OutputPlace) => Object.fromEntries(kinds.map((kind) => [kind, wanted]));
  const places = handlings.map((each) => (typeof each === 'string' ? every(each) : each));
  return Object.assign({}, ...places) as Partial<Record<ContentKind, OutputPlace>>; // of such
}

/**
 * The part of an answer for the model. An error's text is always included: without it the model cannot correct its
 * call. Structured content counts as text, and is left out if it repeats a part that the model does not get.
 */
export function resultForModel(result: ToolResult, handling: OutputHandling | undefined): ToolResult {
  const places = outputPlaces(handling);
  const isKept = (kind: ContentKind) => places[kind] === 'artifact' && !(result.isError && kind === 'text');
  // Unknown block types are treated as text.
  const kept = result.content.filter(({ type }) => isKept(isKind(type) ? type : 'text'));
  if (kept.length === 0 && !isKept('text')) return result;
  const texts = kept.flatMap(({ resource }) =>
    isObject(resource) && isText(resource['text']) ? [resource['text']] : [],
  );
  const shown = { ...result, content: [...result.content, ...texts.map((text) => ({ type: 'text', text }))] };
  const structured =
    !isKept('text') &&
    structuredText({
      ...shown,
      structuredContent: result.structuredContent,
      structuredText: result.structuredText,
    }) !== undefined;
  const content = result.content.filter((block) => !kept.includes(block));
  return {
    content: content.length === 0 && !structured ? [allKept] : content,
    ...(structured && { structuredContent: result.structuredContent, structuredText: result.structuredText }),
    isError: result.isError,
    ...(result.asked && { asked: result.asked }),
    ...(result.warnings && { warnings: result.warnings }),
    raw: result.raw,
  };
}

const allKept: ContentBlock = {
  type: 'text',
  text: 'The tool has answered. Its answer is kept for the program that called it.',
};
