import { isJsonType } from '../../src/json/index.js';
import { rangedIn } from './demands.js';
import { splitAt } from './lines.js';
import { made } from './making.js';

/** The least value of a shape as refusals write it: `{id: integer ≥ 1, tags?: string[]}`. */
export function ofShape(text: string): unknown {
  const alternatives = splitAt(text.trim(), ' | ').filter((each) => each !== 'null' && each !== '…');
  const [shape = text] = alternatives;
  if (shape.endsWith('[]')) return [ofShape(shape.slice(0, -2).replace(/^\((.*)\)$/, '$1'))];
  if (shape.startsWith('{')) return Object.fromEntries(splitAt(shape.slice(1, -1), ', ').flatMap(memberOf));
  const format = /^string \((.*)\)$/.exec(shape)?.[1];
  if (format !== undefined) return made([{ kind: 'format', name: format }], undefined);
  const ranged = rangedIn(shape);
  if (ranged) return made(ranged, undefined);
  if (shape === 'array') return [];
  if (isJsonType(shape)) return made([{ kind: 'type', type: shape }], undefined);
  try {
    return JSON.parse(shape);
  } catch {
    return 'text';
  }
}

function memberOf(text: string): [string, unknown][] {
  const [name = '', ...type] = splitAt(text, ': ');
  if (type.length === 0 || name.endsWith('?')) return [];
  return [[name.startsWith('"') ? String(JSON.parse(name)) : name, ofShape(type.join(': '))]];
}
