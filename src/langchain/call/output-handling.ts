import { structuredText, type ContentBlock, type ToolResult } from '../../internal.js';
import { isObject, type Option, oneOf } from '../../json/index.js';

/** Whether the model reads a part of an answer, or only the program does, in the message's artifact. */
export type OutputPlace = 'content' | 'artifact';

/** The kinds of content that the protocol knows. */
export type ContentKind = 'text' | 'image' | 'audio' | 'resource' | 'resource_link';

/** Where answers go: all of them, or each kind; what is not named goes to the model. As @langchain/mcp-adapters has it. */
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

/** Where each kind goes; a later one overrides an earlier one. */
export function outputPlaces(...handlings: readonly (OutputHandling | undefined)[]) {
  const every = (wanted: OutputPlace) => Object.fromEntries(kinds.map((kind) => [kind, wanted]));
  const places = handlings.map((each) => (typeof each === 'string' ? every(each) : each));
  return Object.assign({}, ...places) as Partial<Record<ContentKind, OutputPlace>>; // of such
}

/**
 * What the model reads of an answer. An error's text is read always: without it the model cannot correct its call.
 * Structured content counts as text, and is not read either where it says what is kept.
 */
export function resultForModel(result: ToolResult, handling: OutputHandling | undefined): ToolResult {
  const places = outputPlaces(handling);
  const isKept = (kind: ContentKind) => places[kind] === 'artifact' && !(result.isError && kind === 'text');
  const kept = result.content.filter((block) => isKept(kindOf(block)));
  if (kept.length === 0 && !isKept('text')) return result;
  const shown = { ...result, content: [...result.content, ...kept.flatMap(textOfResource)] };
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

/** Of a kind that nobody knows it is not known what is in it, so it goes with the text. */
function kindOf({ type }: ContentBlock): ContentKind {
  return isKind(type) ? type : 'text';
}

function textOfResource({ resource }: ContentBlock): ContentBlock[] {
  return isObject(resource) && typeof resource['text'] === 'string' ? [{ type: 'text', text: resource['text'] }] : [];
}
