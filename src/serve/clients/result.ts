import { shortenedAnswers } from '../../internal.js';
import { equals, isList, isObject, jsonText, parseJson, withMember } from '../../json/index.js';

/** What a model reads where no server has answered, in the shape of a result. */
export function textResult(text: string, isError: boolean): string {
  return JSON.stringify({ content: [{ type: 'text', text }], ...(isError && { isError }) });
}

/**
 * A result whose texts have so many characters at most, together. Structured content that is longer becomes a text, where
 * no text says the same: of an object there is no part that its schema would accept.
 */
export function shortenedResult(resultText: string, longest: number): string {
  if (resultText.length <= longest) return resultText;
  const result = parseJson(resultText);
  if (!isObject(result) || !isList(result['content'])) return resultText;
  const { content, structuredContent: structured } = result;
  const texts = content.map(textOf);
  const structuredText = structured === undefined ? '' : jsonText(structured);
  const isShort = texts.reduce((sum, text) => sum + text.length, 0) <= longest && structuredText.length <= longest;
  if (isShort) return resultText;
  const isSaid = texts.some((text) => equals(parseJson(text), structured));
  const short = shortenedAnswers([...texts, ...(isSaid || structured === undefined ? [] : [structuredText])], longest);
  const blocks = content.flatMap((block, index) => {
    const text = short[index] ?? '';
    if (texts[index] === '') return [block];
    return text === '' ? [] : [withText(block, text)];
  });
  const added = short
    .slice(texts.length)
    .filter(Boolean)
    .map((text) => ({ type: 'text', text }));
  const without = withMember(resultText, ['structuredContent'], undefined);
  return withMember(without, ['content'], jsonText([...blocks, ...added]));
}

/** The text of a block, or of the resource in it; empty where there is none. */
function textOf(block: unknown): string {
  if (!isObject(block)) return '';
  const { text } = isObject(block['resource']) ? block['resource'] : block;
  return typeof text === 'string' ? text : '';
}

function withText(block: unknown, text: string): unknown {
  if (!isObject(block)) return block;
  return isObject(block['resource']) ? { ...block, resource: { ...block['resource'], text } } : { ...block, text };
}
