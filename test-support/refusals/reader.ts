import { equals, isList, isObject, pointerTokens, typeOf } from '../../src/json/index.js';
import { synthesise } from '../schemas/synthesise.js';
import { type Demand, type Missing, type Saying, sayingOf, type Unwanted } from './demands.js';
import { readRefusal } from './lines.js';
import { made } from './making.js';
import { isSatisfied } from './satisfied.js';
import { ofShape } from './shapes.js';

type Holder = Record<string, unknown>;

/**
 * Follows a refusal's text literally: a reader who sees neither the schema nor the package's knowledge. From several
 * choices it takes the first; details that the text leaves out are made up.
 *
 * @param message the text as a model reads it
 * @param sent the arguments as they were sent; they are not modified
 */
export function obeyed(message: string, sent: unknown): unknown {
  const refusal = readRefusal(message);
  const root: Holder = { args: structuredClone(sent) };
  const sayings = refusal.lines.flatMap(({ path, problem }) => {
    const { saying, received } = sayingOf(problem);
    return placesOf(root['args'], path).map((place) => ({ place: ['args', ...place], saying, received }));
  });
  const of = <K extends Saying['kind']>(...kinds: readonly K[]) =>
    sayings.flatMap((each) =>
      kinds.includes(each.saying.kind as K) ? [{ ...each, saying: each.saying as Extract<Saying, { kind: K }> }] : [],
    );

  for (const { place, saying } of of('unwanted')) for (const each of saying.properties) rid(root, place, each);
  const places = new Map<string, ReturnType<typeof of<'be'>>>();
  for (const each of of('be')) {
    const key = JSON.stringify(each.place);
    places.set(key, [...(places.get(key) ?? []), each]);
  }
  const absent: string[][] = [];
  for (const [key, lines] of places) {
    const place = JSON.parse(key) as string[];
    const value = valueAt(root, place);
    if (value === null && refusal.leavesOutAbsent && place.length > 1) absent.push(place);
    else {
      const demands = lines.flatMap(({ saying, received }) => [
        ...(received?.readAs ?? []),
        ...chosen(saying.any, value),
      ]);
      put(root, place, valueFor(demands, value, refusal.shapes.get(place.slice(1).join('.'))));
    }
  }
  for (const { place, saying } of of('missing'))
    for (const each of saying.properties) add(root, place, each, refusal.shapes);
  for (const { place, saying } of of('missing-one'))
    for (const each of saying.sets[0] ?? []) add(root, place, each, refusal.shapes);
  for (const { place, saying } of of('count', 'contains', 'not'))
    put(root, place, changed(saying, valueAt(root, place), refusal.shapes.get(place.slice(1).join('.'))));
  for (const { place, saying } of of('together')) leaveOut(root, [...place, saying.names.at(-1) ?? '']);
  for (const { place, saying } of of('overlap')) {
    for (const name of saying.out[0] ?? []) leaveOut(root, [...place, name]);
    for (const name of saying.add.slice(0, 1)) add(root, place, { name, any: [] }, refusal.shapes);
  }
  const doubles = of('unique').map(({ place, saying }) => [...place, String(saying.equal[1])]);
  for (const place of [...absent, ...of('absent').map((each) => each.place), ...doubles].reverse())
    leaveOut(root, place);
  return root['args'];
}

/** Every place of a line: `*` stands for each index. */
function placesOf(value: unknown, path: readonly string[], before: readonly string[] = []): string[][] {
  const [token, ...rest] = path;
  if (token === undefined) return [[...before]];
  if (token !== '*' || !isList(value)) return placesOf(memberOf(value, token), rest, [...before, token]);
  return value.flatMap((item, index) => placesOf(item, rest, [...before, String(index)]));
}

function memberOf(value: unknown, token: string): unknown {
  if (isList(value)) return value[Number(token)];
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

function valueAt(root: unknown, place: readonly string[]): unknown {
  return place.reduce(memberOf, root);
}

function put(root: Holder, place: readonly string[], value: unknown): void {
  const holder = valueAt(root, place.slice(0, -1));
  const name = place.at(-1) ?? '';
  if (isList(holder)) (holder as unknown[])[Number(name)] = value;
  else if (isObject(holder))
    Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

function leaveOut(root: Holder, place: readonly string[]): void {
  const holder = valueAt(root, place.slice(0, -1));
  const name = place.at(-1) ?? '';
  if (isList(holder)) (holder as unknown[]).splice(Number(name), 1);
  else if (isObject(holder)) Reflect.deleteProperty(holder, name);
}

function rid(root: Holder, place: readonly string[], { name, meant, place: elsewhere }: Unwanted): void {
  const value = valueAt(root, [...place, name]);
  leaveOut(root, [...place, name]);
  const to = elsewhere === undefined ? [...place, meant ?? ''] : ['args', ...pointerTokens(elsewhere), name];
  if (meant === undefined && elsewhere === undefined) return;
  for (const depth of to.keys())
    if (depth > 0 && valueAt(root, to.slice(0, depth)) === undefined) put(root, to.slice(0, depth), {});
  if (valueAt(root, to) === undefined) put(root, to, value);
}

/** The alternative of the value's own type, or else the first. */
function chosen(any: readonly (readonly Demand[])[], value: unknown): readonly Demand[] {
  const type = typeOf(value);
  const isOwn = (demand: Demand | undefined) =>
    (demand?.kind === 'type' && demand.type === type) || (demand?.kind === 'value' && typeOf(demand.value) === type);
  return (
    any.find(([first]) => isOwn(first)) ??
    any.find(([first]) => first?.kind === 'type' && first.type !== 'null') ??
    any[0] ??
    []
  );
}

function valueFor(demands: readonly Demand[], value: unknown, shape: string | undefined): unknown {
  const type = demands.find((each) => each.kind === 'type')?.type;
  // "Send a list or an object itself, not its text."
  const parsed = typeof value === 'string' ? parsedText(value) : undefined;
  if ((type === 'object' || type === 'array') && typeOf(parsed) === type) return parsed;
  const isSaid = shape === undefined || (typeOf(value) === type && !shape.includes('such as '));
  return isSaid ? made(demands, value) : ofShape(shape, value);
}

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function add(
  root: Holder,
  place: readonly string[],
  { name, beside, any }: Missing,
  shapes: ReadonlyMap<string, string>,
): void {
  const own = [...place, name];
  if (valueAt(root, own) !== undefined || (beside !== undefined && valueAt(root, [...place, beside]) === undefined))
    return;
  const shape = shapes.get(own.slice(1).join('.'));
  put(root, own, shape === undefined ? made(any[0] ?? [], 'text') : ofShape(shape, undefined));
}

function changed(
  saying: Extract<Saying, { kind: 'count' | 'contains' | 'not' }>,
  value: unknown,
  shape: string | undefined,
): unknown {
  if (saying.kind === 'not') return otherThan(saying.schema, value);
  if (saying.kind === 'contains') {
    if (!isList(value)) return value;
    const fitting = Array.from({ length: saying.count }, () => synthesise(saying.schema, { optional: false }));
    return saying.bound === 'at least' ? [...value, ...fitting] : value.slice(0, saying.count);
  }
  const { bound, count } = saying;
  if (isList(value)) {
    const [whole] = shape === undefined ? [] : [ofShape(shape, undefined)];
    const item = made(saying.items.slice(0, 1), value.at(-1) ?? 'text');
    const more = Array.from({ length: Math.max(0, count - value.length) }, (_, at) =>
      structuredClone(isList(whole) && value.length + at < whole.length ? whole[value.length + at] : item),
    );
    return bound === 'at most' ? value.slice(0, count) : [...value, ...more];
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  const more = Array.from(
    { length: Math.max(0, count - members.length) },
    (_, index) => [`property${index}`, 'text'] as const,
  );
  return Object.fromEntries(bound === 'at most' ? members.slice(0, count) : [...members, ...more]);
}

/** The nearest value outside a forbidden schema, as far as a reader can tell. */
function otherThan(schema: unknown, value: unknown): unknown {
  const type = isObject(schema) ? schema['type'] : undefined;
  if (type !== undefined && isSatisfied({ kind: 'type', type: type as 'string' }, value))
    return type === 'string' ? 1 : 'text';
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  const text = typeof value === 'string' ? `${value}x` : value;
  return equals(text, value) ? 'text' : text;
}
