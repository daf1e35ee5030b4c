import { isList, isObject, itemTexts, jsonPointer, jsonText, memberText, parseJson } from '../json/index.js';
import { valueAt, withMember } from '../json/index.js';
import { saysTheSame } from './result-text.js';
import { shortenedAnswers } from './shortened-answer.js';

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
  const structured = memberText(resultText, ['structuredContent']) ?? '';
  if (texts.join('').length <= maxLength && structured.length <= maxLength) return resultText;
  const isRepeated = structured === '' || texts.some((text) => saysTheSame(text, structuredContent, structured));
  const blocks = isRepeated ? content : [...content, { type: 'text', text: structured }];
  const short = shortenedAnswers(blocks.map(textOf), maxLength);
  const json = itemTexts(memberText(resultText, ['content']) ?? '[]');
  const kept = blocks.flatMap((block, index) => {
    const own = json[index] ?? jsonText(block);
    if (textOf(block) === '') return [own];
    const text = short[index] ?? '';
    return text === '' ? [] : [withMember(own, pathOfText(block), JSON.stringify(text))];
  });
  return withMember(withMember(resultText, ['structuredContent'], undefined), ['content'], `[${kept.join(',')}]`);
}

function textOf(block: unknown): string {
  const text = valueAt(block, jsonPointer(pathOfText(block)));
  return typeof text === 'string' ? text : '';
}

function pathOfText(block: unknown): readonly string[] {
  return isObject(block) && isObject(block['resource']) ? ['resource', 'text'] : ['text'];
}
