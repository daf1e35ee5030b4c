import { parseJson, stringEnd } from '../../json/index.js';

const word = /[^\s{}[\],:"]+/y;
const space = /\s*/y;

/**
 * The line and column at which a text stops being JSON. The engine's own message often lacks them, and quotes text
 * around the mistake, which may be a token.
 */
export function positionOfMistake(text: string): string {
  const before = text.slice(0, mistakeAt(text));
  const lines = before.split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

function mistakeAt(text: string): number {
  const open: string[] = [];
  let mayCome = 'value';
  for (let at = 0; ;) {
    space.lastIndex = at;
    at += space.exec(text)?.[0].length ?? 0;
    const sign = text[at] ?? '';
    const isClosing = sign !== '' && (sign === '}' || sign === ']') && open.at(-1) === sign;
    if (isClosing && /next|first/.test(mayCome)) {
      open.pop();
      mayCome = open.length > 0 ? 'next' : 'end';
      at++;
    } else if ((sign === ',' && mayCome === 'next') || (sign === ':' && mayCome === 'colon')) {
      mayCome = sign === ',' && open.at(-1) === '}' ? 'name' : 'value';
      at++;
    } else if ((sign === '{' || sign === '[') && /value|first item/.test(mayCome)) {
      open.push(sign === '{' ? '}' : ']');
      mayCome = sign === '{' ? 'first name' : 'first item';
      at++;
    } else {
      word.lastIndex = at;
      const end = sign === '"' ? stringEnd(text, at) : at + (word.exec(text)?.[0].length ?? 0);
      const isThere = end !== undefined && parseJson(text.slice(at, end)) !== undefined;
      const isName = /name/.test(mayCome) && sign === '"';
      if (!isThere || !(isName || /value|item/.test(mayCome))) return at;
      mayCome = isName ? 'colon' : open.length > 0 ? 'next' : 'end';
      at = end;
    }
  }
}
