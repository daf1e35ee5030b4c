import { isJsonType, type JsonType } from '../../src/json/index.js';
import { type Quoted, splitAt, unquoted, valueIn } from './lines.js';

/** One demand of a line on a value. */
export type Demand =
  | { readonly kind: 'type'; readonly type: JsonType; readonly items?: readonly Demand[] }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'bound'; readonly sign: '>=' | '>' | '<=' | '<'; readonly limit: number }
  | { readonly kind: 'multiple'; readonly of: number }
  | { readonly kind: 'length'; readonly bound: Bound; readonly count: number }
  | { readonly kind: 'pattern'; readonly source: string }
  | { readonly kind: 'format'; readonly name: string }
  | { readonly kind: 'like'; readonly example: unknown }
  /** A demand that the text leaves out, such as a pattern that is too long. */
  | { readonly kind: 'unsaid' };

type Bound = 'at least' | 'at most';

/** The demands of a line: on the value, its members or its items. */
export type Saying =
  | { readonly kind: 'be'; readonly any: readonly (readonly Demand[])[]; readonly isCut: boolean }
  | { readonly kind: 'missing'; readonly properties: readonly Missing[] }
  | { readonly kind: 'missing-one'; readonly sets: readonly (readonly Missing[])[] }
  | { readonly kind: 'unwanted'; readonly properties: readonly Unwanted[] }
  | {
      readonly kind: 'count';
      readonly bound: Bound;
      readonly count: number;
      readonly noun: string;
      readonly items: readonly Demand[];
      readonly has?: number;
    }
  | { readonly kind: 'unique'; readonly equal: readonly [number, number] }
  | { readonly kind: 'contains'; readonly bound: Bound; readonly count: number; readonly schema: unknown }
  | { readonly kind: 'not'; readonly schema: unknown }
  | { readonly kind: 'together'; readonly names: readonly string[] }
  | { readonly kind: 'absent' }
  /** The members to leave out, or else to add, so that one alternative is left. */
  | { readonly kind: 'overlap'; readonly out: readonly (readonly string[])[]; readonly add: readonly string[] }
  | { readonly kind: 'unclear' };

export interface Missing {
  readonly name: string;
  readonly beside?: string;
  /** The allowed values, if the line lists them. */
  readonly any: readonly (readonly Demand[])[];
}

export interface Unwanted {
  readonly name: string;
  readonly meant?: string;
  /** The right place of the value, as a JSON Pointer. */
  readonly place?: string;
}

/** The received value in the line's words. */
export interface Said {
  readonly type: string;
  readonly text: string;
  /** The demand on the value that a string would be read as. */
  readonly readAs: readonly Demand[];
}

export function sayingOf(problem: Quoted): { readonly saying: Saying; readonly received?: Said } {
  const { plain } = problem;
  const end = /, received (?:(null)|(boolean|integer|number|string|array|object) (.*))$/.exec(plain);
  const said = end ? plain.slice(0, end.index) : plain;
  const saying = sentenceOf(said, problem);
  if (!end) return { saying };
  const read = / \(read as [^,]*, which must be (.*)\)$/.exec(end[3] ?? '');
  const text = (end[3] ?? '').slice(0, read?.index).replace(/ \(\d+ characters\)$/, '');
  const readAs = read ? (anyOf(read[1] ?? '', problem).any[0] ?? []) : [];
  return { saying, received: { type: end[1] ?? end[2] ?? '', text: unquoted(text, problem), readAs } };
}

function sentenceOf(plain: string, of: Quoted): Saying {
  const match = (pattern: RegExp) => pattern.exec(plain);
  const text = (mark = '') => textIn(mark, of);
  if (plain === 'is not allowed') return { kind: 'absent' };
  let found = match(/^must be anything but (.*)$/);
  if (found) return { kind: 'not', schema: valueIn(found[1] ?? '', of)?.value };
  found = match(/^must be valid against exactly one of .*; (leave out|add) (.*)$/);
  if (found) {
    const ways = listedIn(found[2] ?? '', ' or ').map((way) => listedIn(way, ' and ').map(text));
    return { kind: 'overlap', out: found[1] === 'add' ? [] : ways, add: found[1] === 'add' ? ways.flat() : [] };
  }
  if (/^must be valid against|^must be anything/.test(plain)) return { kind: 'unclear' };
  found = match(/^must be (.*)$/);
  if (found) return { kind: 'be', ...anyOf(found[1] ?? '', of) };
  found = match(/^must have (at least|at most) (\d+) (item|propert)\w*(?: \((.*)\))?(?:, has (\d+))?$/);
  if (found) {
    const has = found[5] === undefined ? {} : { has: Number(found[5]) };
    const items = found[4] === undefined ? [] : itemsIn(found[4], of);
    return { kind: 'count', bound: found[1] as Bound, count: Number(found[2]), noun: found[3] ?? '', items, ...has };
  }
  found = match(/^must have unique items, but numbers (\d+) and (\d+) are equal$/);
  if (found) return { kind: 'unique', equal: [Number(found[1]) - 1, Number(found[2]) - 1] };
  found = match(/^must have (at least|at most) (\d+) items? matching (.*)$/);
  if (found) {
    const schema = valueIn(found[3] ?? '', of)?.value;
    return { kind: 'contains', bound: found[1] as Bound, count: Number(found[2]), schema };
  }
  found = match(/^must have property (.*) beside (⟦\d+⟧)$/);
  if (found) return { kind: 'missing', properties: [{ ...missing(found[1] ?? '', of), beside: text(found[2]) }] };
  found = match(/^must have property (.*), which is missing$/);
  if (found) return { kind: 'missing', properties: [missing(found[1] ?? '', of)] };
  found = match(/^must have property (.*); (?:both|all) are missing$/);
  if (found) {
    const sets = listedIn(found[1] ?? '', ' or ').map((set) =>
      listedIn(set, ' and ')
        .filter((each) => each.startsWith('⟦'))
        .map((each) => missing(each, of)),
    );
    return { kind: 'missing-one', sets };
  }
  found = match(/^the properties (.*) are missing$/);
  if (found) {
    const properties = listedIn(found[1] ?? '', ' and ').filter((each) => each.startsWith('⟦'));
    return { kind: 'missing', properties: properties.map((each) => missing(each, of)) };
  }
  found = match(/^must not have the properties (.*) together$/);
  if (found) return { kind: 'together', names: listedIn(found[1] ?? '', ' and ').map(text) };
  found = match(/^must not have the property (⟦\d+⟧): its name must be/);
  if (found) return { kind: 'unwanted', properties: [{ name: text(found[1]) }] };
  found = match(/^must not have the propert(?:y|ies) (.*?)(?: \((?:also )?allowed: .*\))?$/);
  if (found) {
    const properties = listedIn(found[1] ?? '', ' and ').filter((each) => each.startsWith('⟦'));
    return { kind: 'unwanted', properties: properties.map((each) => unwanted(each, of)) };
  }
  return { kind: 'unclear' };
}

function textIn(mark: string, of: Quoted): string {
  const value = valueIn(mark, of)?.value;
  return typeof value === 'string' ? value : '';
}

function missing(plain: string, of: Quoted): Missing {
  const [, mark = '', within] = /^(⟦\d+⟧)(?: \((.*)\))?$/.exec(plain) ?? [];
  const any = within === undefined ? [] : anyOf(within, of).any;
  return { name: textIn(mark, of), any };
}

function unwanted(plain: string, of: Quoted): Unwanted {
  const name = textIn(/^⟦\d+⟧/.exec(plain)?.[0] ?? '', of);
  const place = /^⟦\d+⟧ \(it belongs in (.*)\)$/.exec(plain)?.[1];
  if (place !== undefined) return { name, place: place === '(root)' ? '' : unquoted(place, of) };
  const meant = valueIn(/did you mean (⟦\d+⟧)/.exec(plain)?.[1] ?? '', of)?.value;
  return typeof meant === 'string' ? { name, meant } : { name };
}

function listedIn(plain: string, conjunction: string): string[] {
  return splitAt(plain, ', ').flatMap((each) => splitAt(each, conjunction));
}

/** 'integer, boolean or one of "a", "b" and 2 more': the alternatives for a value. */
export function anyOf(plain: string, of: Quoted): { any: readonly (readonly Demand[])[]; isCut: boolean } {
  const isCut = / and \d+ more/.test(plain);
  const parts = listedIn(plain.replace(/ and \d+ more/g, '').replace(/\bone of /g, ''), ' or ');
  const any: (readonly Demand[])[] = [];
  for (const part of parts) {
    const demands = demandsIn(part.trim(), of);
    const last = any.at(-1)?.[0];
    const isList = any.length > 0 && last?.kind === 'type' && last.items !== undefined;
    // 'array of one of "a", "b"': the later values belong to the items, too.
    if (isList && demands[0]?.kind === 'value') {
      any[any.length - 1] = [{ ...last, items: [...(last.items ?? []), ...demands] }];
    } else if (demands.length > 0) any.push(demands);
  }
  return { any, isCut };
}

function demandsIn(plain: string, of: Quoted): readonly Demand[] {
  const match = (pattern: RegExp) => pattern.exec(plain);
  const example = match(/,? (?:such as|for example) (.*)$/);
  if (example) {
    const value = valueIn(example[1] ?? '', of);
    return [
      ...(value ? [{ kind: 'like', example: value.value } as const] : []),
      ...demandsIn(plain.slice(0, example.index), of),
    ];
  }
  if (isJsonType(plain)) return [{ kind: 'type', type: plain }];
  const items = match(/^array of (.*)$/);
  if (items) return [{ kind: 'type', type: 'array', items: itemsIn(items[1] ?? '', of) }];
  if (plain === 'a number that JSON can hold') return [{ kind: 'unsaid' }];
  const bound = match(/^(>=|>|<=|<) (\S+)$/);
  if (bound) return [{ kind: 'bound', sign: bound[1] as '>', limit: Number(bound[2]) }];
  const multiple = match(/^a multiple of (\S+)$/);
  if (multiple) return [{ kind: 'multiple', of: Number(multiple[1]) }];
  const length = match(/^(at least|at most) (\d+) characters? long$/);
  if (length) return [{ kind: 'length', bound: length[1] as Bound, count: Number(length[2]) }];
  const text = match(/^a (?:string|valid (\S+))(?: matching (?:(⟦\d+⟧)|a pattern of \d+ characters))?$/);
  if (text) {
    const source = valueIn(text[2] ?? '', of)?.value;
    return [
      ...(typeof source === 'string' ? [{ kind: 'pattern', source } as const] : []),
      ...(plain.includes('matching a pattern of') ? [{ kind: 'unsaid' } as const] : []),
      ...(text[1] === undefined
        ? [{ kind: 'type', type: 'string' } as const]
        : [{ kind: 'format', name: text[1] } as const]),
    ];
  }
  const ranged = rangedIn(plain);
  if (ranged) return ranged;
  const value = valueIn(plain, of);
  return value ? [{ kind: 'value', value: value.value }] : [];
}

/** 'strings', 'integers and booleans', or the first of several values. */
function itemsIn(plain: string, of: Quoted): readonly Demand[] {
  const types = listedIn(plain, ' and ').map((each) => each.replace(/s$/, ''));
  if (types.every(isJsonType)) return types.map((type) => ({ kind: 'type', type }));
  return demandsIn(plain, of);
}

/** 'integer ≥ 1', 'number 0..5', as signatures write them. */
export function rangedIn(plain: string): readonly Demand[] | undefined {
  const [, type, range = ''] = /^(integer|number)((?:(?: and)? (?:≥|≤|>|<) \S+?| \S+\.\.\S+)+)$/.exec(plain) ?? [];
  if (type === undefined) return undefined;
  const bounds = [...range.matchAll(/(≥|≤|>|<) ([^\s,]+)/g)].map(([, sign, limit]): Demand => {
    const plainSign = sign === '≥' ? '>=' : sign === '≤' ? '<=' : (sign as '>' | '<');
    return { kind: 'bound', sign: plainSign, limit: Number(limit) };
  });
  const [, low, high] = /(-?[\d.e+-]+?)\.\.(-?[\d.e+-]+)/.exec(range) ?? [];
  const both: Demand[] =
    low === undefined || high === undefined
      ? []
      : [
          { kind: 'bound', sign: '>=', limit: Number(low) },
          { kind: 'bound', sign: '<=', limit: Number(high) },
        ];
  return [{ kind: 'type', type: type as JsonType }, ...bounds, ...both];
}
