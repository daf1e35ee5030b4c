import { jsonText, visible, visibleLine } from '../../json/index.js';

/** A JSON value as a literal type. Nothing in it ends the literal or hides in it. */
export function literalType(value: unknown): string {
  // JSON cannot write 1e400, which is read as Infinity.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'number';
  if (Array.isArray(value)) return `[${value.map(literalType).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return visibleLine(jsonText(value));
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${propertyName(name)}: ${literalType(member)}`)
    .join('; ')} }`;
}

export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : visibleLine(jsonText(name));
}

/**
 * A comment for the line below it, or nothing. No text can end it, and none is read as a tag: TypeScript obeys
 * `@ts-ignore` in a comment.
 */
export function docblock(paragraphs: readonly string[], indent: string): string {
  const written = paragraphs.flatMap((text) => visible(text).trim().split(lineBreak));
  const trimmed = written.map((line) => line.trimEnd());
  const lines = trimmed.map((line) => line.replaceAll('*/', '*\\/').replace(/^([\s/*]*)@/, '$1\\@'));
  const [first = '', ...more] = lines;
  if (first === '' && more.length === 0) return '';
  if (more.length === 0) return `${indent}/** ${first} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */\n`].join('\n');
}

const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** Gives each text an identifier of its own, such as `SearchIssues`. */
export function identifiers(reserved: Iterable<string>): (text: string) => string {
  const taken = new Set(reserved);
  return (text) => {
    const words = text.slice(0, 200).match(/[A-Za-z0-9]+/g) ?? [];
    const whole = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
    const base = /^[A-Z]/.test(whole) ? whole : `T${whole}`;
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}${number}`;
    taken.add(name);
    return name;
  };
}
