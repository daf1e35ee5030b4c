import { ConfigurationError } from './own-error.js';
import { listed, namesNear, quote } from './text.js';
import { isList, isObject, isText } from './value.js';

export interface Option {
  readonly words: string;
  readonly accepts: (value: unknown) => boolean;
  readonly names?: readonly string[];
  readonly isRequired?: boolean;
}

export const option = (words: string, accepts: Option['accepts']): Option => ({ words, accepts });

export const aFunction = option('a function', (value) => typeof value === 'function');
export const anObject = option('an object', isObject);
export const flag = option('true or false', (value) => typeof value === 'boolean');
export const text = option('a text', isText);
export const texts = option('a list of texts', (value) => isList(value) && value.every(isText));
export const listOfTools: Option = {
  words: 'a list of tools',
  accepts: (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
  isRequired: true,
};
export const milliseconds = option(
  'a number of milliseconds above 0',
  (value) => typeof value === 'number' && value > 0,
);
/** Recognised by its methods, because it may come from another realm or a polyfill. */
export const signal = option(
  'an AbortSignal',
  (value) => isObject(value) && 'aborted' in value && typeof value['addEventListener'] === 'function',
);

export function oneOf(...names: readonly string[]): Option {
  const accepts = (value: unknown) => typeof value === 'string' && names.includes(value);
  return { words: listed(names.map((name) => quote(name))), accepts, names };
}

export function either(...options: readonly Option[]): Option {
  return {
    words: options.map(({ words }) => words).join(' or '),
    accepts: (value) => options.some(({ accepts }) => accepts(value)),
    names: options.flatMap(({ names = [] }) => names),
  };
}

export function required(wanted: Option): Option {
  return { ...wanted, isRequired: true };
}

/** @throws TypeError that names the wrong or unknown option, the received value, and the allowed ones */
export function checkOptions(
  whose: string,
  options: unknown,
  table: Readonly<Record<string, Option>>,
  within?: string,
): void {
  const owner = () => (within === undefined ? whose : `${quote(within)} of ${whose}`);
  if (!isObject(options))
    throw new ConfigurationError(`The options of ${owner()} are an object; received ${received(options)}.`);
  const check = (name: string, wanted: Option) =>
    checkOption(whose, within === undefined ? name : `${within}.${name}`, options[name], wanted);
  // Options are checked with every call: looking for all that may be there would take three times as long.
  for (const name in options) {
    const wanted = Object.hasOwn(table, name) ? table[name] : undefined;
    if (wanted && options[name] !== undefined) check(name, wanted);
    if (wanted || !Object.hasOwn(options, name)) continue;
    const names = Object.keys(table);
    throw new ConfigurationError(
      `${owner()} has no option ${quote(name)}.${didYouMean(namesElsewhere.get(name) ?? name, names)} It has ${names.join(', ')}.`,
    );
  }
  for (const name in table) {
    const wanted = table[name];
    if (wanted?.isRequired && options[name] === undefined) check(name, wanted);
  }
}

/** Names of options in the MCP SDK and in @langchain/mcp-adapters. */
const namesElsewhere: ReadonlyMap<string, string> = new Map([
  ['timeout', 'idleTimeoutMs'],
  ['timeoutMs', 'idleTimeoutMs'],
  ['defaultToolTimeout', 'idleTimeoutMs'],
  ['maxTotalTimeout', 'maxDurationMs'],
]);

export function checkOption(whose: string, name: string, value: unknown, wanted: Option): void {
  const { words, accepts, names = [], isRequired = false } = wanted;
  if (accepts(value) || (value === undefined && !isRequired)) return;
  const hint = typeof value === 'string' ? didYouMean(value, names) : '';
  throw new ConfigurationError(`${whose}: ${quote(name)} has to be ${words}; received ${received(value)}.${hint}`);
}

export function didYouMean(wrong: string, names: readonly string[]): string {
  const [near] = namesNear(wrong, names);
  return near === undefined ? '' : ` Did you mean ${quote(near)}?`;
}

function received(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (isList(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (!isObject(value)) return String(value);
  const kind = (value as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof kind === 'string' && kind !== 'Object' ? `an object (${kind})` : 'an object';
}
