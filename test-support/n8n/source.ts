/**
 * The text of the value at a path inside JSON text: the wire's own, not a parser's.
 *
 * @returns undefined if there is nothing at the path
 */
export function sourceAt(json: string, ...path: (string | number)[]): string | undefined {
  let source: string | undefined = json;
  for (const step of path) {
    if (source === undefined) return undefined;
    const found: Child[] = childrenOf(source);
    source = (typeof step === 'number' ? found[step] : found.findLast(({ key }) => key === step))?.source;
  }
  return source;
}

interface Child {
  key?: string;
  /** The offset of its text. */
  start: number;
  source: string;
}

/** The members of an object or the elements of an array, each with its text. */
export function childrenOf(json: string): Child[] {
  const children: Child[] = [];
  let at = skipSpace(json, 0);
  const open = json[at];
  if (open !== '{' && open !== '[') return children;
  at = skipSpace(json, at + 1);
  while (json[at] !== '}' && json[at] !== ']') {
    let key: string | undefined;
    if (open === '{') {
      const end = endOfValue(json, at);
      key = JSON.parse(json.slice(at, end)) as string; // a member's name is always a string
      at = skipSpace(json, skipSpace(json, end) + 1);
    }
    const end = endOfValue(json, at);
    children.push({ ...(key === undefined ? {} : { key }), start: at, source: json.slice(at, end) });
    at = skipSpace(json, end);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return children;
}

function endOfValue(json: string, start: number): number {
  const first = json[start];
  if (first === '"') return endOfString(json, start);
  if (first !== '{' && first !== '[') {
    let at = start;
    while (at < json.length && !/[\s,\]}]/.test(json[at]!)) at += 1;
    return at;
  }
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') at = endOfString(json, at) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new SyntaxError('The JSON text ends inside a value.');
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === '\\') at += 1;
    else if (json[at] === '"') return at + 1;
  }
  throw new SyntaxError('The JSON text ends inside a string.');
}

function skipSpace(json: string, start: number): number {
  let at = start;
  while (at < json.length && ' \t\n\r'.includes(json[at]!)) at += 1;
  return at;
}
