import { shortenedAnswers } from '../../internal.js';
import { equals, isList, isObject, jsonText, parseJson, withMember } from '../../json/index.js';

export function textResult(text: string, isError: boolean): string {
  return JSON.stringify({ content: [{ type: 'text', text }], ...(isError && { isError }) });
}

/**
 * A result whose texts together have a maximum length. Structured content that is longer becomes a text, unless a text
 * says the same: a part of an object would not be what its schema promises.
 */
export function shortenedResult(resultText: string, maxLength = Infinity): string {
  if (resultText.length <= maxLength) return resultText;
  const result = parseJson(resultText);
  if (!isObject(result) || !isList(result['content'])) return resultText;
  const { content, structuredContent } = result;
  const texts = content.map(textOf);
  const structured = structuredContent === undefined ? '' : jsonText(structuredContent);
  if (texts.join('').length <= maxLength && structured.length <= maxLength) return resultText;
  const isRepeated = structured === '' || texts.some((text) => equals(parseJson(text), structuredContent));
  const blocks = isRepeated ? content : [...content, { type: 'text', text: structured }];
  const short = shortenedAnswers(blocks.map(textOf), maxLength);
  const kept = blocks.flatMap((block, index) => (textOf(block) === '' ? [block] : withText(block, short[index] ?? '')));
  return withMember(withMember(resultText, ['structuredContent'], undefined), ['content'], jsonText(kept));
}

function textOf(block: unknown): string {
  if (!isObject(block)) return '';
  const { text } = isObject(block['resource']) ? block['resource'] : block;
  return typeof text === 'string' ? text : '';
}

/** @returns nothing where no text is left */
function withText(block: unknown, text: string): unknown[] {
  if (!isObject(block) || text === '') return [];
  return [isObject(block['resource']) ? { ...block, resource: { ...block['resource'], text } } : { ...block, text }];
}
