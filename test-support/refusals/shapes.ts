import { isJsonType, isList } from '../../src/json/index.js';
import { type Demand, rangedIn } from './demands.js';
import { quoted, splitAt, valueIn } from './lines.js';
import { made } from './making.js';

/**
 * The smallest value of a shape as refusals write it, `{id: integer ≥ 1, tags?: string[]}`, as close to the sent value
 * as possible.
 */
export function ofShape(text: string, sent: unknown): unknown {
  const [shape = text] = splitAt(text.trim(), ' | ').filter((each) => each !== 'null' && each !== '…');
  const sized = /^(.*(?:\]|array)) \((?:[≥≤] )?(\d+)[^)]*\)$/.exec(shape);
  const least = sized && !/ \(≤/.test(shape.slice(sized[1]?.length)) ? Number(sized[2]) : 0;
  const base = sized?.[1] ?? shape;
  if (base.endsWith('[]')) return listOf(base.slice(0, -2), Math.max(1, least), sent);
  if (base.startsWith('[')) return splitAt(base.slice(1, -1), ', ').map((each) => ofShape(each, undefined));
  if (base === 'array') return Array.from({ length: least }, () => 'text');
  if (base.startsWith('{')) return Object.fromEntries(splitAt(base.slice(1, -1), ', ').flatMap(memberOf));
  const value = valueIn(base, { plain: base, strings: [] });
  return value ? value.value : made(demandsOf(base), sent);
}

function listOf(item: string, length: number, sent: unknown): unknown[] {
  const made = ofShape(item.replace(/^\((.*)\)$/, '$1'), isList(sent) ? undefined : sent);
  return Array.from({ length }, () => structuredClone(made));
}

/** `string (email, ≥ 3 characters, matching "^a")`, `integer 0..100 (multiple of 5)` */
function demandsOf(shape: string): readonly Demand[] {
  const [, base = shape, within] = /^(string|integer.*?|number.*?) \((.*)\)$/.exec(shape) ?? [];
  const type = rangedIn(base) ?? (isJsonType(base) ? [{ kind: 'type', type: base } as const] : []);
  return [...type, ...(within === undefined ? [] : splitAt(within, ', ').flatMap(detailOf))];
}

function detailOf(text: string): Demand[] {
  const multiple = /^multiple of (.*)$/.exec(text)?.[1];
  if (multiple !== undefined) return [{ kind: 'multiple', of: Number(multiple) }];
  const [, sign, low, high] = /^(≥ |≤ )?(\d+)(?:\.\.(\d+))? characters?$/.exec(text) ?? [];
  if (low !== undefined) {
    const most = sign === '≤ ' ? low : sign === undefined ? (high ?? low) : undefined;
    return [
      ...(sign === '≤ ' ? [] : [{ kind: 'length', bound: 'at least', count: Number(low) } as const]),
      ...(most === undefined ? [] : [{ kind: 'length', bound: 'at most', count: Number(most) } as const]),
    ];
  }
  const such = /^such as (.*)$/.exec(text)?.[1];
  if (such !== undefined) return [{ kind: 'like', example: JSON.parse(such) as unknown }];
  const mark = /^matching (.*)$/.exec(text)?.[1];
  const whole = quoted(mark ?? '');
  const source = mark === undefined ? undefined : valueIn(whole.plain, whole)?.value;
  return typeof source === 'string' ? [{ kind: 'pattern', source }] : [{ kind: 'format', name: text }];
}

function memberOf(text: string): [string, unknown][] {
  const [name = '', ...type] = splitAt(text, ': ');
  if (type.length === 0 || name.endsWith('?')) return [];
  return [[name.startsWith('"') ? String(JSON.parse(name)) : name, ofShape(type.join(': '), undefined)]];
}
