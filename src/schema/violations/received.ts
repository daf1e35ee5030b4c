import { cut, isObject, type JsonType, quote, scalarText, typeOf } from '../../json/index.js';
import { isSecret } from './secrets.js';

/** The value that a violation is about. */
export interface Received {
  readonly type: JsonType;
  /** The value itself, for programs; not to be shown where it may be a secret. */
  readonly value: unknown;
  /** The value as JSON for people: truncated, and hidden where it is likely to be a secret. */
  readonly text: string;
}

/** Characters of a value that are shown. */
const textLimit = 80;

/** Levels of a value that are shown. */
const depthLimit = 4;

export const hidden = '[hidden]';

export function receive(value: unknown, secret: boolean): Received {
  const type = typeOf(value);
  return { type, value, text: secret && type !== 'null' ? hidden : inline(value) };
}

/** A value as JSON on one line, cut to a length; works as long as that takes, however large the value is. */
export function inline(value: unknown, limit = textLimit): string {
  let text = '';
  write(value, depthLimit);
  return text.length <= limit ? text : `${cut(text, limit - 3)}...`;

  function write(current: unknown, levels: number): void {
    if (text.length > limit) return;
    if (typeof current === 'string') text += isSecret([], current) ? hidden : quote(current, limit);
    else if (Array.isArray(current)) writeAll('[', current.length, levels, ']', (i) => write(current[i], levels - 1));
    else if (isObject(current)) writeObject(current, levels);
    else text += scalarText(current);
  }

  function writeObject(object: Readonly<Record<string, unknown>>, levels: number): void {
    const names = Object.keys(object);
    writeAll('{', names.length, levels, '}', (i) => {
      const name = names[i] ?? '';
      text += `${quote(name, limit)}:`;
      if (isSecret([name], object[name])) text += hidden;
      else write(object[name], levels - 1);
    });
  }

  function writeAll(open: string, count: number, levels: number, close: string, writeOne: (i: number) => void): void {
    text += open;
    if (levels === 0 && count > 0) text += '...';
    for (let i = 0; levels > 0 && i < count && text.length <= limit; i++) {
      if (i > 0) text += ',';
      writeOne(i);
    }
    text += close;
  }
}
